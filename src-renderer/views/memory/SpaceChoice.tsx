import type { Space } from '@shared/contract/memory'
import type { AddressRange } from '@shared/c64/address'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import type { ChosenOf } from '../../client/viewChoices'

const everything: AddressRange = { start: 0, end: 0x10000 }
const ioArea: AddressRange = { start: 0xd000, end: 0xe000 }

/** What a space has to show; the same object each time. */
export const spaceRange = (space: Space): AddressRange => (space === 'io' ? ioArea : everything)

interface SpaceChoiceProps {
  readonly space: ChosenOf<'memory.space'>
  /** Why this machine does not show the RAM under ROM and I/O; null when it does. */
  readonly ramLimit: string | null
}

/** Which of the C64's overlapping memories is shown. */
export const SpaceChoice = ({ space, ramLimit }: SpaceChoiceProps) => (
  <ChoiceSegments choice="memory.space" shown={space} why={(value) => (value === 'ram' ? ramLimit : null)} />
)
