/**
 * A format plans an action as new file texts without touching a disk; `edit.ts` plans again on what is there when it
 * writes. A plan changes exactly the bytes that its action is about.
 */
import type { GitStep } from '@shared/gitStep'
import type { LockHolder } from './lockHolder'
import type { EditValues } from '@shared/contract/edits'

export interface ActionRequest {
  readonly name: string
  readonly target: string
  readonly values: EditValues
  readonly now: number
}

/** `null` where there is no file. Paths are relative to the project, with `/`. */
export interface FileChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
  /** Set where either is binary: both are base64 then, and never merged. */
  readonly encoding?: 'base64' | undefined
  /** For a new file: the file it is moved from. Keeps its mode, and its times where the text is the same. */
  readonly from?: string | undefined
  readonly like?: string | undefined
  readonly mode?: number | undefined
}

export interface ActionPlan {
  readonly summary: string
  readonly changes: readonly FileChange[]
  readonly warnings: readonly string[]
  readonly notes?: readonly string[]
  readonly holder?: LockHolder
  readonly git?: GitStep
  /** Values without a field in the format: kept in Bridgedeck's sidecar; `null` removes one. */
  readonly remember?: Readonly<Record<string, string | null>>
}
