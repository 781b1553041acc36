import { ChoiceSegments } from '../../client/ChoiceSegments'
import type { ChosenOf } from '../../client/viewChoices'

interface SpaceChoiceProps {
  readonly space: ChosenOf<'memory.space'>
  /** Why this machine does not show the RAM under ROM and I/O; null when it does. */
  readonly ramLimit: string | null
}

/** Which of the C64's overlapping memories is shown. */
export const SpaceChoice = ({ space, ramLimit }: SpaceChoiceProps) => (
  <ChoiceSegments choice="memory.space" shown={space} why={(value) => (value === 'ram' ? ramLimit : null)} />
)
