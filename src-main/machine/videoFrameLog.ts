import type { VideoStandard } from '@shared/contract/machine'
import type { Picture } from '@shared/contract/memory'
import { MAX_VIDEO_CHANGES, VIC_REGISTERS, type VideoChange, type VideoFrame } from '@shared/contract/videoFrame'

export const POINTERS = 8
const POINTERS_AT = 0x3f8
/** Bit 7 reads as the raster's, and the registers of interrupts and collisions draw nothing. */
const IGNORED: ReadonlySet<number> = new Set([0x12, 0x13, 0x14, 0x19, 0x1a, 0x1e, 0x1f])

export interface VideoLook {
  /** From $D000 on. */
  readonly registers: Uint8Array
  readonly bank: number
  readonly pointers: readonly { readonly address: number; readonly bytes: Uint8Array }[]
}

export type VideoMemoryImage = Pick<VideoFrame, 'ram' | 'characterRom' | 'colorRam'>

/** The address of the sprite pointers that the VIC-II reads. */
export const pointersOf = ({ registers, bank }: Pick<VideoLook, 'registers' | 'bank'>): number =>
  (bank << 14) | (((registers[0x18] ?? 0) & 0xf0) << 6) | POINTERS_AT

export class VideoFrameLog {
  readonly #start: Pick<VideoLook, 'registers' | 'bank'>
  readonly #image: VideoMemoryImage
  readonly #standard: VideoStandard
  readonly #registers: Uint8Array
  readonly #ram: Uint8Array
  #bank: number
  readonly #changes: VideoChange[] = []
  #isFull = false

  constructor(standard: VideoStandard, start: VideoLook, image: VideoMemoryImage) {
    this.#standard = standard
    this.#start = { registers: start.registers.slice(0, VIC_REGISTERS), bank: start.bank }
    this.#image = image
    this.#bank = start.bank
    this.#registers = this.#start.registers.slice()
    this.#ram = image.ram.slice()
  }

  look({ registers, bank, pointers }: VideoLook, place: Pick<VideoChange, 'line' | 'cycle'>): void {
    for (let at = 0; at < VIC_REGISTERS; at++) {
      const value = (registers[at] ?? 0) & (at === 0x11 ? 0x7f : 0xff)
      const before = (this.#registers[at] ?? 0) & (at === 0x11 ? 0x7f : 0xff)
      if (value === before || IGNORED.has(at)) continue
      this.#registers[at] = value
      this.#add({ ...place, kind: 'register', at, value })
    }
    if (bank !== this.#bank) {
      this.#bank = bank
      this.#add({ ...place, kind: 'bank', at: 0, value: bank })
    }
    for (const { address, bytes } of pointers)
      for (let n = 0; n < POINTERS; n++) {
        const value = bytes[n] ?? 0
        if (value === this.#ram[address + n]) continue
        this.#ram[address + n] = value
        this.#add({ ...place, kind: 'ram', at: address + n, value })
      }
  }

  result(isCut: boolean, cost: VideoFrame['cost'], picture: Picture | null = null): VideoFrame {
    return {
      standard: this.#standard,
      ...this.#start,
      ...this.#image,
      changes: this.#changes,
      cost,
      picture: isCut ? null : picture,
      isCut: isCut || this.#isFull,
    }
  }

  #add(change: VideoChange): void {
    if (this.#changes.length < MAX_VIDEO_CHANGES) this.#changes.push(change)
    else this.#isFull = true
  }
}

/** Cycles are counted from 0. */
export const cycleBefore = (
  { line, cycle }: Pick<VideoChange, 'line' | 'cycle'>,
  { cyclesPerLine, linesPerFrame }: { readonly cyclesPerLine: number; readonly linesPerFrame: number },
): Pick<VideoChange, 'line' | 'cycle'> =>
  cycle > 0
    ? { line, cycle: cycle - 1 }
    : { line: (line - 1 + linesPerFrame) % linesPerFrame, cycle: cyclesPerLine - 1 }
