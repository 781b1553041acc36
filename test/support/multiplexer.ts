/** Programs of ours that show more than one image of memory holds: 24 sprites out of eight, and text over a bitmap. */

export const START = 0xc000

const store = (value: number, address: number) => [0xa9, value, 0x8d, address & 0xff, address >> 8]
/** Waits for a raster line below 256 that has no namesake above. */
const waitForLine = (line: number) => [0xad, 0x12, 0xd0, 0xc9, line, 0xd0, 0xf9]
const INTERRUPTS_OFF = [0x78, ...store(0x7f, 0xdc0d), 0xad, 0x0d, 0xdc, ...store(0, 0xd01a)]
const BANK_OUTPUT = store(0x3f, 0xdd02)
const jumpTo = (address: number) => [0x4c, address & 0xff, address >> 8]

export interface PlexSprite {
  readonly n: number
  readonly x: number
  readonly y: number
  readonly pointer: number
  readonly colour: number
}

/** Three rows of eight. */
export const plexRows = [60, 110, 160] as const

export const plexSprites: readonly PlexSprite[] = plexRows.flatMap((y, row) =>
  Array.from({ length: 8 }, (_, n) => ({
    n,
    x: 40 + 34 * n + 3 * row,
    y: y + 2 * (n % 3),
    pointer: 0x80 + ((8 * row + n) % 24),
    colour: 1 + ((8 * row + n) % 15),
  })),
)

const rowCode = (row: number, screen: number): number[] => {
  const sprites = plexSprites.slice(8 * row, 8 * row + 8)
  const high = sprites.reduce((bits, { n, x }) => bits | ((x >> 8) << n), 0)
  return [
    ...sprites.flatMap(({ n, x, y, pointer, colour }) => [
      ...store(x & 0xff, 0xd000 + 2 * n),
      ...store(y, 0xd001 + 2 * n),
      ...store(pointer, screen + 0x3f8 + n),
      ...store(colour, 0xd027 + n),
    ]),
    ...store(high, 0xd010),
  ]
}

/** For {@link START}: the registers of each row are written above it, in every frame. Sprites at $2000, the screen at $0400. */
export function multiplexer(): number[] {
  const setUp = [
    ...INTERRUPTS_OFF,
    ...BANK_OUTPUT,
    ...[store(0x1b, 0xd011), store(0x08, 0xd016), store(0x15, 0xd018), store(0x97, 0xdd00)].flat(),
    ...[store(0xff, 0xd015), store(0, 0xd017), store(0, 0xd01b), store(0, 0xd01c), store(0, 0xd01d)].flat(),
  ]
  const rows = plexRows.flatMap((_, row) => [...waitForLine([30, 86, 136][row] ?? 0), ...rowCode(row, 0x0400)])
  return [...setUp, ...rows, ...jumpTo(START + setUp.length)]
}

/** Of the 24 sprites: each another pattern. */
export const plexData = (): number[] =>
  Array.from({ length: 24 }, (_, index) =>
    Array.from({ length: 64 }, (_, at) => (at < 63 ? 0x81 + 5 * index : 0)),
  ).flat()
export const PLEX_DATA = 0x2000

/** The raster lines in which {@link splitScreen} changes its mode; the bitmap is above the text. */
export const splitLines = { bitmap: 20, text: 170 } as const

/** For {@link START}: a multicolour bitmap at $6000, its screen at $5C00; below it text at $0400. */
export function splitScreen(): number[] {
  const setUp = [...INTERRUPTS_OFF, ...BANK_OUTPUT]
  const bitmap = [
    ...[store(0x3b, 0xd011), store(0x18, 0xd016), store(0x78, 0xd018), store(0x96, 0xdd00)].flat(),
    ...[store(0, 0xd020), store(11, 0xd021)].flat(),
  ]
  const text = [
    ...[store(0x1b, 0xd011), store(0x08, 0xd016), store(0x15, 0xd018), store(0x97, 0xdd00)].flat(),
    ...[store(2, 0xd020), store(6, 0xd021)].flat(),
  ]
  const code = [...waitForLine(splitLines.bitmap), ...bitmap, ...waitForLine(splitLines.text), ...text]
  return [...setUp, ...code, ...jumpTo(START + setUp.length)]
}

/** A pattern for the bitmap, its screen and colour RAM. */
export const splitData = {
  bitmap: { address: 0x6000, bytes: Array.from({ length: 8000 }, (_, at) => (at * 37 + (at >> 8)) & 0xff) },
  screen: { address: 0x5c00, bytes: Array.from({ length: 1000 }, (_, at) => (at * 29) & 0xff) },
  text: { address: 0x0400, bytes: Array.from({ length: 1000 }, (_, at) => at & 0x3f) },
  colours: { address: 0xd800, bytes: Array.from({ length: 1000 }, (_, at) => at & 0x0f) },
} as const

/** For {@link START}: sprite 0 twice, with its pointer on the screen at $0400, and below that on the one at $0800. */
export function twoScreens(): number[] {
  const setUp = [
    ...INTERRUPTS_OFF,
    ...BANK_OUTPUT,
    ...[store(0x1b, 0xd011), store(0x08, 0xd016), store(0x97, 0xdd00), store(1, 0xd015), store(100, 0xd000)].flat(),
    ...[store(0, 0xd010), store(0, 0xd017), store(0, 0xd01c), store(0, 0xd01d)].flat(),
    ...[store(0x80, 0x07f8), store(0x91, 0x0bf8)].flat(),
  ]
  const upper = [...waitForLine(30), ...store(0x15, 0xd018), ...store(60, 0xd001)]
  const lower = [...waitForLine(120), ...store(0x25, 0xd018), ...store(150, 0xd001)]
  return [...setUp, ...upper, ...lower, ...jumpTo(START + setUp.length)]
}
