import { useEffect, useEffectEvent } from 'react'
import type { ActionId } from '@shared/actions'
import { Button } from '../widgets/Button'
import { Problem } from '../widgets/Problem'
import { timeOfDay } from '../widgets/times'
import { perform, useActionLimit } from './actions'
import type { FrameReads } from './frameReads'
import { useFrontMachine, useFrontName } from './machines'
import './frameReader.css'

interface FrameReaderProps<Frame> {
  readonly visible: boolean
  readonly reads: FrameReads<Frame>
  readonly action: ActionId
  readonly notesOf: (frame: Frame) => readonly string[]
}

export function FrameReader<Frame>({ visible, reads, action, notesOf }: FrameReaderProps<Frame>) {
  const limit = useActionLimit(action)
  const { read, failure, isCancelled, isBusy } = reads.useFrame()
  const runs = useFrontMachine()?.execution === 'running'
  const machine = useFrontName()
  const readAgain = useEffectEvent(() => {
    if (visible && runs && limit === null && read !== null) void reads.readNext()
  })
  useEffect(() => readAgain(), [visible, machine])
  const isUnread = read === null && failure === null && !isCancelled && !isBusy
  const isFirst = visible && runs && limit === null && isUnread
  useEffect(() => {
    if (isFirst) void reads.readNext()
  }, [isFirst, reads])
  const told = read ? [`Read at ${timeOfDay(read.at)}.`, ...notesOf(read.frame)].join(' ') : runs ? '' : PAUSED
  return (
    <div className="frame-reader">
      {isBusy ? (
        <Button label="Cancel" onClick={reads.cancel} />
      ) : (
        <Button label="Read a frame" why={limit} onClick={() => perform(action)} />
      )}
      <span className="muted" role="status">
        {isBusy ? 'Following the next frame…' : told}
      </span>
      <Problem failure={failure} />
    </div>
  )
}

const PAUSED = 'The machine is paused. Reading a frame lets it run for up to two frames.'
