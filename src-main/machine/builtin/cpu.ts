/**
 * Each cycle is one call of the bus, including reads and writes whose bytes the chip ignores; that makes it
 * cycle-exact.
 */
import { z } from 'zod'
import { takeInterrupt, takeReset } from './control'
import { instructions } from './opcodes'
import { flagsFrom, Processor } from './processor'
import { byte, word } from './numbers'

export const cpuSchema = z.strictObject({
  pc: word,
  a: byte,
  x: byte,
  y: byte,
  sp: byte,
  flags: byte,
  irq: z.boolean(),
  nmiLatched: z.boolean(),
  /** Already decided: an interrupt comes before the next instruction. */
  interrupted: z.boolean(),
  jammedAt: word.nullable(),
})
export type CpuState = z.infer<typeof cpuSchema>

export class Cpu extends Processor {
  #resetting = true

  nmi(): void {
    this.nmiLatched = true
  }

  reset(): void {
    this.#resetting = true
    this.nmiLatched = false
    this.interrupted = false
    this.jammedAt = null
  }

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
