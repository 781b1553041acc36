import { useCallback, useSyncExternalStore } from 'react'
import type { Space } from '@shared/contract/memory'
import { frames } from '../../frames/frames'
import type { ChosenOf } from '../../client/viewChoices'
import type { Heat } from '../../widgets/heat'
import { placesNow } from '../../frames/places'

/** What makes a byte hot. */
export type HeatKind = ChosenOf<'memory.heat'>

const isStale = (address: number): boolean => frames.isStale(address)

/** When each address of a space was last hot, as of the newest frame. Accesses are the CPU's, and so is what they lost. */
export const heatNow = (space: Space, kind: HeatKind): Heat => ({
  since: kind === 'changes' ? frames.changedAt(space) : frames.accessedAt(kind),
  noise: kind === 'changes' ? placesNow(space).openBus : null,
  isStale: space === 'cpu' && frames.hasAccesses ? isStale : null,
})

/** Whether the machine in front tells what its CPU reads and writes. */
export const useHasAccesses = (): boolean =>
  useSyncExternalStore(
    frames.onSummary,
    useCallback(() => frames.hasAccesses, []),
  )
