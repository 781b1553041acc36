import type { AddressRange } from '@shared/c64/address'
import type { Space } from '@shared/contract/memory'
import type { Heat } from '../../../widgets/heat'
import type { RowBytes, TextColumn } from './rows'
import type { Typing } from './typing'

/** What is shown in place of the machine's byte. */
export interface Overlay {
  readonly value: number
  readonly state: 'underWay' | 'failed' | 'written'
}

export interface Overlays {
  readonly any: () => boolean
  readonly at: (address: number) => Overlay | undefined
}

export interface HexConfig {
  readonly space: Space
  readonly range: AddressRange
  /** What makes bytes hot, as of now. */
  readonly heat: () => Heat
  readonly text: TextColumn
  /** Bytes of a row; null for as many as fit. */
  readonly columns: RowBytes | null
  readonly cursor: number
  readonly selected: AddressRange | null
  readonly typing: Typing | null
  readonly overlays: Overlays
  /** What a screen reader says of the byte under the cursor. */
  readonly describe: (address: number) => string
}
