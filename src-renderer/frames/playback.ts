import type { Moment, RecordingInfo } from '@shared/contract/recorder'
import { call } from '../client/call'
import { frames } from './frames'
import { holdFrames } from './liveFrames'
import { useMachines } from '../client/machines'
import { attempt } from '../client/messages'
import { usePlayback } from './shownMoment'

/**
 * Below the epochs of all live frames. A new one for each recording, and where other bytes become known, as the old
 * ones must not stay.
 */
let epoch = -2
let wanted: { readonly info: RecordingInfo; readonly time: number } | null = null
let isFetching = false
let layout = ''
/** Counts the returns to live, so that a moment still on its way is not shown after one. */
let left = 0

/** While one moment is on its way, only the last one asked for counts. */
export function showMoment(info: RecordingInfo, time: number): void {
  wanted = { info, time }
  usePlayback.setState({ asked: time })
  if (!isFetching) attempt(fetchMoments)
}

async function fetchMoments(): Promise<void> {
  isFetching = true
  try {
    while (wanted) {
      const wasLeft = left
      const { info, time } = wanted
      wanted = null
      const { recording, spaces, picture } = info
      const moment = await call('recorder.imageAt', { recording, time, spaces, picture })
      if (wasLeft !== left) continue
      show(recording, moment)
    }
  } finally {
    isFetching = false
    usePlayback.setState({ asked: null })
  }
}

function show(recording: string, { time, next, frame, segments, registers, picture }: Moment): void {
  holdFrames(true)
  const known = [
    recording,
    ...segments.map(({ space, address, bytes }) => `${space} ${address} ${bytes.length}`),
    picture?.height,
  ].join()
  if (known !== layout) epoch--
  layout = known
  const machine = useMachines.getState().front
  frames.apply({
    kind: 'frame',
    frame: { machine, epoch, seq: frame, time, segments, registers, ...(picture ? { picture } : {}) },
    sameAsRam: [],
    dropped: 0,
  })
  usePlayback.setState({ shown: { recording, time, next } })
}

export function backToLive(): void {
  wanted = null
  left++
  if (usePlayback.getState().shown === null) return
  layout = ''
  usePlayback.setState({ shown: null })
  holdFrames(false)
}

useMachines.subscribe((state, before) => {
  if (state.front !== before.front) backToLive()
})

window.addEventListener('keydown', (event) => {
  const { target } = event
  const isTaken =
    target instanceof Element && target.closest('input:not([type=range]), select, textarea, [role=dialog]') !== null
  if (event.key === 'Escape' && !event.defaultPrevented && !isTaken) backToLive()
})
