/**
 * The MOS 6510 as a machine runs it: one instruction at a time, of which every cycle is a call of the bus. It is exact
 * to the cycle because its reads and writes are all there, also those whose bytes the chip ignores.
 */
import { z } from 'zod'
import { takeInterrupt, takeReset } from './control'
import { instructions } from './opcodes'
import { flagsFrom, Processor } from './processor'
import { byte, word } from './numbers'

/** Between two instructions. */
export const cpuSchema = z.strictObject({
  pc: word,
  a: byte,
  x: byte,
  y: byte,
  sp: byte,
  flags: byte,
  /** The level of the IRQ input. */
  irq: z.boolean(),
  /** An edge on the NMI input that was not served yet. */
  nmiLatched: z.boolean(),
  /** Decided already: an interrupt comes before the next instruction. */
  interrupted: z.boolean(),
  jammedAt: word.nullable(),
})
export type CpuState = z.infer<typeof cpuSchema>

export class Cpu extends Processor {
  #resetting = true

  /** A falling edge on the NMI input. */
  nmi(): void {
    this.nmiLatched = true
  }

  /** The reset line was pulled. */
  reset(): void {
    this.#resetting = true
    this.nmiLatched = false
    this.interrupted = false
    this.jammedAt = null
  }

  /** One instruction, or one sequence that takes an interrupt or a reset. */
  step(): void {
    if (this.#resetting) {
      this.#resetting = false
      takeReset(this)
    } else if (this.jammedAt !== null) {
      this.bus.read(0xffff)
    } else if (this.interrupted) {
      takeInterrupt(this)
    } else {
      const opcode = this.fetch()
      instructions[opcode]?.(this)
    }
  }

  save(): CpuState {
    const { pc, a, x, y, sp, flags, irq, nmiLatched, interrupted, jammedAt } = this
    return { pc, a, x, y, sp, flags, irq, nmiLatched, interrupted, jammedAt }
  }

  restore(state: CpuState): void {
    Object.assign(this, state)
    this.flags = flagsFrom(state.flags)
    this.#resetting = false
  }
}
