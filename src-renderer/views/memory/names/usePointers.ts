import { useMemo, useState } from 'react'
import type { Runs } from '@shared/c64/codeListing'
import { pointersUsed } from '@shared/c64/namedBytes'
import type { Space } from '@shared/contract/memory'
import { frames } from '../../../frames/frames'

/** The same Set object as long as the addresses are the same. */
export function usePointers(runs: Runs, space: Space): ReadonlySet<number> {
  const found = useMemo(() => pointersUsed((address) => frames.image(space)[address] ?? 0, runs), [runs, space])
  const [kept, setKept] = useState(found)
  if (found === kept || (found.size === kept.size && [...found].every((address) => kept.has(address)))) return kept
  setKept(found)
  return found
}
