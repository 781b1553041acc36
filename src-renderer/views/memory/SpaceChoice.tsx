import type { Space } from '@shared/contract/memory'
import { Segments } from '../../widgets/Segments'
import type { AddressRange } from '@shared/c64/address'

const everything: AddressRange = { start: 0, end: 0x10000 }
const ioArea: AddressRange = { start: 0xd000, end: 0xe000 }

/** What a space has to show; the same object each time. */
export const spaceRange = (space: Space): AddressRange => (space === 'io' ? ioArea : everything)

interface SpaceChoiceProps {
  readonly space: Space
  /** Why this machine does not show the RAM under ROM and I/O; null when it does. */
  readonly ramLimit: string | null
  readonly onChange: (space: Space) => void
}

/** Which of the C64's overlapping memories is shown. */
export function SpaceChoice({ space, ramLimit, onChange }: SpaceChoiceProps) {
  const options = [
    { value: 'cpu', label: 'CPU', tip: 'What the CPU sees now, by $01' },
    { value: 'ram', label: 'RAM', tip: 'All 64 KiB of RAM, also under ROM and I/O', why: ramLimit },
    { value: 'rom', label: 'ROM', tip: 'BASIC, character and KERNAL ROM' },
    { value: 'io', label: 'I/O', tip: 'The chips at $D000 to $DFFF' },
  ] as const
  return <Segments label="Memory" value={space} options={options} onChange={onChange} />
}
