import type { ActionId } from '@shared/actions'
import type { MachineState } from '@shared/contract/machine'
import type { Theme } from '@shared/contract/window'

export interface SwitchedStates {
  readonly theme: Theme
  readonly isWhole: boolean
  readonly hasBorders: boolean
  readonly isCrt: boolean
  readonly hasSprites: boolean
  readonly hasBeam: boolean
}

export type ActionMarks = Readonly<Partial<Record<ActionId, string>>>

const switched = (isOn: boolean): string => (isOn ? 'on' : 'off')

export function actionMarks(
  { theme, isWhole, hasBorders, isCrt, hasSprites, hasBeam }: SwitchedStates,
  front: MachineState | undefined,
): ActionMarks {
  return {
    [`theme.${theme}`]: 'current',
    ...(front?.standard ? { [`machine.${front.standard}`]: 'current' } : {}),
    ...(typeof front?.warp === 'boolean' ? { 'machine.warp': switched(front.warp) } : {}),
    'screen.whole': switched(isWhole),
    'screen.borders': switched(hasBorders),
    'screen.crt': switched(isCrt),
    'screen.sprites': switched(hasSprites),
    'screen.beam': switched(hasBeam),
  }
}
