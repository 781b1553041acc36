/**
 * What a person can do with a run. A format offers its actions and plans each as new texts of files, without touching a disk; what
 * writes them (`edit.ts`) plans again on what is there by then. One plan changes exactly the bytes that its action is about.
 */
import type { GitStep } from '@shared/gitStep'
import type { LockHolder } from './lockHolder'
import type { EditValues } from '@shared/contract/edits'

export interface ActionRequest {
  readonly name: string
  readonly target: string
  readonly values: EditValues
  /** When it is asked for, ms since 1970: what is written as its time. */
  readonly now: number
}

/** A file before and after; `null` where there is none. Paths are relative to the project, with `/`. */
export interface FileChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
  /** Set where either is not text: both are in base64 then, and nothing is merged into them. */
  readonly encoding?: 'base64' | undefined
  /** Of a new file: the one that it was before it was moved, which gives it its mode, and its times where the text is the same. */
  readonly from?: string | undefined
  /** Of a new file: the one that it is a copy of, which gives it its mode. */
  readonly like?: string | undefined
  /** Of a file that was deleted, or is there again: its mode. */
  readonly mode?: number | undefined
}

export interface ActionPlan {
  /** For the journal and the list of what can be undone, in the past tense: `Retried task 02-02`. */
  readonly summary: string
  /** In the order of writing. Empty when the action touches no file. */
  readonly changes: readonly FileChange[]
  /** What the person should know before it is written. */
  readonly warnings: readonly string[]
  /** What it found that is as it should be. */
  readonly notes?: readonly string[]
  /** Whom a lock names that is taken away: whether that process is alive belongs into the preview. */
  readonly holder?: LockHolder
  /** Done before the files are written. */
  readonly git?: GitStep
  /** What the format has no field for: kept in Bridgedeck's sidecar by name; `null` takes it away. */
  readonly remember?: Readonly<Record<string, string | null>>
}
