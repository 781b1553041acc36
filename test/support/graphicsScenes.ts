/** Pictures of every kind that the VIC-II draws from one state of memory and registers, random but always the same. */
import { assembleSource } from '@shared/c64/assembly/assembleSource'
import { chance, type Chance } from './oracle/random'

export interface GraphicsScene {
  readonly name: string
  /** ECM, bitmap, multicolour: bits 2 to 0. */
  readonly mode: number
  /** $D000 to $D02E. */
  readonly registers: Uint8Array
  /** 0 to 3. */
  readonly bank: number
  /** The sprites' pointers go there. */
  readonly screen: number
  readonly pointers: Uint8Array
}

export const sceneModes = [
  'text',
  'multicolour text',
  'bitmap',
  'multicolour bitmap',
  'extended colour text',
  'invalid text',
  'invalid bitmap',
  'invalid multicolour bitmap',
] as const

const SPRITES = 8
/** Of expansion in X and Y, multicolour and priority. */
const LOOKS = 16

interface Control {
  readonly scrollX: number
  readonly scrollY: number
  readonly columns40: boolean
  readonly rows25: boolean
}

/** What a machine shows that nobody scrolled. */
export const unscrolled: Control = { scrollX: 0, scrollY: 3, columns40: true, rows25: true }

/** Every scroll value in both directions, each with and without 38 columns and 24 rows; bank and addresses vary. */
export const scrolledScenes = (mode: number): GraphicsScene[] =>
  Array.from({ length: 64 }, (_, at) => at).map((at) => {
    const scrollX = at & 7
    const scrollY = at >> 3
    const turn = (scrollX + scrollY) & 3
    return scene(mode, at, { scrollX, scrollY, columns40: (turn & 1) === 0, rows25: (turn & 2) === 0 })
  })

/** Nothing scrolled, with other banks and addresses each. */
export const plainScenes = (mode: number, count: number): GraphicsScene[] =>
  Array.from({ length: count }, (_, at) => scene(mode, 1_000 + at, unscrolled))

/** Eight sprites at once with looks of their own: over all scenes each sprite has each look, on and beside the borders. */
export const spriteScenes = (mode: number): GraphicsScene[] =>
  Array.from({ length: LOOKS }, (_, at) => {
    const seed = 2_000 + at
    const random = chance(seed, mode)
    const { below } = random
    const control = {
      scrollX: below(8),
      scrollY: below(8),
      columns40: below(2) === 0,
      rows25: below(2) === 0,
    }
    const looks = Array.from({ length: SPRITES }, (_, n) => (at + 5 * n) % LOOKS)
    return withSprites(scene(mode, seed, control), looks, (n) => placeOf(n, random))
  })

/** A third anywhere in the window, a third at its edges and on the borders, the rest anywhere, near each other. */
function placeOf(n: number, { below }: Chance): { x: number; y: number } {
  if (n % 3 === 0) return { x: 24 + below(300), y: 50 + below(180) }
  if (n % 3 === 1) return { x: [0, 4, 20, 330, 340, 500][below(6)] ?? 0, y: [20, 34, 240, 248, 255, 5][below(6)] ?? 0 }
  return { x: below(512), y: below(256) }
}

/** Sprites in front of a black window, none over another. @param at of 16 */
export function spriteGallery(at: number): GraphicsScene {
  const looks = Array.from({ length: SPRITES }, (_, n) => ((at + 5 * n) % LOOKS) & ~8)
  return withSprites(scene(7, 3_000 + at, unscrolled), looks, (n) => ({
    x: 30 + 75 * (n & 3),
    y: 60 + 90 * (n >> 2),
  }))
}

/** @param looks bit 0 expanded in X, 1 in Y, 2 multicolour, 3 behind the foreground */
function withSprites(
  base: GraphicsScene,
  looks: readonly number[],
  placeAt: (n: number) => { x: number; y: number },
): GraphicsScene {
  const registers = base.registers.slice()
  const bits = (look: number) => looks.reduce((all, mask, n) => all | (((mask >> look) & 1) << n), 0)
  const places = looks.map((_, n) => placeAt(n))
  for (const [n, { x, y }] of places.entries()) registers.set([x & 0xff, y], 2 * n)
  registers[0x10] = places.reduce((all, { x }, n) => all | ((x >> 8) << n), 0)
  registers[0x15] = 0xff
  for (const [look, register] of [0x1d, 0x17, 0x1c, 0x1b].entries()) registers[register] = bits(look)
  return { ...base, registers, name: `${base.name}, sprites ${looks.map((look) => look.toString(16)).join('')}` }
}

function scene(mode: number, seed: number, { scrollX, scrollY, columns40, rows25 }: Control): GraphicsScene {
  const { below } = chance(seed, mode)
  const registers = new Uint8Array(0x2f)
  registers[0x11] = 0x10 | (rows25 ? 8 : 0) | scrollY | ((mode & 6) << 4)
  registers[0x16] = (columns40 ? 8 : 0) | scrollX | ((mode & 1) << 4)
  const memory = below(128) << 1
  registers[0x18] = memory
  for (let colour = 0x20; colour <= 0x2e; colour++) registers[colour] = below(16)
  const bank = below(4)
  return {
    name: `${sceneModes[mode] ?? ''}, scroll ${scrollX}/${scrollY}, ${columns40 ? 40 : 38} columns, ${rows25 ? 25 : 24} rows, bank ${bank}, $D018 ${memory}`,
    mode,
    registers,
    bank,
    screen: (bank << 14) | ((memory & 0xf0) << 6),
    pointers: Uint8Array.from({ length: SPRITES }, () => below(256)),
  }
}

/** 64 KiB to draw from, with about as many bits set as clear in one half of its bytes, and fewer in the other. */
export function randomMemory(seed: number): Uint8Array {
  const { below } = chance(seed, 0)
  return Uint8Array.from({ length: 0x10000 }, (_, at) => ((at & 0x40) === 0 ? below(256) : below(256) & below(256)))
}

export const RUNNER = 0xcf00
/** $D000 to $D02E as they are to be, and $DD00. */
export const RUNNER_REGISTERS = 0xcf80
export const RUNNER_BANK = 0xcfb0

/** Sets the registers, lets three frames pass, and comes to `done` in a line that is not in the picture. */
const source = `
        * = $cf00
        sei
        lda #$7f
        sta $dc0d
        sta $dd0d
        lda $dc0d
        lda $dd0d
        lda #$00
        sta $d01a
        ldy #$00
        ldx #$2e
set:    lda $cf80,x
        sta $d000,x
        dex
        bpl set
        lda $cfb0
        sta $dd00
frame:  lda $d012
        cmp #$50
        bne frame
        bit $d011
        bmi frame
outside: lda $d012
        cmp #$0a
        bcc outside
        cmp #$0e
        bcs outside
        bit $d011
        bmi outside
        iny
        cpy #$03
        bne frame
done:   jmp done
`

export interface Runner {
  readonly bytes: Uint8Array
  readonly done: number
}

export function graphicsRunner(): Runner {
  const assembled = assembleSource(source)
  if (!assembled.ok) throw new Error(assembled.problems.map(({ message }) => message).join())
  const { prg, labels } = assembled.program
  return { bytes: prg.subarray(2), done: labels.find(({ name }) => name === 'done')?.address ?? 0 }
}
