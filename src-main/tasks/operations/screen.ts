import { screenToText, type CharacterSet } from '@shared/c64/screenCodes'
import { decodeVideo, IO_SIZE, IO_START, isCharacterRom, type Video } from '@shared/c64/video'
import type { Machine } from '../../machine/machine'
import { ramOrCpu } from '../../machine/readImage'
import { NotNow } from '../operation'

/** Readable on real machines too: the VIC-II without its collision registers, and the bank in CIA 2. */
const graphicsRegisters = [
  [0xd000, 0x1e],
  [0xd020, 0x20],
  [0xdd00, 1],
] as const

export const SCREEN_BYTES = 1000

/**
 * 4096 bytes from $D000, with the registers for the place and colours of the graphics.
 * @throws NotNow
 */
export async function readGraphicsRegisters(
  machine: Machine,
  signal: AbortSignal,
): Promise<{ io: Uint8Array; video: Video }> {
  const io = new Uint8Array(IO_SIZE)
  for (const [address, length] of graphicsRegisters) {
    io.set(await machine.readMemory({ space: 'io', address, length }, signal), address - IO_START)
  }
  const video = decodeVideo(io)
  if (video.visible) return { io, video }
  throw new NotNow(
    'The program has switched the chips out of the CPU’s sight, so that nobody can tell where its graphics are.',
    'Most programs do so for a moment only: try again.',
  )
}

export interface TextScreen {
  readonly video: Video
  /** 1000 screen codes. */
  readonly codes: Uint8Array
  readonly set: CharacterSet
  /** 25 rows of 40 characters. */
  readonly rows: string[]
}

export async function readTextScreen(
  machine: Machine,
  signal: AbortSignal,
  charset: CharacterSet | 'auto',
): Promise<TextScreen> {
  const { video } = await readGraphicsRegisters(machine, signal)
  const codes = await machine.readMemory(
    { space: ramOrCpu(machine), address: video.screen, length: SCREEN_BYTES },
    signal,
  )
  const set = charset === 'auto' ? shownSet(video) : charset
  return { video, codes, set, rows: screenToText(codes, set) }
}

/** Bit 11 of the address chooses between the ROM's two sets; the meaning of glyphs in RAM is unknown. */
const shownSet = ({ characters }: Video): CharacterSet =>
  isCharacterRom(characters) && (characters & 0x0800) !== 0 ? 'lower' : 'upper'

export const trimmed = (rows: readonly string[]): string[] => rows.map((row) => row.trimEnd())
