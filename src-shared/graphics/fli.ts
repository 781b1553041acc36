/**
 * Recognises FLI: a bitmap whose screen is changed in each raster line, so that the eight lines of a cell have colours
 * of their own. One memory image cannot prove it, so the result is never more than "likely".
 */
import { decodeVideo, isCharacterRom, type Video } from '../c64/video'
import { SCREEN_CELLS } from './artwork'
import type { GraphicsImage } from './grab'

const SCREENS = 8
const SCREEN_STEP = 0x400
const HALF_BANK = 0x2000

/** Registers that FLI writes in each line: the screen's address, and the scroll that makes the VIC-II read it again. */
export const fliRegisters = [0xd011, 0xd018] as const

export interface LikelyFli {
  readonly screens: number
  readonly bitmap: number
  readonly reasons: readonly string[]
}

/** Share of equal cells in neighbouring screens: other memory has a quarter in common. */
const MIN_ALIKE = 0.6
/** Share of cells with lines of different colours. */
const MIN_DIFFERENT = 0.04
/** Share of differing cells in any two neighbouring screens: unused screens are equal. */
const MIN_CHANGED = 0.005

/** Where an FLI picture has its screens: in the half of the VIC-II's bank that its bitmap leaves free. */
export const fliScreens = (video: Pick<Video, 'bankStart' | 'bitmap'>): number =>
  video.bitmap === video.bankStart ? video.bankStart + HALF_BANK : video.bankStart

/**
 * @param written addresses of $D000 to $D3FF that the program wrote within the last frame; null where not known
 * @returns null where it is not FLI
 */
export function likelyFli(image: GraphicsImage, written: ReadonlySet<number> | null): LikelyFli | null {
  const video = decodeVideo(image.io)
  if (video.mode !== 'bitmap' && video.mode !== 'multicolourBitmap') return null
  if (written && !fliRegisters.every((register) => written.has(register))) return null
  const screens = fliScreens(video)
  const places = Array.from({ length: SCREENS }, (_, line) => screens + line * SCREEN_STEP)
  if (places.some(isCharacterRom)) return null
  const parts = places.map((address) => image.ram.subarray(address, address + SCREEN_CELLS))
  const { alike, changed, different } = compareScreens(parts)
  if (alike < MIN_ALIKE || changed < MIN_CHANGED || different < MIN_DIFFERENT) return null
  const reasons = [
    `Eight screens in the bank resemble their neighbours in ${percent(alike)} of the cells or more, and differ in ${percent(different)}.`,
    ...(written ? ['The program wrote $D011 and $D018 within the last frame.'] : []),
  ]
  return { screens, bitmap: video.bitmap, reasons }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

function compareScreens(screens: readonly Uint8Array[]): {
  readonly alike: number
  readonly changed: number
  readonly different: number
} {
  const alike = new Uint16Array(SCREENS - 1)
  const changed = new Uint16Array(SCREENS - 1)
  let different = 0
  for (let cell = 0; cell < SCREEN_CELLS; cell++) {
    let differs = false
    for (let line = 1; line < SCREENS; line++) {
      const [before, now] = [screens[line - 1]?.[cell] ?? 0, screens[line]?.[cell] ?? 0]
      if (shareColour(before, now)) alike[line - 1] = (alike[line - 1] ?? 0) + 1
      if (before === now) continue
      changed[line - 1] = (changed[line - 1] ?? 0) + 1
      differs = true
    }
    if (differs) different++
  }
  return {
    alike: Math.min(...alike) / SCREEN_CELLS,
    changed: Math.min(...changed) / SCREEN_CELLS,
    different: different / SCREEN_CELLS,
  }
}

function shareColour(one: number, other: number): boolean {
  const [high, low] = [other >> 4, other & 0x0f]
  return one >> 4 === high || one >> 4 === low || (one & 0x0f) === high || (one & 0x0f) === low
}

export function fliScreenBytes(ram: Uint8Array, screens: number): Uint8Array {
  const bytes = new Uint8Array(SCREENS * SCREEN_CELLS)
  for (let line = 0; line < SCREENS; line++) {
    const address = screens + line * SCREEN_STEP
    bytes.set(ram.subarray(address, address + SCREEN_CELLS), line * SCREEN_CELLS)
  }
  return bytes
}
