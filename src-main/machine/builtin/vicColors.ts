/** Values below this are places in the palette: 0 to 15 for the colours, from $20 on for the registers. */
const CODE_LOW = 0x40
const CODE_HIGH = 0x41
const CODE_BACKGROUND = 0x42
const CELL = 0x43
const CELL_LOW = 0x44

const BLACK = 0x00
const BACKGROUND = 0x21
const BACKGROUND_1 = 0x22
const BACKGROUND_2 = 0x23

const invalid = [BLACK, BLACK, BLACK, BLACK]

/** By ECM (16), BMM (8), MCM (4) and the two bits of a pixel; a single bit counts as 0, 2 or 3. */
export const GRAPHICS_COLORS = Uint8Array.from([
  BACKGROUND,
  BACKGROUND,
  CELL,
  CELL,
  BACKGROUND,
  BACKGROUND_1,
  BACKGROUND_2,
  CELL_LOW,
  CODE_LOW,
  CODE_LOW,
  CODE_HIGH,
  CODE_HIGH,
  BACKGROUND,
  CODE_HIGH,
  CODE_LOW,
  CELL,
  CODE_BACKGROUND,
  CODE_BACKGROUND,
  CELL,
  CELL,
  ...invalid,
  ...invalid,
  ...invalid,
])

export function placeOf(kind: number, code: number, color: number): number {
  if (kind < CODE_LOW) return kind
  switch (kind) {
    case CODE_LOW:
      return code & 0x0f
    case CODE_HIGH:
      return code >> 4
    case CODE_BACKGROUND:
      return BACKGROUND + (code >> 6)
    case CELL:
      return color
    default:
      return color & 0x07
  }
}
