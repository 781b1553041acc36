import { cyclesPerLine, rasterOf } from '@shared/c64/vicii'
import type { Picture } from '@shared/contract/memory'
import type { VideoFrame } from '@shared/contract/videoFrame'
import { cycleBefore, pointersOf, POINTERS, VideoFrameLog, type VideoLook } from '../videoFrameLog'
import type { C64 } from './c64'
import type { InstructionFollower } from './instructionFollower'

export class VideoFrameFollower implements InstructionFollower {
  readonly #c64: C64
  #line: number
  #log: VideoFrameLog | undefined
  #isDone = false
  #picture: Picture | null = null

  constructor(c64: C64) {
    this.#c64 = c64
    this.#line = c64.rasterLine
  }

  readonly begin = (): void => undefined

  readonly end = (): boolean => {
    const { rasterLine: line, lineCycle: cycle, standard } = this.#c64
    const isNewFrame = line < this.#line
    this.#line = line
    if (!this.#log) {
      if (!isNewFrame) return false
      const { ram, characterRom, colorRam } = this.#c64.videoMemory
      const image = { ram: ram.slice(), characterRom: characterRom.slice(), colorRam: colorRam.slice() }
      this.#log = new VideoFrameLog(standard, this.#look(), image)
      return false
    }
    this.#isDone = isNewFrame
    if (isNewFrame) this.#picture = this.#c64.picture()
    const size = { cyclesPerLine: cyclesPerLine[standard], linesPerFrame: rasterOf[standard].lines }
    if (!isNewFrame) this.#log.look(this.#look(), cycleBefore({ line, cycle }, size))
    return isNewFrame
  }

  get result(): VideoFrame | null {
    return this.#log?.result(!this.#isDone, null, this.#picture) ?? null
  }

  #look(): VideoLook {
    const { vic, videoMemory } = this.#c64
    const seen = { registers: vic.registers, bank: videoMemory.bank }
    const address = pointersOf(seen)
    return { ...seen, pointers: [{ address, bytes: videoMemory.ram.subarray(address, address + POINTERS) }] }
  }
}
