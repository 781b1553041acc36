import { create } from 'zustand'
import { formatAddress } from '@shared/c64/address'
import type { Space } from '@shared/contract/memory'
import type { RecordingInfo, RecordingSummary } from '@shared/contract/recorder'
import type { Output } from '@shared/contract/contract'
import { call } from '../client/call'
import { showMoment } from './playback'
import { usePlayback } from './shownMoment'
import { choose as chooseOption, chosenNow } from '../client/chosen'
import { moveCursorTo } from '../client/memoryCursor'
import { attempt, endMessages, notify } from '../client/messages'
import { showView } from '../client/navigation'

const CHART_POINTS = 1000

export type Values = Output<'recorder.values'>

interface Timeline {
  readonly recordings: readonly RecordingSummary[]
  readonly info: RecordingInfo | null
  /** What is exported as a span, ms since 1970; null for the recording's end. */
  readonly part: { readonly from: number | null; readonly to: number | null }
  readonly beside: readonly TimelineByte[]
}

export interface TimelineByte {
  readonly space: Space
  readonly address: number
}

export const WHOLE_RECORDING: Timeline['part'] = { from: null, to: null }

export const useTimeline = create<Timeline>(() => ({ recordings: [], info: null, part: WHOLE_RECORDING, beside: [] }))

export async function refresh(): Promise<void> {
  const { recordings } = await call('recorder.list', {})
  useTimeline.setState({ recordings })
  const chosen = useTimeline.getState().info?.recording
  const next =
    recordings.find(({ recording }) => recording === chosen) ?? recordings.find(({ problem }) => problem === null)
  if (next === undefined) useTimeline.setState({ info: null })
  else await choose(next.recording)
}

export async function choose(recording: string): Promise<void> {
  const info = await call('recorder.info', { recording })
  const isAnother = useTimeline.getState().info?.recording !== recording
  useTimeline.setState({ info, ...(isAnother ? { part: WHOLE_RECORDING, beside: [] } : {}) })
}

export async function showRecording(recording: string): Promise<void> {
  await choose(recording)
  await showView('timeline')
}

export async function showRecordingAt(
  recording: string,
  bytes: readonly TimelineByte[],
  span: { readonly from: number; readonly to: number },
): Promise<void> {
  await choose(recording)
  const [first] = bytes
  if (first) showByte(first)
  useTimeline.setState({ part: span, beside: bytes.length > 1 ? bytes : [] })
  await showView('timeline')
  scrubTo(span.from)
}

export function showByte({ space, address }: TimelineByte): void {
  moveCursorTo(address)
  chooseOption('memory.space', space === 'colorRam' ? 'cpu' : space)
}

export const forgetByte = (gone: TimelineByte): void =>
  useTimeline.setState(({ beside }) => ({ beside: beside.filter((byte) => byte !== gone) }))

export function useShownTime(): number | undefined {
  const recording = useTimeline(({ info }) => info?.recording)
  return usePlayback(({ shown }) => (shown?.recording === recording ? shown?.time : undefined))
}

export function scrubByFrame(step: 1 | -1): void {
  const { shown } = usePlayback.getState()
  const time = shownTime()
  if (time === undefined) scrubTo(Infinity)
  // Times have fractions down to a µs.
  else if (step === -1) scrubTo(time - 0.001)
  else if (shown && shown.next !== null) scrubTo(shown.next)
}

function shownTime(): number | undefined {
  const { shown } = usePlayback.getState()
  return shown?.recording === useTimeline.getState().info?.recording ? shown?.time : undefined
}

export function scrubTo(time: number): void {
  const { info } = useTimeline.getState()
  if (!info || info.from === null || info.to === null) return
  showMoment(info, Math.min(info.to, Math.max(info.from, time)))
}

export async function scrubToChange(space: Space, address: number, step: 1 | -1): Promise<void> {
  const { info } = useTimeline.getState()
  if (!info || info.from === null || info.to === null) return
  const now = shownTime() ?? (step === 1 ? info.from : info.to)
  const span = step === 1 ? { from: now + 0.001 } : { to: now - 0.001 }
  const { changes } = await call('recorder.changes', {
    recording: info.recording,
    space,
    address,
    ...span,
    order: step === 1 ? 'first' : 'last',
    limit: 1,
  })
  const [change] = changes
  if (change) scrubTo(change.time)
  else await explainNoChange(info.recording, space, address, step)
}

async function explainNoChange(recording: string, space: Space, address: number, step: 1 | -1): Promise<void> {
  const name = formatAddress(address)
  const { total, damages } = await call('recorder.changes', { recording, space, address, order: 'first', limit: 1 })
  if (total > 0 || damages.length > 0) {
    notify(`${name} did not change ${step === 1 ? 'again' : 'before'} in this recording.`)
    return
  }
  const { bytes } = await call('recorder.mostChanged', { recording, space, limit: 1 })
  const [other] = bytes
  notify(
    `${name} did not change in this recording.`,
    null,
    other
      ? { label: `Show a change of ${formatAddress(other.address)}`, run: () => showChangeOf(other.address) }
      : null,
    ABOUT_NO_CHANGE,
  )
}

const ABOUT_NO_CHANGE = 'no change'

export function showChangeOf(address: number): void {
  endMessages(ABOUT_NO_CHANGE)
  moveCursorTo(address)
  attempt(async () => {
    const { info } = useTimeline.getState()
    if (!info) return
    const space = chosenNow('memory.space')
    const first = { recording: info.recording, space, address, order: 'first', limit: 1 } as const
    const [change] = (await call('recorder.changes', first)).changes
    if (change) scrubTo(change.time)
  })
}

export const valuesOf = (recording: string, space: Space, address: number): Promise<Values> =>
  call('recorder.values', { recording, space, address, points: CHART_POINTS })

export function setPartEnd(end: 'from' | 'to'): void {
  const time = shownTime()
  if (time === undefined) return
  useTimeline.setState(({ part: { from, to } }) => ({
    part:
      end === 'from'
        ? { from: time, to: to !== null && to < time ? null : to }
        : { from: from !== null && from > time ? null : from, to: time },
  }))
}

export async function remove(recording: string): Promise<void> {
  await call('tasks.delete', { id: recording })
  useTimeline.setState({ info: null })
  await refresh()
}
