import { create } from 'zustand'
import { toFailure, type Failure } from '@shared/contract/errors'
import {
  MAX_DIFFERENCES,
  type MemoryDifferences,
  type SnapshotOrigin,
  type SnapshotSource,
} from '@shared/contract/memorySnapshots'
import { call } from '../../../client/call'
import { useMachines } from '../../../client/machines'
import { usePlayback } from '../../../frames/shownMoment'
import { typedRange } from './search'

export type Side =
  | { readonly is: 'shown' }
  | { readonly is: 'machine'; readonly name: string }
  | { readonly is: 'snapshot'; readonly name: string }

interface Found extends MemoryDifferences {
  readonly machine: string
}

interface Comparison {
  readonly before: Side | null
  readonly after: Side
  /** As typed; empty for all memory. */
  readonly range: string
  readonly name: string
  readonly changes: number
  readonly isBusy: boolean
  readonly failure: Failure | null
  readonly found: Found | null
}

export const useComparison = create<Comparison>(() => ({
  before: null,
  after: { is: 'shown' },
  range: '',
  name: '',
  changes: 0,
  isBusy: false,
  failure: null,
  found: null,
}))

export const receiveSnapshotsChanged = (): void => useComparison.setState(({ changes }) => ({ changes: changes + 1 }))

export function shownOrigin(): SnapshotOrigin {
  const { shown } = usePlayback.getState()
  return shown ? { recording: shown.recording, time: shown.time } : { machine: useMachines.getState().front }
}

function sourceOf(side: Side): SnapshotSource {
  if (side.is === 'shown') return shownOrigin()
  return side.is === 'machine' ? { machine: side.name } : { snapshot: side.name }
}

let latest = 0

/** Drops an answer that a newer one has overtaken. */
export async function inComparison(work: () => Promise<Partial<Comparison>>): Promise<void> {
  const turn = ++latest
  useComparison.setState({ isBusy: true, failure: null })
  try {
    const change = await work()
    if (turn === latest) useComparison.setState(change)
  } catch (error) {
    if (turn === latest) useComparison.setState({ failure: toFailure(error) })
  } finally {
    if (turn === latest) useComparison.setState({ isBusy: false })
  }
}

export const compareNow = (before: Side, after: Side, range: string): Promise<void> =>
  inComparison(async () => {
    const { start, end } = typedRange(range)
    const within = range.trim() === '' ? [] : [{ address: start, length: end - start }]
    const sides = { before: sourceOf(before), after: sourceOf(after) }
    const machine = useMachines.getState().front
    return { found: { machine, ...(await call('snapshots.compare', { ...sides, within, limit: MAX_DIFFERENCES })) } }
  })
