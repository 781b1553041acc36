import type { Effect } from '@shared/contract/define'
import type { Right } from '@shared/contract/steering'

interface Machine {
  readonly isKnown: boolean
  readonly isRunning: boolean
}

/** Null for what only the person may do. */
export function neededRights(effect: Effect, machine: Machine | undefined): readonly Right[] | null {
  if (effect === 'governs') return null
  const connecting: readonly Right[] = machine?.isKnown === false ? ['connect'] : []
  switch (effect) {
    case 'reads':
      return ['look']
    case 'connects':
      return machine?.isKnown ? ['look'] : ['connect']
    case 'follows':
      return [...connecting, machine?.isRunning ? 'look' : 'change']
    case 'keeps':
    case 'writes':
    case 'runs':
    case 'replaces':
      return [...connecting, 'change']
    case 'edits':
      return ['files']
    case 'switches':
      return [...connecting, 'power']
  }
}

export const takesMachine = (effect: Effect, { isRunning }: Machine): boolean =>
  effect === 'writes' ||
  effect === 'runs' ||
  effect === 'replaces' ||
  effect === 'switches' ||
  (effect === 'follows' && !isRunning)
