/** A program in x64sc, as fast as it goes, and the picture that it shows in the end. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { PICTURE_WIDTH } from '@shared/c64/picture'
import type { VideoStandard } from '@shared/contract/machine'
import { plainWindow, viceRomOptions, type RomFiles } from './ownRoms'

/** The first line of the display window in VICE's screenshots. */
export const viceDisplayY = { pal: 35, ntsc: 23 } as const

interface ShotOptions {
  readonly roms: RomFiles
  readonly standard: VideoStandard
  /** Cycles after which it ends. */
  readonly limit: number
  /** Milliseconds after which it has stopped. */
  readonly timeout: number
  readonly options?: readonly string[]
}

interface Shot {
  /** 0xRRGGBB, {@link PICTURE_WIDTH} a line. */
  readonly pixels: Uint32Array
  readonly log: string
}

export async function viceShot(
  program: string,
  { roms, standard, limit, timeout, options = [] }: ShotOptions,
): Promise<Shot> {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-shot-'))
  const shot = join(folder, 'end.png')
  const all = [
    ...viceRomOptions(roms),
    `-${standard}`,
    '-sounddev',
    'dummy',
    '-warp',
    ...plainWindow,
    ...options,
    '-limitcycles',
    String(limit),
    '-exitscreenshot',
    shot,
    '-autostartprgmode',
    '1',
    '-autostart',
    program,
  ]
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
  try {
    const log = await new Promise<string>((ended) => {
      // It leaves with an error at the limit: the screenshot and the log say how it went.
      execFile('x64sc', all, { env, timeout, maxBuffer: 1 << 26 }, (_error, out, errors) => ended(`${out}${errors}`))
    })
    return { pixels: readPng(shot), log }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The pixels of one of VICE's screenshots, as {@link Shot} has them. */
export function readPng(file: string): Uint32Array {
  const { data, width, height, channels } = decode(readFileSync(file))
  if (width !== PICTURE_WIDTH) throw new Error(`VICE's screenshot is ${width} pixels wide, not ${PICTURE_WIDTH}.`)
  return Uint32Array.from({ length: width * height }, (_, index) => {
    const at = index * channels
    return ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
  })
}
