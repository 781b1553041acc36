import type { Space } from '../contract/memory'
import type { AddressSpan } from './differingRanges'

export interface Image {
  readonly bytes: Uint8Array
  /** Not read, as reading would have changed the machine; 0 in `bytes`. */
  readonly skipped: readonly AddressSpan[]
}

export interface SpaceImage extends Image {
  readonly space: Space
  readonly address: number
}
