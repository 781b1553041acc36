import type { AddressRange } from '@shared/c64/address'
import type { Space } from '@shared/contract/memory'

const everything: AddressRange = { start: 0, end: 0x10000 }
const ioArea: AddressRange = { start: 0xd000, end: 0xe000 }
const colourRam: AddressRange = { start: 0xd800, end: 0xdc00 }

/** The same object each time. */
export const spaceRange = (space: Space): AddressRange =>
  space === 'io' ? ioArea : space === 'colorRam' ? colourRam : everything
