import { create } from 'zustand'
import { toFailure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { call } from '../../client/call'
import { frames } from '../../frames/frames'
import { reportError } from '../../client/messages'
import { requireLive } from '../../frames/playback'
import type { Overlay } from './hexGrid/hexPane'
import {
  canTryAgain,
  emptyHistory,
  inRamInstead,
  withEdit,
  withFailed,
  withoutFailed,
  withRedone,
  withUndone,
  type FailedEdit,
  type History,
} from './history'

/** The edits of this window, for every machine; kept while the view is closed. */
export const useEdits = create<History>(() => emptyHistory)

const change = (next: (history: History) => History): void => useEdits.setState(next, true)

/** A typed byte is shown in place of the machine's: under way, refused, or written after the last frame. */
interface Shown extends Overlay {
  /** The frame that was newest when the byte was written; a later one shows the machine's own. */
  readonly since: number
}

const shown = new Map<string, Shown>()
const keyOf = (machine: string, space: Space, address: number): string => `${machine} ${space} ${address}`

export const hasOverlays = (): boolean => shown.size > 0

export function overlayAt(machine: string, space: Space, address: number): Overlay | undefined {
  const key = keyOf(machine, space, address)
  const overlay = shown.get(key)
  if (overlay?.state !== 'written' || overlay.since === frames.seq) return overlay
  shown.delete(key)
  return undefined
}

function show({ machine, space, address, after }: FailedEdit['edit'], state: Overlay['state']): void {
  after.forEach((value, offset) =>
    shown.set(keyOf(machine, space, address + offset), { value, state, since: frames.seq }),
  )
  frames.requestDraw()
}

/** Edits reach the machine one after the other, in the order they were typed. */
let queue: Promise<void> = Promise.resolve()

function enqueue(work: () => Promise<void>): Promise<void> {
  queue = queue.then(work)
  return queue
}

/** Writes what was typed. When it fails, the bytes stay as typed, marked, until they are tried again or given up. */
export function writeBytes(edit: FailedEdit['edit']): Promise<void> {
  try {
    requireLive()
  } catch (error) {
    reportError(error)
    return Promise.resolve()
  }
  show(edit, 'underWay')
  return enqueue(() => carryOut(edit))
}

async function carryOut(edit: FailedEdit['edit']): Promise<void> {
  const { machine, space, address, after } = edit
  try {
    const { bytes: before } = await call('memory.read', { machine, space, address, length: after.length })
    await call('memory.write', { machine, space, address, bytes: after })
    change((history) => withEdit(history, { ...edit, before }))
    show(edit, 'written')
  } catch (error) {
    change((history) => withFailed(history, { edit, failure: toFailure(error) }))
    show(edit, 'failed')
  }
}

/** Puts back what stood there before the last edit. Rejects with the AppError of the write, and the edit stays undoable. */
export function undo(): Promise<void> {
  return replay(() => useEdits.getState().done.at(-1), 'before', withUndone)
}

export function redo(): Promise<void> {
  return replay(() => useEdits.getState().undone.at(-1), 'after', withRedone)
}

function replay(
  pick: () => History['done'][number] | undefined,
  which: 'before' | 'after',
  next: (history: History) => History,
): Promise<void> {
  return new Promise((resolve, reject) => {
    void enqueue(async () => {
      const edit = pick()
      if (edit) {
        try {
          const { machine, space, address } = edit
          await call('memory.write', { machine, space, address, bytes: edit[which] })
          change(next)
          show({ machine, space, address, after: edit[which] }, 'written')
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
          return
        }
      }
      resolve()
    })
  })
}

function hide({ machine, space, address, after }: FailedEdit['edit']): void {
  after.forEach((_, offset) => shown.delete(keyOf(machine, space, address + offset)))
}

/** Tries again what another try may help; the rest stays failed. */
export function retryFailed(): void {
  again((failed) => (canTryAgain(failed) ? failed.edit : null))
}

/** Writes what was meant for ROM to the RAM under it. */
export function writeFailedToRam(): void {
  again((failed) => inRamInstead(failed, null))
}

function again(editFor: (failed: FailedEdit) => FailedEdit['edit'] | null): void {
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
