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
    /** A file that cannot be read keeps what it had before. */
    read(input: Of & { path: string; bytes: Uint8Array }): ReadFile
    /**
     * Only 64tass sources tell which lines call macros.
     * @returns how many lines the file has now
     */
    addCalls(input: Of & { path: string; sources: readonly SourceText[] }): number
    keep(input: Of & { paths: readonly string[] }): number
    search(input: Of & { text: string | null; limit: number }): ProgramLabel[]
    page(input: Of & { from: number; limit: number }): ProgramLabel[]
    resolve(input: Of & { text: string; range: boolean }): Output<'labels.resolve'>
    named(input: Of & { label: string }): number | null
    /** @throws INVALID for an unreadable condition or message */
    expressionNames(input: Of & Pick<Checkpoint, 'condition' | 'log'>): readonly NamedAddress[]
    /** @throws INVALID for what cannot be read */
    queryNames(input: Of & { kind: SearchKind; query: string }): readonly NamedAddress[]
    sources(input: Of & { limit: number }): SourceName[]
    segments(input: Of & { limit: number }): (Segment & { file: string })[]
    /** Innermost first. */
    sourcesAt(input: Of & { address: number }): (SourceName & { line: number })[]
    sourceCode(input: Of & SourceName & { limit: number }): SourceCode[] | null
    describe(input: Of & { locations: readonly number[] }): Output<'labels.describe'>['described']
  }
  readonly posts: object
  readonly notices: object
}

export const labelsProtocol = defineProtocol<LabelsChannel>('The reader of labels')
