import { create } from 'zustand'
import { toFailure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { call } from '../../client/call'
import { frames } from '../../frames/frames'
import { reportError } from '../../client/messages'
import { requireLive } from '../../frames/shownMoment'
import type { Overlay } from './hexGrid/hexConfig'
import {
  canTryAgain,
  emptyHistory,
  inRamInstead,
  withFailed,
  withoutFailed,
  withRedone,
  withStep,
  withUndone,
  type Edit,
  type FailedEdit,
  type History,
  type Step,
} from './history'

/** Kept while the view is closed. */
export const useEdits = create<History>(() => emptyHistory)

const change = (next: (history: History) => History): void => useEdits.setState(next, true)

type Bytes = FailedEdit['edit']

/** Typed bytes are shown in place of the machine's: under way, refused, or written after the last frame. */
interface Shown {
  readonly bytes: Bytes
  readonly state: Overlay['state']
  /** The newest frame when the bytes were written; a later one shows the machine's own. */
  readonly since: number
}

let shown: readonly Shown[] = []

const isOver = ({ state, since }: Shown): boolean => state === 'written' && since !== frames.seq

export function hasOverlays(): boolean {
  if (shown.some(isOver)) shown = shown.filter((each) => !isOver(each))
  return shown.length > 0
}

export function overlayAt(machine: string, space: Space, address: number): Overlay | undefined {
  const found = shown.findLast(({ bytes }) => holds(bytes, { machine, space, address, length: 1 }))
  const value = found?.bytes.after[address - found.bytes.address]
  return found === undefined || value === undefined ? undefined : { value, state: found.state }
}

interface Place {
  readonly machine: string
  readonly space: Space
  readonly address: number
  readonly length: number
}

const holds = (outer: Bytes, { machine, space, address, length }: Place): boolean =>
  outer.machine === machine &&
  outer.space === space &&
  outer.address <= address &&
  address + length <= outer.address + outer.after.length

function show(bytes: Bytes, state: Overlay['state']): void {
  const isCovered = ({ bytes: other }: Shown) => holds(bytes, { ...other, length: other.after.length })
  shown = [...shown.filter((each) => !isCovered(each)), { bytes, state, since: frames.seq }]
  frames.requestDraw()
}

/** Edits reach the machine one after the other, in the order in which they were typed. */
let queue: Promise<void> = Promise.resolve()

function enqueue(work: () => Promise<void>): Promise<void> {
  queue = queue.then(work)
  return queue
}

/** After a failure the bytes stay as typed, marked, until they are tried again or given up. */
export const writeBytes = (edit: Bytes): Promise<void> => writeStep([edit])

/** Undone as one step. What follows a failed write is not written. */
export function writeStep(edits: readonly Bytes[]): Promise<void> {
  try {
    requireLive()
  } catch (error) {
    reportError(error)
    return Promise.resolve()
  }
  for (const edit of edits) show(edit, 'underWay')
  return enqueue(() => carryOut(edits))
}

async function carryOut(edits: readonly Bytes[]): Promise<void> {
  const step: Edit[] = []
  for (const edit of edits) {
    const { machine, space, address, after } = edit
    try {
      const { bytes: before } = await call('memory.read', { machine, space, address, length: after.length })
      await call('memory.write', { machine, space, address, bytes: after })
      step.push({ ...edit, before })
      show(edit, 'written')
    } catch (error) {
      change((history) => withFailed(history, { edit, failure: toFailure(error) }))
      show(edit, 'failed')
      for (const later of edits.slice(edits.indexOf(edit) + 1)) hide(later)
      break
    }
  }
  if (step.length > 0) change((history) => withStep(history, step))
}

/** Rejects with the AppError of the write; the step then stays undoable. */
export function undo(): Promise<void> {
  return replay(() => useEdits.getState().done.at(-1), 'before', withUndone)
}

export function redo(): Promise<void> {
  return replay(() => useEdits.getState().undone.at(-1), 'after', withRedone)
}

function replay(
  pick: () => Step | undefined,
  which: 'before' | 'after',
  next: (history: History) => History,
): Promise<void> {
  return new Promise((resolve, reject) => {
    void enqueue(async () => {
      const step = pick() ?? []
      try {
        for (const edit of which === 'before' ? step.toReversed() : step) {
          const { machine, space, address } = edit
          await call('memory.write', { machine, space, address, bytes: edit[which] })
          show({ machine, space, address, after: edit[which] }, 'written')
        }
        if (step.length > 0) change(next)
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
        return
      }
      resolve()
    })
  })
}

function hide(bytes: Bytes): void {
  shown = shown.filter(({ bytes: other }) => other !== bytes)
}

/** Only edits that another try may help; the rest stay failed. */
export function retryFailed(): void {
  again((failed) => (canTryAgain(failed) ? failed.edit : null))
}

export function writeFailedToRam(): void {
  again((failed) => inRamInstead(failed, null))
}

function again(editFor: (failed: FailedEdit) => Bytes | null): void {
  for (const failed of useEdits.getState().failed) {
    const edit = editFor(failed)
    if (!edit) continue
    hide(failed.edit)
    change((history) => withoutFailed(history, failed))
    void writeBytes(edit)
  }
}

export function discardFailed(): void {
  for (const failed of useEdits.getState().failed) {
    hide(failed.edit)
    change((history) => withoutFailed(history, failed))
  }
  frames.requestDraw()
}
