/**
 * The built-in C64 beside VICE: the same programs on the same ROMs must show the same picture, pixel by pixel, and take
 * the same number of cycles. The scenes are random but always the same.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PICTURE_WIDTH, displayY, pictureHeight, unpackPixels } from '@shared/c64/picture'
import type { VideoStandard } from '@shared/contract/machine'
import { startProgram } from '../../src-main/machine/builtin/autostart'
import { C64 } from '../../src-main/machine/builtin/c64'
import { ownRoms, readRoms } from '../support/ownRoms'
import { lacks } from '../support/parts'
import { viceShot } from '../support/viceShot'

/** Long enough for the ROM to boot, the program to load and every scene to come to rest. */
const CYCLES = 9_000_000
const FRAMES = 150

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-picture-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** VICE's picture after {@link CYCLES}, as 0xRRGGBB. */
async function viceShows(program: Uint8Array, standard: VideoStandard): Promise<number[]> {
  const prg = join(folder, 'scene.prg')
  writeFileSync(prg, program)
  const shot = await viceShot(prg, { roms: ownRoms, standard, limit: CYCLES, timeout: 60_000 })
  return [...shot.pixels.subarray(0, PICTURE_WIDTH * pictureHeight(standard))]
}

function builtin(program: Uint8Array, standard: VideoStandard): C64 {
  const machine = new C64(readRoms(), standard)
  startProgram(machine, program)
  for (let frame = 0; frame < FRAMES; frame++) machine.runFrame()
  return machine
}

/** Pixels whose colour does not stand for one and the same of the sixteen colours throughout the picture. */
function differences(ours: Uint8Array, theirs: readonly number[]): string[] {
  const meaning = new Map<number, number>()
  const found: string[] = []
  for (const [index, color] of ours.entries()) {
    const shown = theirs[index] ?? -1
    if (!meaning.has(color) && ![...meaning.values()].includes(shown)) meaning.set(color, shown)
    if (meaning.get(color) !== shown) found.push(`(${index % PICTURE_WIDTH}, ${Math.floor(index / PICTURE_WIDTH)})`)
  }
  return found
}

/** A small linear congruential generator: the same scenes on every run. */
function random(seed: number): (below: number) => number {
  let state = seed * 7919 + 1
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const store = (value: number, address: number) => [0xa9, value, 0x8d, address & 0xff, address >> 8]
/** Waits for a raster line below 256 that has no namesake above. */
const waitForLine = (line: number) => [0xad, 0x12, 0xd0, 0xc9, line, 0xd0, 0xf9]
const leaveLine = (line: number) => [0xad, 0x12, 0xd0, 0xc9, line, 0xf0, 0xf9]
const INTERRUPTS_OFF = [0x78, ...store(0x7f, 0xdc0d), 0xad, 0x0d, 0xdc, ...store(0, 0xd01a)]

/** 10 SYS 2061, the code at $080D, and more memory after it. */
function program(code: readonly number[], memory: Readonly<Record<number, Uint8Array>> = {}): Uint8Array {
  const image = new Uint8Array(0x4000)
  image.set([0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00], 0x0801)
  image.set(code, 0x080d)
  for (const [address, bytes] of Object.entries(memory)) image.set(bytes, Number(address))
  return Uint8Array.of(0x01, 0x08, ...image.subarray(0x0801))
}
const loopTo = (code: readonly number[]) => [0x4c, (0x080d + code.length) & 0xff, (0x080d + code.length) >> 8]

/**
 * Everything at random: screen at $0C00, characters or bitmap at $2000, eight sprites, scrolling, borders. In the text
 * modes the collisions of each frame go to the first two characters of the screen.
 * @param mode bit 2 ECM, bit 1 bitmap, bit 0 multicolour
 */
function scene(mode: number, seed: number): Uint8Array {
  const below = random(seed)
  const bytes = (length: number) => Uint8Array.from({ length }, () => below(256))
  const collisions = mode < 2
  const control1 = 0x10 | (below(4) ? 0x08 : 0) | below(8) | ((mode & 6) << 4)
  const control2 = (below(4) ? 0x08 : 0) | below(8) | ((mode & 1) << 4)
  const sprites = Array.from({ length: 8 }, () => ({ x: below(512), y: collisions ? 80 + below(120) : below(256) }))
  const code = [
    ...INTERRUPTS_OFF,
    // Colour RAM from $1000.
    0xa2,
    0x00,
    ...[0, 1, 2, 3].flatMap((page) => [0xbd, 0x00, 0x10 + page, 0x9d, 0x00, 0xd8 + page]),
    0xe8,
    0xd0,
    0xe5,
    ...[store(control1, 0xd011), store(control2, 0xd016), store(0x38, 0xd018)].flat(),
    ...Array.from({ length: 15 }, (_, index) => store(below(16), 0xd020 + index)).flat(),
    ...sprites.flatMap(({ x, y }, index) => [...store(x & 0xff, 0xd000 + 2 * index), ...store(y, 0xd001 + 2 * index)]),
    ...store(
      sprites.reduce((high, { x }, index) => high | ((x >> 8) << index), 0),
      0xd010,
    ),
    ...[0x15, 0x17, 0x1b, 0x1c, 0x1d].flatMap((register) => store(below(256), 0xd000 + register)),
  ]
  const noteCollisions = [0xad, 0x1e, 0xd0, 0x8d, 0x00, 0x0c, 0xad, 0x1f, 0xd0, 0x8d, 0x01, 0x0c]
  const loop = [...(collisions ? [...waitForLine(60), ...noteCollisions, ...leaveLine(60)] : []), ...loopTo(code)]
  return program([...code, ...loop], {
    0x0c00: bytes(1000),
    0x0ff8: Uint8Array.from({ length: 8 }, (_, index) => 0xc0 + index),
    0x1000: bytes(1024),
    0x2000: Uint8Array.from({ length: 0x2000 }, () => below(256) & below(256)),
  })
}

/** Counts with timer A how long a loop takes, and leaves the count in the first two characters of the screen. */
function stopwatch(sprites: number, control1: number): Uint8Array {
  const code = [
    ...INTERRUPTS_OFF,
    ...[
      store(control1, 0xd011),
      store(sprites, 0xd015),
      store(0x00, 0xdc0e),
      store(0xff, 0xdc04),
      store(0xff, 0xdc05),
    ].flat(),
    ...Array.from({ length: 8 }, (_, sprite) => store(80 + 9 * sprite, 0xd001 + 2 * sprite)).flat(),
    // A few frames until all has settled.
    ...waitForLine(60),
    ...leaveLine(60),
    ...waitForLine(60),
    ...leaveLine(60),
    ...waitForLine(60),
    ...leaveLine(60),
    ...store(0x19, 0xdc0e),
    0xa0,
    0x0a,
    0xa2,
    0x00,
    0xca,
    0xd0,
    0xfd,
    0x88,
    0xd0,
    0xf8,
    ...store(0x00, 0xdc0e),
    0xad,
    0x04,
    0xdc,
    0x8d,
    0x00,
    0x04,
    0xad,
    0x05,
    0xdc,
    0x8d,
    0x01,
    0x04,
    ...store(0x00, 0xd015),
    ...store(0x1b, 0xd011),
    ...store(0x15, 0xd018),
  ]
  return program([...code, ...loopTo(code)])
}

describe.skipIf(lacks('vice', 'xvfb'))('the built-in C64 beside VICE', () => {
  const modes = [
    'text',
    'multicolour text',
    'bitmap',
    'multicolour bitmap',
    'extended colours',
    'invalid 1',
    'invalid 2',
    'invalid 3',
  ]
  const scenes = [
    ...modes.map((name, mode) => ['pal' as const, name, mode] as const),
    ['ntsc' as const, 'text', 0] as const,
    ['ntsc' as const, 'multicolour bitmap', 3] as const,
  ]

  it.each(scenes)('shows the same %s picture: %s with eight sprites', async (standard, _name, mode) => {
    const prg = scene(mode, 11 + mode)
    const theirs = await viceShows(prg, standard)
    expect(differences(unpackPixels(builtin(prg, standard).picture().pixels), theirs).slice(0, 10)).toEqual([])
  })

  it.each([
    ['nothing', 0x00, 0x0b],
    ['bad lines', 0x00, 0x1b],
    ['eight sprites', 0xff, 0x0b],
    ['bad lines and eight sprites', 0xff, 0x1b],
    ['every second sprite', 0x55, 0x1b],
    ['two distant sprites', 0x81, 0x0b],
  ])('takes the same time, to the cycle, with %s', async (_name, sprites, control1) => {
    const prg = stopwatch(sprites, control1)
    const machine = builtin(prg, 'pal')
    // The count is compared as it shows: the first two characters of the screen, which is empty beside them.
    const topRow = unpackPixels(machine.picture().pixels).subarray(0, (displayY('pal') + 8) * PICTURE_WIDTH)
    expect(differences(topRow, await viceShows(prg, 'pal')).slice(0, 10)).toEqual([])
    expect((machine.space.ram[0x0400] ?? 0) | ((machine.space.ram[0x0401] ?? 0) << 8)).toBeLessThan(0xffff - 10_000)
  })
})
