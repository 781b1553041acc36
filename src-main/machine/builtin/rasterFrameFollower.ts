import { chips } from '@shared/c64/chips'
import type { Picture } from '@shared/contract/memory'
import {
  cycleByte,
  firstHalves,
  MAX_CHIP_WRITES,
  secondHalves,
  type ChipWrite,
  type RasterFrame,
  type SecondHalf,
} from '@shared/contract/rasterFrame'
import { VIC_REGISTERS } from '@shared/contract/videoFrame'
import type { C64 } from './c64'
import type { InstructionFollower } from './instructionFollower'
import { cyclesPerFrame } from './raster'

/** It waits up to a frame for the next one to begin, and an instruction may begin in a frame's last cycle. */
const FRAMES = 2
const LONGEST_INSTRUCTION_CYCLES = 100
const NOT_ACCESSED = 0xff

const halfByte = (half: SecondHalf): number => secondHalves.indexOf(half)
const [READS, WRITES, WAITS] = [halfByte('reads'), halfByte('writes'), halfByte('waits')]

export class RasterFrameFollower implements InstructionFollower {
  readonly #c64: C64
  readonly #base: number
  readonly #length: number
  readonly #accesses: Uint8Array
  readonly #cycles: Uint8Array
  readonly #instructions: Uint16Array
  readonly #writes: {
    readonly clock: number
    readonly address: number
    readonly value: number
  }[] = []
  #start: number | null = null
  #instruction = 0
  #picture: Picture | null = null

  constructor(c64: C64) {
    this.#c64 = c64
    this.#base = c64.clock
    this.#length = cyclesPerFrame(c64.standard)
    const entries = FRAMES * (this.#length + LONGEST_INSTRUCTION_CYCLES)
    this.#accesses = new Uint8Array(entries).fill(NOT_ACCESSED)
    this.#cycles = new Uint8Array(entries)
    this.#instructions = new Uint16Array(entries)
  }

  readonly begin = (): void => {
    this.#instruction = this.#c64.cpu.pc
  }

  readonly access = (address: number, written: number | null): void => {
    const { clock, space } = this.#c64
    this.#accesses[clock - this.#base] = written === null ? READS : WRITES
    this.#instructions[clock - this.#base] = this.#instruction
    if (written === null || !space.ioVisible) return
    const register = registerOf(address)
    if (register !== null && this.#writes.length < FRAMES * MAX_CHIP_WRITES)
      this.#writes.push({ clock, address: register, value: written })
  }

  readonly cycle = (): void => {
    const { vic, raster } = this.#c64
    const at = raster.now - this.#base
    if (at < 0) return
    if (vic.frameEnds && this.#start === null) this.#start = raster.now
    this.#cycles[at] = cycleByte(
      firstHalves.indexOf(vic.reads),
      vic.taken === null ? WAITS : secondHalves.indexOf(vic.taken),
    )
  }

  readonly end = (): boolean => {
    const { clock } = this.#c64
    if (this.#start === null || clock < this.#start + this.#length) return false
    this.#picture = this.#c64.picture()
    return true
  }

  get result(): RasterFrame | null {
    const picture = this.#picture
    const start = this.#start
    if (!picture || start === null) return null
    const { standard, vic } = this.#c64
    const { cycles: cyclesPerLine, lines: linesPerFrame, sprites } = vic.timing
    const first = start - this.#base
    const cycles = this.#cycles.slice(first, first + this.#length).map((byte, cycle) => {
      const access = this.#accesses[first + cycle] ?? NOT_ACCESSED
      return access === NOT_ACCESSED ? byte : (byte & 0xf0) | access
    })
    const writes: ChipWrite[] = this.#writes
      .filter(({ clock }) => clock >= start && clock < start + this.#length)
      .map(({ clock, ...write }) => {
        const cycle = clock - start
        return { line: Math.floor(cycle / cyclesPerLine), cycle: cycle % cyclesPerLine, ...write }
      })
    const instructions = this.#instructionsFrom(first)
    return { standard, cyclesPerLine, linesPerFrame, cycles, instructions, sprites: [...sprites], writes, picture }
  }

  /** A cycle in which the CPU waits belongs to the instruction whose read follows. */
  #instructionsFrom(first: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(2 * this.#length)
    let instruction = this.#instruction
    for (let cycle = this.#length - 1; cycle >= 0; cycle--) {
      if (this.#accesses[first + cycle] !== NOT_ACCESSED) instruction = this.#instructions[first + cycle] ?? 0
      bytes[2 * cycle] = instruction & 0xff
      bytes[2 * cycle + 1] = instruction >> 8
    }
    return bytes
  }
}

function registerOf(address: number): number | null {
  if (address >= chips.vic.start && address < chips.vic.start + 0x400) {
    const register = chips.vic.start | (address & 0x3f)
    return register < chips.vic.start + VIC_REGISTERS ? register : null
  }
  return address >= chips.cia2.start && address < chips.cia2.start + 0x100 && (address & 0x0f) === 0
    ? chips.cia2.start
    : null
}
