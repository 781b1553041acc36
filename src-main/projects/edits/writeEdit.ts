/**
 * A plan is agreed on by what it changes: when the files have moved on, it is made again, and written if it is still
 * the same change.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure, describeFailure } from '@shared/contract/errors'
import { compareAndSwap, mergeAndSwap, SwapConflict, type SwapOptions, type Swapped } from '../../files/compareAndSwap'
import type { ActionPlan, FileChange } from '../../formats/edit/action'
import { isDropped, mergedChange, movedTo, signatureOf } from './fieldChanges'
import { readStateFile } from '../read/readStateFile'

export interface Editing {
  /** Of the project, without symbolic links. */
  readonly root: string
  readonly isStrict: boolean
  /**
   * Made anew each time.
   * @throws AppError when it does not fit the files
   */
  readonly plan: () => Promise<ActionPlan>
  readonly signal?: AbortSignal
  readonly announceWrite?: ((change: FileChange) => Promise<() => void>) | undefined
}

interface WrittenEdit {
  readonly outcome: 'written'
  readonly plan: ActionPlan
  readonly swaps: readonly Swap[]
}

export type EditResult =
  | WrittenEdit
  | { readonly outcome: 'conflict'; readonly plan: ActionPlan | undefined; readonly reason: string }

export interface Swap {
  readonly change: FileChange
  readonly swapped: Swapped
}

export type Aftereffect =
  | { readonly kind: 'kept' }
  | { readonly kind: 'merged'; readonly plan: ActionPlan }
  | { readonly kind: 'overwritten'; readonly file: string; readonly theirs: string }
  /** Ours replaced its version before anybody could read it. */
  | { readonly kind: 'replaced'; readonly file: string }

/** A file that is just being written may become whole in this time. */
const HALF_WRITTEN_MS = 500
/** Least number of looks: on a busy computer one takes long, and so does the program that writes. */
const HALF_WRITTEN_LOOKS = 8
const RETRY_MS = 50
/** Only merged in this time; then the whole change is planned again. */
const MERGE_LIMIT_MS = 500
/** Tried so often even after the time limit: on a busy computer one attempt takes long. */
const MERGE_TRIES = 8
const MERGE_RETRY_MS = 10
const WRITE_LIMIT_MS = 10_000

/**
 * @param agreed signature of the plan that the person saw
 * @throws AppError what the disk does not allow; BUSY when others write all the time. Then nothing is changed, or the
 * error says what is.
 */
export const writeEdit = (editing: Editing, agreed: string): Promise<EditResult> =>
  untilWritten(editing, async () => {
    const planned = await planAgreed(editing, agreed)
    return 'reason' in planned ? { outcome: 'conflict', ...planned } : planned.plan
  })

/**
 * Writes the current plan, for a loop that nobody has to agree with.
 * @throws AppError as `plan` does, and as {@link writeEdit} does
 */
export const writePlanned = (editing: Editing): Promise<WrittenEdit> =>
  untilWritten<WrittenEdit>(editing, () => settledPlan(editing))

async function untilWritten<Result extends EditResult>(
  editing: Editing,
  planOrEnd: () => Promise<ActionPlan | Exclude<Result, WrittenEdit>>,
): Promise<Result | WrittenEdit> {
  const deadline = performance.now() + WRITE_LIMIT_MS
  while (performance.now() < deadline) {
    const planned = await planOrEnd()
    if ('outcome' in planned) return planned
    const swaps = await swapAll(editing, planned)
    if (swaps) return { outcome: 'written', plan: { ...planned, changes: swaps.map(({ change }) => change) }, swaps }
    await wait(Math.random() * RETRY_MS)
  }
  throw new AppError('BUSY', 'Nothing was written: other programs keep changing these files.', {
    hint: 'Try again when the agent pauses.',
  })
}

/** @throws AppError where the plan does not fit the files, unless one was just being written */
export async function settledPlan({ plan }: Editing): Promise<ActionPlan> {
  const isOver = startLooking()
  for (;;) {
    try {
      return await plan()
    } catch (error) {
      // INVALID means that its values do not fit, and never will.
      if (!isRefusal(error) || error.code === 'INVALID' || isOver()) throw error
      await pause()
    }
  }
}

function startLooking(): () => boolean {
  const deadline = performance.now() + HALF_WRITTEN_MS
  let looks = 0
  return () => ++looks >= HALF_WRITTEN_LOOKS && performance.now() >= deadline
}

const pause = () => wait(RETRY_MS * (0.5 + Math.random()))

const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && ['INVALID', 'CONFLICT', 'NOT_FOUND'].includes(error.code)

/** What is half written now may be whole a moment later, and then be what was agreed on. */
async function planAgreed(
  { plan }: Editing,
  agreed: string,
): Promise<{ plan: ActionPlan } | { plan: ActionPlan | undefined; reason: string }> {
  const isOver = startLooking()
  for (;;) {
    const planned = await plan().catch((error: unknown) => {
      if (isRefusal(error)) return error
      throw error
    })
    if (!(planned instanceof AppError) && signatureOf(planned) === agreed) return { plan: planned }
    if (isOver()) {
      if (!(planned instanceof AppError))
        return {
          plan: planned,
          reason: 'The change is a different one now: its files changed since this preview.',
        }
      return { plan: undefined, reason: describeFailure(planned) }
    }
    await pause()
  }
}

/** Writes all of a plan's files in their order, or none; undefined when another program came first. */
async function swapAll(
  { root, isStrict, signal, announceWrite }: Editing,
  { changes }: ActionPlan,
): Promise<Swap[] | undefined> {
  const options = { root, isStrict, ...(signal ? { signal } : {}) }
  const done: Swap[] = []
  for (const change of changes) {
    try {
      const noteWritten = await announceWrite?.(change)
      done.push(await swapOrMerge(change, options))
      noteWritten?.()
    } catch (error) {
      const left = await undoAll(done, options)
      if (left.length > 0) {
        throw new AppError(
          'CONFLICT',
          `${toFailure(error).message} Already written, then changed by another program, so left as they are: ${left.join(', ')}.`,
          {
            hint: 'Check these files. The list of edits has their previous content.',
            cause: error,
          },
        )
      }
      if (error instanceof SwapConflict) return undefined
      throw error
    }
  }
  return done
}

/**
 * On a changed file only this change is made again: a plan of the whole run takes longer than a busy agent leaves a
 * file alone.
 * @throws SwapConflict when it is another change by now, or others write all the time
 */
async function swapOrMerge(change: FileChange, options: SwapOptions): Promise<Swap> {
  const deadline = performance.now() + MERGE_LIMIT_MS
  let conflict: SwapConflict
  try {
    const swapped = await compareAndSwap(change, options)
    return { change: swapped.mode === undefined ? change : { ...change, mode: swapped.mode }, swapped }
  } catch (error) {
    if (!(error instanceof SwapConflict) || change.encoding !== undefined) throw error
    conflict = error
  }
  for (let tries = 0; tries < MERGE_TRIES || performance.now() < deadline; tries++) {
    try {
      let merged: FileChange | undefined
      const merge = (now: string) => (merged = mergedChange(change, now))?.after ?? undefined
      const swapped = await mergeAndSwap(change.file, merge, options)
      if (swapped && merged) return { change: merged, swapped }
    } catch (error) {
      if (!(error instanceof SwapConflict)) throw error
    }
    await wait(Math.random() * MERGE_RETRY_MS)
  }
  throw conflict
}

async function undoAll(
  done: readonly Swap[],
  options: { readonly root: string; readonly isStrict: boolean },
): Promise<string[]> {
  const left: string[] = []
  const changes = done.map(({ change }) => change)
  for (const { file, before, after, encoding, mode } of [...changes].reverse()) {
    const from = movedTo(file, changes)
    await compareAndSwap({ file, before: after, after: before, encoding, from, mode }, options).catch(() =>
      left.push(file),
    )
  }
  return left
}

export async function settleEdit(editing: Editing, agreed: string, swaps: readonly Swap[]): Promise<Aftereffect> {
  const found = await Promise.all(
    swaps.map(async ({ change, swapped }) => ({ change, aftermath: await swapped.aftermath })),
  )
  let result: Aftereffect = { kind: 'kept' }
  for (const { change, aftermath } of found) {
    // Only text is merged.
    if (aftermath?.kind === 'replaced' || (aftermath && change.encoding !== undefined))
      result = { kind: 'replaced', file: change.file }
    else if (aftermath) result = await mergeTheirs(editing, agreed, change, aftermath.theirs)
  }
  return result
}

async function mergeTheirs(
  editing: Editing,
  agreed: string,
  { file, before, after }: FileChange,
  theirs: string,
): Promise<Aftereffect> {
  const { root, isStrict } = editing
  try {
    await compareAndSwap({ file, before: after, after: theirs }, { root, isStrict })
  } catch (error) {
    if (!(error instanceof SwapConflict)) throw error
    const { text } = await readStateFile(root, file)
    return isDropped({ file, before, after }, text) ? { kind: 'overwritten', file, theirs } : { kind: 'kept' }
  }
  const again = await writeEdit(editing, agreed)
  if (again.outcome === 'conflict') return { kind: 'overwritten', file, theirs }
  const later = await settleEdit(editing, agreed, again.swaps)
  return later.kind === 'kept' ? { kind: 'merged', plan: again.plan } : later
}
