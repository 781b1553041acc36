/** A test program in x64sc, with its debug cartridge, from power-on to its end. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { ciaModels, type CiaModel } from '@shared/contract/machine'
import { PICTURE_WIDTH } from '@shared/c64/picture'
import type { Ending } from './verdict'
import { borderOf, textOf, type Pixels } from './screen'
import type { RomFiles } from './run'

/** The first line of the display window in VICE's PAL screenshots. */
const DISPLAY_Y = 35

/** The sixteen colours as VICE 3.7 paints them without a palette file, measured from its screenshots. */
const colors = [
  ...[0x000000, 0xffffff, 0xbd516c, 0x91f5dc, 0xb855f6, 0x77dc46, 0x3e51f0, 0xffff5c],
  ...[0xc4792d, 0x8a6700, 0xf08fa6, 0x777777, 0xa5a5a5, 0xc3ff99, 0x8898ff, 0xd5d5d5],
]

/** A minute of the C64 takes seconds; what takes as long as this has stopped. */
const WAIT_MS = 600_000

export async function runInVice(program: string, roms: RomFiles, limit: number, ciaModel: CiaModel): Promise<Ending> {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-program-'))
  const shot = join(folder, 'end.png')
  const options = [
    ...['-default', '-pal', '-kernal', roms.kernal, '-basic', roms.basic, '-chargen', roms.character],
    ...['-drive8type', '0', '-sounddev', 'dummy', '-warp', '-VICIIfilter', '0', '-jamaction', '1', '-debugcart'],
    ...['-ciamodel', String(ciaModels.indexOf(ciaModel))],
    ...['-limitcycles', String(limit), '-exitscreenshot', shot, '-autostartprgmode', '1', '-autostart', program],
  ]
  const environment = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
  try {
    const log = await new Promise<string>((ended) => {
      // It leaves with what was written, or with 1 at the limit; its log says which of the two.
      execFile('x64sc', options, { env: environment, timeout: WAIT_MS, maxBuffer: 1 << 26 }, (_error, out, errors) =>
        ended(`${out}${errors}`),
      )
    })
    const [, code, cycles] = /DBGCART: exit\((\d+)\) cycles elapsed: (\d+)/.exec(log) ?? []
    const pixels = readShot(shot)
    return {
      written: code === undefined ? null : Number(code),
      border: borderOf(pixels),
      text: textOf(pixels, new Uint8Array(readFileSync(roms.character))),
      cycles: cycles === undefined ? limit : Number(cycles),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readShot(file: string): Pixels {
  const { data, width, height, channels } = decode(readFileSync(file))
  if (width !== PICTURE_WIDTH) throw new Error(`VICE's screenshot is ${width} pixels wide, not ${PICTURE_WIDTH}.`)
  const known = new Map<number, number>()
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => {
    const at = index * channels
    const rgb = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
    const color = known.get(rgb) ?? nearestColor(rgb)
    known.set(rgb, color)
    return color
  })
  return { colors: pixels, displayY: DISPLAY_Y }
}

function nearestColor(rgb: number): number {
  const distances = colors.map((color) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((color >> shift) & 0xff) - ((rgb >> shift) & 0xff)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}
