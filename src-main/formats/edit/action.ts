/**
 * What a person can do with a run. A format offers its actions and plans each as new texts of files, without touching a disk; what
 * writes them (`edit.ts`) plans again on what is there by then. One plan changes exactly the bytes that its action is about.
 */
import type { GitStep } from '@shared/gitStep'
import type { LockHolder } from './lockHolder'
import type { ValueSource } from '@shared/contract/orchestration'

/** One input of an action's form. `value` is what stands in it at first. */
export type ActionField = {
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly optional?: boolean
} & (
  | { readonly kind: 'line' | 'text'; readonly value: string; readonly suggestions?: readonly string[] }
  | {
      readonly kind: 'number'
      readonly value: number | null
      readonly minimum?: number
      readonly maximum?: number
      readonly step?: number
    }
  | { readonly kind: 'choice'; readonly value: string | null; readonly options: readonly ActionOption[] }
  | { readonly kind: 'several'; readonly value: readonly string[]; readonly options: readonly ActionOption[] }
)

export interface ActionOption {
  readonly value: string
  readonly label: string
}

export interface Action {
  /** `answer`, `retry-task` …; unique in a run together with `target`. */
  readonly name: string
  /** Key of a task or phase, path of a question file, id of a fix …; empty for the run as a whole. */
  readonly target: string
  /** Says what it does: `Retry task 02-02`. */
  readonly title: string
  /** What it changes and what happens then, in a sentence. */
  readonly effect: string
  readonly fields: readonly ActionField[]
  /** Where the thing stands that it is about; that of a {@link Need} when it answers one. */
  readonly source: ValueSource
  /** It answers the need with this source. */
  readonly answersNeed: boolean
}

/** Values of the form by field: text, number, or the values chosen of several. An optional field left empty is not there. */
export type ActionValues = Readonly<Record<string, string | number | readonly string[]>>

export interface ActionRequest {
  readonly name: string
  readonly target: string
  readonly values: ActionValues
  /** When it is asked for, ms since 1970: what is written as its time. */
  readonly now: number
}

/** A text file before and after; `null` where there is none. Paths are relative to the project, with `/`. */
export interface FileChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

export interface ActionPlan {
  /** For the journal and the list of what can be undone, in the past tense: `Retried task 02-02`. */
  readonly summary: string
  /** In the order of writing. Empty when the action touches no file. */
  readonly changes: readonly FileChange[]
  /** What the person should know before it is written. */
  readonly warnings: readonly string[]
  /** Whom a lock names that is taken away: whether that process is alive belongs into the preview. */
  readonly holder?: LockHolder
  /** Done before the files are written. */
  readonly git?: GitStep
  /** What the format has no field for: kept in Bridgedeck's sidecar by name; `null` takes it away. */
  readonly remember?: Readonly<Record<string, string | null>>
}
