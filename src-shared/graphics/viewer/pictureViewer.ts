import { AppError } from '../../contract/errors'
import {
  BITMAP_BYTES,
  isFli,
  SCREEN_CELLS,
  SCREEN_COLUMNS,
  SCREEN_ROWS,
  type Bitmap,
  type TextScreen,
} from '../artwork'
import { assembled, type MemoryPart } from './assembled'

const SCREEN = 0x0c00
const COLOURS = 0x1000
/** In the VIC-II's bank 0, where it does not see character ROM. */
const SHAPES = 0x2000
const ROM_SET = { upper: 0x1000, lower: 0x1800 } as const

const CONTROL1 = {
  text: 0x1b,
  multicolourText: 0x1b,
  extendedText: 0x5b,
  bitmap: 0x3b,
  multicolourBitmap: 0x3b,
} as const
const CONTROL2 = {
  text: 0xc8,
  multicolourText: 0xd8,
  extendedText: 0xc8,
  bitmap: 0xc8,
  multicolourBitmap: 0xd8,
} as const

interface Shown {
  readonly mode: keyof typeof CONTROL1
  readonly border: number
  readonly backgrounds: readonly number[]
  readonly places: number
  readonly parts: readonly MemoryPart[]
}

/** @throws AppError INVALID for FLI, whose screens would have to be switched in each line */
export function bitmapViewer(picture: Bitmap): Uint8Array {
  if (isFli(picture)) throw new AppError('INVALID', 'The viewer does not show FLI pictures.')
  return program({
    mode: picture.mode,
    border: picture.border,
    backgrounds: [picture.background],
    places: placesOf(SHAPES),
    parts: [
      { address: SCREEN, bytes: picture.screen },
      { address: COLOURS, bytes: picture.colours },
      { address: SHAPES, bytes: picture.bitmap.slice(0, BITMAP_BYTES) },
    ],
  })
}

/** @throws AppError INVALID for a screen that is larger than that of the C64 */
export function screenViewer(screen: TextScreen): Uint8Array {
  const { columns, rows, characters } = screen
  if (columns > SCREEN_COLUMNS || rows > SCREEN_ROWS)
    throw new AppError('INVALID', `The viewer shows 40 x 25 characters at most, not ${columns} x ${rows}.`)
  const own = typeof characters !== 'string'
  return program({
    mode: screen.mode,
    border: screen.border,
    backgrounds: screen.backgrounds,
    places: placesOf(own ? SHAPES : ROM_SET[characters]),
    parts: [
      { address: SCREEN, bytes: onScreen(screen.codes, columns, rows, 0x20) },
      { address: COLOURS, bytes: onScreen(screen.colours, columns, rows, 0) },
      ...(own ? [{ address: SHAPES, bytes: characters }] : []),
    ],
  })
}

const placesOf = (shapes: number): number => ((SCREEN / 0x400) << 4) | ((shapes / 0x800) << 1)

function onScreen(cells: Uint8Array, columns: number, rows: number, around: number): Uint8Array {
  const all = new Uint8Array(SCREEN_CELLS).fill(around)
  for (let row = 0; row < rows; row++) all.set(cells.subarray(row * columns, (row + 1) * columns), row * SCREEN_COLUMNS)
  return all
}

const program = ({ mode, border, backgrounds, places, parts }: Shown): Uint8Array =>
  assembled(
    [
      ' lda #$0b', // The picture is off while it is set up.
      ' sta $d011',
      ' lda #0',
      ' sta $d015',
      ' lda $dd00',
      ' ora #3',
      ' sta $dd00',
      ...[border, ...backgrounds].flatMap((colour, index) => [` lda #${colour}`, ` sta ${0xd020 + index}`]),
      ` lda #${places}`,
      ' sta $d018',
      ` lda #${CONTROL2[mode]}`,
      ' sta $d016',
      ' ldx #0',
      'copy',
      // 250 at a time: nothing after the screen's cells may change.
      ...[0, 250, 500, 750].flatMap((from) => [` lda ${COLOURS + from},x`, ` sta ${0xd800 + from},x`]),
      ' inx',
      ' cpx #250',
      ' bne copy',
      ` lda #${CONTROL1[mode]}`,
      ' sta $d011',
      'stay',
      ' jmp stay',
    ],
    parts,
  )
