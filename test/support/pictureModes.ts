/** Memory and registers that show a picture in each mode of the VIC-II, for a machine that then stands in a loop. */
export interface GraphicsScene {
  readonly name: string
  readonly pokes: readonly (readonly [address: number, bytes: Uint8Array])[]
}

const noise = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (Math.imul(at + seed, 2654435761) >>> 15) & 0xff)

/** Waits for ever, so that neither cursor nor interrupts change anything. */
export const LOOP = 0xc000
const loop = Uint8Array.of(0x78, 0x4c, 0x01, 0xc0)
/** Writes the same to the registers of FLI again and again. */
const fliLoop = Uint8Array.of(0x78, 0xa9, 0x3b, 0x8d, 0x11, 0xd0, 0xa9, 0x08, 0x8d, 0x18, 0xd0, 0x4c, 0x01, 0xc0)

/** @param program at {@link LOOP} */
function scene(
  name: string,
  [control1, control2, memory, port]: readonly [number, number, number, number],
  pokes: GraphicsScene['pokes'],
  program = loop,
): GraphicsScene {
  const registers = [
    ...([
      [0xd011, control1],
      [0xd016, control2],
      [0xd018, memory],
      [0xdd00, port],
      [0xd015, 0],
      [0xd01a, 0],
    ] as const),
    ...[14, 6, 2, 5, 9].map((colour, index) => [0xd020 + index, colour] as const),
  ]
  return {
    name,
    pokes: [
      [LOOP, program],
      [0xd800, noise(1000, 5)],
      ...pokes,
      ...registers.map(([address, value]) => [address, Uint8Array.of(value)] as const),
    ],
  }
}

const screen = noise(1000, 1)
const set = noise(2048, 2)
const bitmap = noise(8000, 3)

export const graphicsScenes: readonly GraphicsScene[] = [
  scene('text with ROM’s characters', [0x1b, 0x08, 0x14, 0x03], [[0x0400, screen]]),
  scene(
    'text with characters of its own',
    [0x1b, 0x08, 0x18, 0x03],
    [
      [0x0400, screen],
      [0x2000, set],
    ],
  ),
  scene(
    'multicolour text',
    [0x1b, 0x18, 0x18, 0x03],
    [
      [0x0400, screen],
      [0x2000, set],
    ],
  ),
  scene(
    'extended colour text',
    [0x5b, 0x08, 0x18, 0x03],
    [
      [0x0400, screen],
      [0x2000, set],
    ],
  ),
  scene(
    'a bitmap',
    [0x3b, 0x08, 0x18, 0x03],
    [
      [0x0400, screen],
      [0x2000, bitmap],
    ],
  ),
  scene(
    'a multicolour bitmap',
    [0x3b, 0x18, 0x18, 0x02],
    [
      [0x4400, screen],
      [0x6000, bitmap],
    ],
  ),
]

export const invalidScene = scene('an invalid mode', [0x7b, 0x08, 0x18, 0x03], [])

const fliScreens = Array.from(
  { length: 8 },
  (_, line) => [0x4000 + line * 0x400, screen.map((byte) => (byte & 0xf0) | line)] as const,
)
export const fliScene = scene('FLI', [0x3b, 0x18, 0x08, 0x02], [...fliScreens, [0x6000, bitmap]], fliLoop)
/** The same memory, and a program that never writes the registers of FLI. */
export const stillFliScene = scene('no FLI', [0x3b, 0x18, 0x08, 0x02], [...fliScreens, [0x6000, bitmap]])
