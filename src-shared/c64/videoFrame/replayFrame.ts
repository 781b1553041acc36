/**
 * A frame of the VIC-II drawn again, line by line, from where it began and what was written since. Registers count as they stand
 * where the chip looks at them in a line (`lineCycles`); RAM is that of the frame's beginning, but for the sprite pointers.
 */
import type { Picture } from '../../contract/memory'
import type { VideoChange, VideoFrame } from '../../contract/videoFrame'
import { firstRasterLine, packPixels, PICTURE_WIDTH, pictureHeight } from '../picture'
import { cyclesPerLine, lineCycles, rasterOf, VideoLogic, type VideoMemory } from '../vicii'

/** The chip in a line. The arrays are those of the replay, which go on. */
export interface ReplayedLine {
  readonly line: number
  /** Null where the line is not in the picture. */
  readonly y: number | null
  readonly registers: Uint8Array
  readonly memory: VideoMemory
}

export interface ReplayListener {
  /** The line was drawn. `sprites`: those that it shows, one bit each; `isOpen`: no upper or lower border covers it. */
  drawn(line: ReplayedLine, sprites: number, isOpen: boolean): void
  /** Sprites were fetched for the next line. `begun`: those whose first line that is, one bit each. */
  fetched(line: ReplayedLine, begun: number, shown: number): void
}

/** @param listener is told of the second of two frames: the first one gives the lines that go on from the frame before */
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

/** Does what was written before a cycle of a line, each time on from where it was. */
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

/** 4096 bytes from $D000, with the registers and the bank as they are there. */
export function ioOf({ registers, memory }: Pick<ReplayedLine, 'registers' | 'memory'>): Uint8Array {
  const io = new Uint8Array(0x1000)
  io.set(registers)
  io[0xd00] = ~memory.bank & 3
  return io
}
