import { useCallback, useSyncExternalStore } from 'react'
import type { Space } from '@shared/contract/memory'
import { accessKinds, type AccessesTold } from '../../frames/accessTimes'
import { frames } from '../../frames/frames'
import type { ChosenOf } from '../../client/viewChoices'
import type { Heat } from '../../widgets/heat'
import { placesNow } from '../../frames/places'

export type HeatKind = ChosenOf<'memory.heat'>

const everywhere = accessKinds.map((_, kind) => new Uint8Array(0x10000).fill(kind))

/**
 * As of the newest frame.
 * @param heldFrom from when on nothing fades, on the clock of the changes; null where it fades
 */
export function heatNow(space: Space, kind: HeatKind, heldFrom: number | null = null): Heat {
  const { accesses } = frames
  const isStale = space === 'cpu' ? accesses.isStale : null
  switch (kind) {
    case 'changes':
      return { since: frames.changedAt(space), kinds: null, heldFrom, noise: placesNow(space).openBus, isStale }
    case 'accesses':
      return { since: accesses.newest(space), kinds: accesses.kinds(space), heldFrom, noise: null, isStale }
    default: {
      const kinds = everywhere[accessKinds.indexOf(kind)] ?? null
      return { since: accesses.of(kind, space), kinds, heldFrom, noise: null, isStale }
    }
  }
}

export const useAccessesTold = (): AccessesTold =>
  useSyncExternalStore(
    frames.onSummary,
    useCallback(() => frames.accesses.told, []),
  )
