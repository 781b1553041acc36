import { create } from 'zustand'
import { AppError } from '@shared/contract/errors'
import type { Mark } from '@shared/contract/recorder'
import { call } from '../client/call'
import { requireFront } from '../client/machineControl'
import { attempt, notify } from '../client/messages'
import { frames } from './frames'
import { usePlayback } from './shownMoment'
import { markFrom } from './markSteps'
import { scrubTo, showRecording, useTimeline } from './timeline'

interface Marks {
  readonly marks: readonly Mark[]
  readonly chosen: number | null
  readonly text: string
}

export const useMarks = create<Marks>(() => ({ marks: [], chosen: null, text: '' }))

const ABOUT_MARKS = 'mark'
const UNNAMED = 'Mark'

let loading: Promise<void> | null = null
let isStale = false

function load(): Promise<void> {
  isStale = true
  return (loading ??= loadUntilFresh().finally(() => (loading = null)))
}

async function loadUntilFresh(): Promise<void> {
  while (isStale) {
    isStale = false
    const recording = useTimeline.getState().info?.recording
    const { marks } = recording === undefined ? { marks: [] } : await call('recorder.marks', { recording })
    if (recording === useTimeline.getState().info?.recording) useMarks.setState({ marks })
  }
}

export function followMarks(): void {
  useTimeline.subscribe(({ info }, before) => {
    if (info?.recording === before.info?.recording) return
    useMarks.setState({ marks: [], chosen: null })
    attempt(load)
  })
}

export function receiveMarked({ recording }: { readonly recording: string }): void {
  if (recording === useTimeline.getState().info?.recording) attempt(load)
}

export function chooseMark({ mark, time }: Mark): void {
  useMarks.setState({ chosen: mark })
  scrubTo(time)
}

export async function scrubToMark(step: 1 | -1): Promise<void> {
  await loading
  const { shown } = usePlayback.getState()
  const recording = useTimeline.getState().info?.recording
  const mark = markFrom(useMarks.getState().marks, shown?.recording === recording ? shown : null, step)
  if (mark) scrubTo(mark.time)
  else notify(`No mark ${step === 1 ? 'after' : 'before'} this moment.`, null, null, ABOUT_MARKS)
}

/**
 * Marks the recorded moment that is shown, else the newest frame in the recordings being made.
 * @throws AppError CONFLICT where there are none
 */
export async function markThisMoment(): Promise<void> {
  const text = useMarks.getState().text.trim() || UNNAMED
  const { shown } = usePlayback.getState()
  const recordings = shown ? [shown.recording] : await markMachine(text)
  if (shown) await call('recorder.addMark', { recording: shown.recording, time: shown.time, text, value: null })
  const [recording] = recordings
  if (recording === undefined)
    throw new AppError('CONFLICT', 'No recording is running.', {
      hint: 'Start a recording, or show a moment of one.',
    })
  useMarks.setState({ text: '' })
  const show = { label: 'Show in Timeline', run: () => attempt(() => showRecording(recording)) }
  notify(`Marked in ${recordings.join(', ')}: ${text}`, null, show, ABOUT_MARKS)
}

async function markMachine(text: string): Promise<readonly string[]> {
  const time = frames.time > 0 ? { time: frames.time } : {}
  return (await call('recorder.markMachine', { machine: requireFront(), ...time, text, value: null })).recordings
}
