import { useCallback, useEffect, useRef, type RefObject } from 'react'
import type { Space } from '@shared/contract/memory'
import { frames, useDraw } from '../../frames/frames'
import { newestChange, programCounter, type Follow } from './follow'
import type { HeatMapHandle } from './heatMap/HeatMap'
import type { HexGridHandle } from './hexGrid/HexGrid'
import { placesNow } from '../../frames/places'
import type { spaceRange } from './spaceRange'

const FOLLOW_INTERVAL_MS = 100

interface Following {
  readonly visible: boolean
  readonly follow: Follow
  readonly space: Space
  readonly range: ReturnType<typeof spaceRange>
  readonly grid: RefObject<HexGridHandle | null>
  readonly map: RefObject<HeatMapHandle | null>
}

export function useFollowing({ visible, follow, space, range, grid, map }: Following): void {
  const mark = useCallback(
    (at: number | null) => {
      grid.current?.mark(at)
      map.current?.mark(at)
    },
    [grid, map],
  )
  const revealedAt = useRef(-Infinity)
  useDraw(
    visible && follow !== 'nothing',
    useCallback(
      (now: number) => {
        if (now - revealedAt.current < FOLLOW_INTERVAL_MS) return
        const newest = () =>
          newestChange(frames.changedAt(space), frames.dirtyPages(space), range, placesNow(space).openBus)
        const target = follow === 'pc' ? programCounter(frames.registers) : newest()
        if (target === null || target < range.start || target >= range.end) return
        revealedAt.current = now
        mark(target)
        grid.current?.reveal(target)
      },
      [follow, space, range, grid, mark],
    ),
  )
  useEffect(() => () => mark(null), [follow, space, mark])
}
