import { instructionLength } from '@shared/c64/disassembler'
import type { Traced } from '@shared/contract/running'
import type { C64 } from './c64'
import { NMI_VECTOR } from './control'
import type { InstructionFollower } from './instructionFollower'

export class Tracer implements InstructionFollower {
  readonly #c64: C64
  readonly #count: number
  readonly #start: number
  readonly #cycles: number
  readonly #traced: Traced[] = []
  #isInterrupt = false

  constructor(c64: C64, count: number, cycles: number) {
    this.#c64 = c64
    this.#count = count
    this.#start = c64.clock
    this.#cycles = cycles
  }

  readonly begin = (): void => {
    const { cpu, space, clock, rasterLine, lineCycle } = this.#c64
    const { pc, a, x, y, sp, flags } = cpu
    this.#isInterrupt = cpu.interrupted
    cpu.vectorTaken = null
    const length = cpu.interrupted ? 0 : instructionLength(space.peek(pc))
    const bytes = Array.from({ length }, (_, offset) => space.peek((pc + offset) & 0xffff))
    const { pins } = space
    this.#traced.push({ clock, pc, bytes, interrupt: null, a, x, y, sp, flags, pins, line: rasterLine, lineCycle })
  }

  readonly end = (): boolean => {
    const { cpu, clock } = this.#c64
    const last = this.#traced.at(-1)
    if (last && this.#isInterrupt) last.interrupt = cpu.vectorTaken === NMI_VECTOR ? 'nmi' : 'irq'
    return this.#traced.length >= this.#count || clock - this.#start >= this.#cycles
  }

  get result(): { readonly traced: Traced[]; readonly cycles: number } {
    return { traced: this.#traced, cycles: this.#c64.clock - this.#start }
  }
}
