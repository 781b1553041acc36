import { ChoiceSegments } from '../../client/ChoiceSegments'
import type { ChosenOf } from '../../client/viewChoices'

interface SpaceChoiceProps {
  readonly space: ChosenOf<'memory.space'>
  readonly ramLimit: string | null
}

export const SpaceChoice = ({ space, ramLimit }: SpaceChoiceProps) => (
  <ChoiceSegments choice="memory.space" shown={space} why={(value) => (value === 'ram' ? ramLimit : null)} />
)
