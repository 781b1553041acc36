import { SPRITE_HEIGHT, SPRITE_WIDTH } from '../../c64/sprites'
import { SCREEN_COLUMNS, SCREEN_ROWS } from '../artwork'
import type { PhotoOptions } from './options'

export interface TargetShape {
  readonly pixelWidth: 1 | 2
  readonly columns: number
  readonly rows: number
  /** In pixels of the target: a multicolour pixel is one. */
  readonly cellWidth: number
  readonly cellHeight: number
  readonly sharedBits: readonly number[]
  readonly ownBits: readonly number[]
  /** Colours that may be a cell's own: 0 up to this, exclusive. */
  readonly ownColours: number
}

const screen = { columns: SCREEN_COLUMNS, rows: SCREEN_ROWS, cellHeight: 8, ownColours: 16 }
const hires = { ...screen, pixelWidth: 1, cellWidth: 8 } as const
const multicolour = { ...screen, pixelWidth: 2, cellWidth: 4 } as const

export function targetShape({ target, columns, rows }: PhotoOptions): TargetShape {
  const grid = { columns, rows, cellHeight: SPRITE_HEIGHT, ownColours: 16 }
  switch (target) {
    case 'bitmap':
      return { ...hires, sharedBits: [], ownBits: [1, 0] }
    case 'multicolourBitmap':
      return { ...multicolour, sharedBits: [0], ownBits: [1, 2, 3] }
    case 'characters':
      return { ...hires, sharedBits: [0], ownBits: [1] }
    case 'multicolourCharacters':
      // Bit 3 of colour RAM says that a cell is multicolour.
      return { ...multicolour, sharedBits: [0, 1, 2], ownBits: [3], ownColours: 8 }
    case 'sprites':
      return { ...grid, pixelWidth: 1, cellWidth: SPRITE_WIDTH, sharedBits: [0], ownBits: [1] }
    case 'multicolourSprites':
      return { ...grid, pixelWidth: 2, cellWidth: SPRITE_WIDTH / 2, sharedBits: [0, 1, 3], ownBits: [2] }
  }
}

export const shapeWidth = ({ columns, cellWidth }: TargetShape): number => columns * cellWidth
export const shapeHeight = ({ rows, cellHeight }: TargetShape): number => rows * cellHeight

export const chosenShared = (shape: TargetShape, options: PhotoOptions): (number | null)[] =>
  [options.background, options.multicolour1, options.multicolour2].slice(0, shape.sharedBits.length)
