/** Pure: the store beside it does the writing. */
import { formatAddress } from '@shared/c64/address'
import type { Failure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import * as steps from '@shared/graphics/edit/steps'

export interface Edit {
  readonly machine: string
  readonly space: Space
  readonly address: number
  /** As long as `after`. */
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** Undone as one: one range, or those that bytes were moved from and to. */
export type Step = readonly Edit[]

/** An edit that did not reach the machine; what stood there may not be known. */
export interface FailedEdit {
  readonly edit: Omit<Edit, 'before'>
  readonly failure: Failure
}

export interface History {
  /** The last step is undone first. */
  readonly done: readonly Step[]
  readonly undone: readonly Step[]
  readonly failed: readonly FailedEdit[]
}

const MAX_NAMED_BYTES = 4

const bytesText = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, MAX_NAMED_BYTES)].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ') +
  (bytes.length > MAX_NAMED_BYTES ? '…' : '')

/** `$D020: 0E → 06`: what a step changed. */
export const stepText = (step: Step): string =>
  step
    .map(({ address, before, after }) => `${formatAddress(address)}: ${bytesText(before)} → ${bytesText(after)}`)
    .join(', ')

export const emptyHistory: History = { done: [], undone: [], failed: [] }

export const withStep = (history: History, step: Step): History => ({ ...history, ...steps.withStep(history, step) })

export const withUndone = (history: History): History => ({ ...history, ...steps.withUndone(history) })

export const withRedone = (history: History): History => ({ ...history, ...steps.withRedone(history) })

/** A later try at the same bytes replaces the one before. */
export const withFailed = (history: History, failed: FailedEdit): History => ({
  ...history,
  failed: [...history.failed.filter(({ edit }) => !sameBytes(edit, failed.edit)), failed],
})

export const withoutFailed = (history: History, failed: FailedEdit): History => ({
  ...history,
  failed: history.failed.filter((other) => other !== failed),
})

/** What a machine refuses for good, such as writing to ROM, it refuses again. */
export const canTryAgain = ({ failure }: FailedEdit): boolean => failure.code !== 'UNSUPPORTED'

/** @param ramLimit why the machine does not reach the RAM under the ROM */
export const inRamInstead = ({ edit, failure }: FailedEdit, ramLimit: string | null): FailedEdit['edit'] | null =>
  edit.space === 'rom' && failure.code === 'UNSUPPORTED' && ramLimit === null ? { ...edit, space: 'ram' } : null

const sameBytes = (one: FailedEdit['edit'], other: FailedEdit['edit']): boolean =>
  one.machine === other.machine &&
  one.space === other.space &&
  one.address === other.address &&
  one.after.length === other.after.length

export function historyLimit(next: Step | undefined, machine: string, nothing: string): string | null {
  const other = next?.[0]?.machine
  if (other === undefined) return nothing
  return other === machine ? null : `The last edit was in ${other}. Choose that machine first.`
}
