import type { Space } from '../contract/memory'
import type { AddressSpan } from './differingRanges'

export interface Image {
  readonly bytes: Uint8Array
  /** What was not read, as reading it would have changed the machine; 0 in `bytes`. */
  readonly skipped: readonly AddressSpan[]
}

/** The bytes of a part of memory at one moment. */
export interface SpaceImage extends Image {
  readonly space: Space
  readonly address: number
}
