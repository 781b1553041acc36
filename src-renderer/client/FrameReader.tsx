import { useEffect, useEffectEvent } from 'react'
import { frameNotes } from '@shared/c64/videoFrame/frameText'
import { Button } from '../widgets/Button'
import { Problem } from '../widgets/Problem'
import { perform, useActionLimit } from './actions'
import { useFrontMachine, useFrontName } from './machines'
import { timeOfDay } from '../widgets/times'
import { cancelVideoFrame, readVideoFrame, useVideoFrame, type ReadFrame } from './videoFrames'
import './frameReader.css'

/** Reads a frame: by itself where it comes in view and the machine runs, then on request. */
export function FrameReader({ visible }: { readonly visible: boolean }) {
  const limit = useActionLimit('sprites.readFrame')
  const { read, failure, isCancelled, isBusy } = useVideoFrame()
  const runs = useFrontMachine()?.execution === 'running'
  const machine = useFrontName()
  const readAgain = useEffectEvent(() => {
    if (visible && runs && limit === null && read !== null) void readVideoFrame()
  })
  useEffect(() => readAgain(), [visible, machine])
  const isUnread = read === null && failure === null && !isCancelled && !isBusy
  const isFirst = visible && runs && limit === null && isUnread
  useEffect(() => {
    if (isFirst) void readVideoFrame()
  }, [isFirst])
  return (
    <div className="frame-reader">
      {isBusy ? (
        <Button label="Cancel" onClick={cancelVideoFrame} />
      ) : (
        <Button label="Read a frame" why={limit} onClick={() => perform('sprites.readFrame')} />
      )}
      <span className="muted" role="status">
        {isBusy ? 'Following the next frame…' : read ? told(read) : runs ? '' : PAUSED}
      </span>
      <Problem failure={failure} />
    </div>
  )
}

const told = ({ frame, at }: ReadFrame): string => [`Read at ${timeOfDay(at)}.`, ...frameNotes(frame)].join(' ')

const PAUSED = 'The machine is paused. Reading a frame lets it run for up to two frames.'
