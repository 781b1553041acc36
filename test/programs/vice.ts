/** A test program in x64sc, with its debug cartridge, from power-on to its end. */
import { readFileSync } from 'node:fs'
import { ciaModels } from '@shared/contract/machine'
import { vicModelNames } from '../support/oracle/vice'
import type { RomFiles } from '../support/ownRoms'
import { viceDisplayY, viceShot } from '../support/viceShot'
import type { Chips } from './run'
import type { Ending } from './verdict'
import { borderOf, textOf, type Pixels } from './screen'

/** The sixteen colours as VICE 3.7 paints them without a palette file, measured from its screenshots. */
const colors = [
  0x000000, 0xffffff, 0xbd516c, 0x91f5dc, 0xb855f6, 0x77dc46, 0x3e51f0, 0xffff5c, 0xc4792d, 0x8a6700, 0xf08fa6,
  0x777777, 0xa5a5a5, 0xc3ff99, 0x8898ff, 0xd5d5d5,
]

/** The pattern that the built-in C64 has in its RAM at power-on. */
const powerOnRam = [
  '-raminitstartvalue',
  '0',
  '-raminitvalueinvert',
  '64',
  '-raminitvalueoffset',
  '0',
  '-raminitpatterninvert',
  '0',
  '-raminitrandomchance',
  '0',
]

/** A minute of the C64 takes seconds; what takes as long as this has stopped. */
const WAIT_MS = 600_000

export async function runInVice(program: string, roms: RomFiles, limit: number, chips: Chips): Promise<Ending> {
  const { standard, ciaModel, vicModel } = chips
  const models = ['-ciamodel', String(ciaModels.indexOf(ciaModel)), '-VICIImodel', vicModelNames[vicModel][standard]]
  const options = ['-jamaction', '1', '-debugcart', '+autostart-delay-random', ...powerOnRam, ...models]
  const shot = await viceShot(program, { roms, standard, limit, timeout: WAIT_MS, options })
  const [, code, cycles] = /DBGCART: exit\((\d+)\) cycles elapsed: (\d+)/.exec(shot.log) ?? []
  const pixels: Pixels = { colors: colorsOf(shot.pixels), displayY: viceDisplayY[standard] }
  return {
    written: code === undefined ? null : Number(code),
    pixels: pixels.colors,
    momentary: pixels.colors,
    border: borderOf(pixels),
    text: textOf(pixels, new Uint8Array(readFileSync(roms.character))),
    cycles: cycles === undefined ? limit : Number(cycles),
  }
}

/** Colour numbers for the colours that are nearest to them. */
export function colorsOf(pixels: Uint32Array, palette: readonly number[] = colors): Uint8Array {
  const known = new Map<number, number>()
  return Uint8Array.from(pixels, (rgb) => {
    const color = known.get(rgb) ?? nearestColor(rgb, palette)
    known.set(rgb, color)
    return color
  })
}

function nearestColor(rgb: number, colors: readonly number[]): number {
  const distances = colors.map((color) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((color >> shift) & 0xff) - ((rgb >> shift) & 0xff)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}
