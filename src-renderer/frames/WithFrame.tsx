import type { ReactNode } from 'react'
import { useLack } from '../client/machines'
import { NotHere } from '../client/NotHere'
import { EmptyState } from '../widgets/EmptyState'
import { usePlayback } from './shownMoment'

interface WithFrameProps {
  readonly what: string
  readonly capability?: 'videoFrame' | 'rasterFrame'
  readonly unknown: string
  readonly children: ReactNode
}

export function WithFrame({ what, capability = 'videoFrame', unknown, children }: WithFrameProps) {
  const lack = useLack(capability)
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  if (isRecorded)
    return (
      <div className="view-content">
        <EmptyState title="No frame of a recorded moment">
          <p>A recorded moment is one image of memory: {unknown} is unknown.</p>
        </EmptyState>
      </div>
    )
  return lack === null ? children : <NotHere what={what} why={lack} />
}
