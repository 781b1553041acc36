import type { AddressRange } from '@shared/c64/address'
import type { Space } from '@shared/contract/memory'
import type { Heat } from '../../../widgets/heat'
import type { RowBytes, TextColumn } from './rows'
import type { Typing } from './typing'

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
  readonly heat: () => Heat
  readonly text: TextColumn
  /** Bytes per row; null for as many as fit. */
  readonly columns: RowBytes | null
  readonly cursor: number
  readonly selected: AddressRange | null
  readonly typing: Typing | null
  readonly overlays: Overlays
  readonly describe: (address: number) => string
}
