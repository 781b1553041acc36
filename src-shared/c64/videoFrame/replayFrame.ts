/**
 * Draws a frame of the VIC-II again, line by line, from its beginning and the writes since. Registers count as they
 * stand where the chip looks at them in a line (`lineCycles`); RAM is that of the frame's beginning, except for the
 * sprite pointers.
 */
import type { Picture } from '../../contract/memory'
import type { VideoChange, VideoFrame } from '../../contract/videoFrame'
import { firstRasterLine, packPixels, PICTURE_WIDTH, pictureHeight } from '../picture'
import { cyclesPerLine, lineCycles, rasterOf, VideoLogic, type VideoMemory } from '../vicii'

export interface ReplayedLine {
  readonly line: number
  readonly y: number | null
  readonly registers: Uint8Array
  readonly memory: VideoMemory
}

export interface ReplayListener {
  /**
   * @param sprites those that the line shows, one bit each
   * @param isOpen no upper or lower border covers the line
   */
  drawn(line: ReplayedLine, sprites: number, isOpen: boolean): void
  /** @param begun sprites whose first line is the next one, one bit each */
  fetched(line: ReplayedLine, begun: number, shown: number): void
}

/**
 * @param listener hears of the second of two frames: the first gives the lines that carry over from the frame before
 */
export function replayFrame(frame: VideoFrame, listener: ReplayListener): Picture {
  const { standard } = frame
  const height = pictureHeight(standard)
  const pixels = new Uint8Array(PICTURE_WIDTH * height)
  const video = new VideoLogic(standard)
  for (const told of [null, listener]) runFrame(frame, video, pixels, told)
  return { width: PICTURE_WIDTH, height, pixels: packPixels(pixels) }
}

function runFrame(frame: VideoFrame, video: VideoLogic, pixels: Uint8Array, listener: ReplayListener | null): void {
  const { standard, characterRom, colorRam } = frame
  const { lines } = rasterOf[standard]
  const height = pictureHeight(standard)
  const first = firstRasterLine(standard)
  const beyond = new Uint8Array(PICTURE_WIDTH)
  const registers = frame.registers.slice()
  const memory = { ram: frame.ram.slice(), characterRom, colorRam, bank: frame.bank }
  const applyUntil = changesInto(frame, registers, memory)
  for (let line = 0; line < lines; line++) {
    const row = (line - first + lines) % lines
    const y = row < height ? row : null
    const state = { line, y, registers, memory }
    applyUntil(line, lineCycles.matrix)
    const badLine = video.beginLine(line, registers, memory)
    applyUntil(line, lineCycles.draw)
    video.drawLine(
      line,
      registers,
      memory,
      y === null ? beyond : pixels.subarray(y * PICTURE_WIDTH, (y + 1) * PICTURE_WIDTH),
    )
    listener?.drawn(state, video.counters.spritesShown, !video.counters.verticalBorder)
    applyUntil(line, lineCycles.sprites[standard])
    const before = video.counters.spriteDma
    const shown = video.endLine(line, registers, memory, badLine)
    listener?.fetched(state, shown & ~before, shown)
  }
}

/** Goes on each time from where it was, up to a cycle of a line. */
function changesInto(
  { changes, standard }: VideoFrame,
  registers: Uint8Array,
  memory: VideoMemory & { bank: number },
): (line: number, cycle: number) => void {
  const perLine = cyclesPerLine[standard]
  let next = 0
  return (line, cycle) => {
    for (; next < changes.length; next++) {
      const change = changes[next]
      if (!change || change.line * perLine + change.cycle >= line * perLine + cycle) return
      apply(change, registers, memory)
    }
  }
}

function apply({ kind, at, value }: VideoChange, registers: Uint8Array, memory: VideoMemory & { bank: number }): void {
  if (kind === 'register') registers[at] = value
  else if (kind === 'ram') memory.ram[at] = value
  else memory.bank = value & 3
}

export function ioOf({ registers, memory }: Pick<ReplayedLine, 'registers' | 'memory'>): Uint8Array {
  const io = new Uint8Array(0x1000)
  io.set(registers)
  io[0xd00] = ~memory.bank & 3
  return io
}
