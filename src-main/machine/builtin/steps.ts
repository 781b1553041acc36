import { JSR } from '@shared/c64/disassembler'
import type { C64 } from './c64'
import type { InstructionFollower } from './instructionFollower'
import { isAtReturn, stackRise } from './runTarget'

/** About ten seconds of the machine. */
const MAX_STEP_CYCLES = 10_000_000

/** Runs some instructions; taking an interrupt counts as one. */
export class Steps implements InstructionFollower {
  readonly #c64: C64
  readonly #count: number
  readonly #over: boolean
  readonly #begun: number
  #left: number
  #call: { readonly pc: number; readonly sp: number; readonly begun: number } | undefined
  #isReturn = false

  constructor(c64: C64, count: number, over: boolean) {
    this.#c64 = c64
    this.#count = count
    this.#over = over
    this.#begun = c64.clock
    this.#left = count
  }

  get timedOut(): { readonly done: number; readonly call: number | null } | null {
    if (this.#left === 0 || !this.#isOutOfTime) return null
    return { done: this.#count - this.#left, call: this.#call?.pc ?? null }
  }

  /** Each routine has its own time, so that a slow one is not blamed for those before it. */
  get #isOutOfTime(): boolean {
    return this.#c64.clock - (this.#call?.begun ?? this.#begun) >= MAX_STEP_CYCLES
  }

  readonly begin = (): void => {
    const { cpu, space, clock } = this.#c64
    this.#isReturn = this.#over && isAtReturn(this.#c64)
    if (this.#over && !this.#call && !cpu.interrupted && space.peek(cpu.pc) === JSR)
      this.#call = { pc: cpu.pc, sp: cpu.sp, begun: clock }
  }

  readonly end = (): boolean => {
    if (this.#call && !this.#isBehind(this.#call)) return this.#isOutOfTime
    this.#call = undefined
    this.#left--
    return this.#left === 0 || this.#isOutOfTime
  }

  /** A routine may return elsewhere: behind data that follows the call, or to the caller's caller. */
  #isBehind({ pc, sp }: { readonly pc: number; readonly sp: number }): boolean {
    const { cpu } = this.#c64
    const rise = stackRise(sp, cpu.sp)
    return (this.#isReturn && rise >= 0) || (rise === 0 && cpu.pc === ((pc + 3) & 0xffff))
  }
}
