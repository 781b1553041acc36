/** What goes between the bridge and the worker that reads labels and answers questions about them. */
import type { NamedAddress } from '@shared/c64/labels/names'
import type { ProgramLabel } from '@shared/c64/labels/programLabel'
import type { SearchKind } from '@shared/c64/search/searchMemory'
import type { Output } from '@shared/contract/contract'
import type { SourceCode } from '@shared/contract/labels'
import type { Checkpoint } from '@shared/contract/checkpoints'
import type { SourceName } from '@shared/contract/sourceLine'
import type { SourceText } from './read/tassCalls'
import { defineProtocol } from '../rpc/protocol'
import type { Segment } from './read/labelFile'

interface Of {
  readonly machine: string
}

interface ReadFile {
  readonly format: string
  readonly labels: number
  readonly lines: number
  readonly problem: string | null
}

export interface LabelsChannel {
  readonly requests: {
    /** Reads a file in place of what it had before. A file that cannot be read keeps what it had. */
    read(input: Of & { path: string; bytes: Uint8Array }): ReadFile
    /** Adds the lines that call macros, where only the sources tell them (64tass). @returns how many lines the file has now */
    addCalls(input: Of & { path: string; sources: readonly SourceText[] }): number
    /** Drops all files but these. @returns how many labels there are, each counted once */
    keep(input: Of & { paths: readonly string[] }): number
    search(input: Of & { text: string | null; limit: number }): ProgramLabel[]
    /** So many of all labels, in the order of their names. */
    page(input: Of & { from: number; limit: number }): ProgramLabel[]
    resolve(input: Of & { text: string; range: boolean }): Output<'labels.resolve'>
    /** Where `draw` or `draw+12` is, by the label’s full name; null where there is none, or several. */
    named(input: Of & { label: string }): number | null
    /** Where a checkpoint’s condition and message find the names that they use. @throws INVALID for what cannot be read */
    expressionNames(input: Of & Pick<Checkpoint, 'condition' | 'log'>): readonly NamedAddress[]
    /** The same for what memory is searched for. @throws INVALID for what cannot be read */
    queryNames(input: Of & { kind: SearchKind; query: string }): readonly NamedAddress[]
    sources(input: Of & { limit: number }): SourceName[]
    /** What debug files say their linkers placed where, from the lowest on. */
    segments(input: Of & { limit: number }): (Segment & { file: string })[]
    /** The innermost first. */
    sourcesAt(input: Of & { address: number }): (SourceName & { line: number })[]
    /** By line, then by address; null where the debug file does not name the source. */
    sourceCode(input: Of & SourceName & { limit: number }): SourceCode[] | null
    describe(input: Of & { locations: readonly number[] }): Output<'labels.describe'>['described']
  }
  readonly posts: object
  readonly notices: object
}

export const labelsProtocol = defineProtocol<LabelsChannel>('The reader of labels')
