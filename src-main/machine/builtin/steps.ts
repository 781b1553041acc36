import { JSR } from '@shared/c64/disassembler'
import type { C64 } from './c64'
import type { InstructionFollower } from './instructionFollower'
import { isAtReturn, stackRise } from './runTarget'

/** The most that stepping takes, cycles: about ten seconds of the machine. */
const STEP_LIMIT = 10_000_000

/** Runs some instructions; taking an interrupt counts as one. */
export class Steps implements InstructionFollower {
  readonly #c64: C64
  readonly #over: boolean
  readonly #limit: number
  #left: number
  /** Of the routine that is stepped over: where it is called from, and the stack before. */
  #call: { readonly pc: number; readonly sp: number } | undefined
  #isReturn = false

  /** @param over a JSR with all it calls counts as one instruction */
  constructor(c64: C64, count: number, over: boolean) {
    this.#c64 = c64
    this.#over = over
    this.#left = count
    this.#limit = c64.clock + STEP_LIMIT
  }

  /** Where the routine is called from that did not return in time; null for none. */
  get notReturned(): number | null {
    return this.#left > 0 && this.#c64.clock >= this.#limit ? (this.#call?.pc ?? null) : null
  }

  readonly begin = (): void => {
    const { cpu, space } = this.#c64
    this.#isReturn = this.#over && isAtReturn(this.#c64)
    if (this.#over && !this.#call && !cpu.interrupted && space.peek(cpu.pc) === JSR)
      this.#call = { pc: cpu.pc, sp: cpu.sp }
  }

  readonly end = (): boolean => {
    if (this.#call && !this.#isBehind(this.#call)) return this.#c64.clock >= this.#limit
    this.#call = undefined
    this.#left--
    return this.#left === 0 || this.#c64.clock >= this.#limit
  }

  /** A routine may return elsewhere, behind data that follows the call, or to the caller's caller. */
  #isBehind({ pc, sp }: { readonly pc: number; readonly sp: number }): boolean {
    const { cpu } = this.#c64
    const rise = stackRise(sp, cpu.sp)
    return (this.#isReturn && rise >= 0) || (rise === 0 && cpu.pc === ((pc + 3) & 0xffff))
  }
}
