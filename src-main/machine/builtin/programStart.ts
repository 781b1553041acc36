import { spaceRead } from '@shared/c64/banking'
import { isCodeOf, runsBasicOf } from '@shared/c64/begunProgram'
import { parsePrg, type Program } from '@shared/c64/prg'
import { CURSOR_OFF, type C64 } from './c64'
import { KEY_COUNT } from './hostInput'
import type { InstructionFollower } from './instructionFollower'

/** Three seconds, in cycles, for the KERNAL to read what is typed. */
const MAX_CYCLES = 3_000_000
/** At the prompt with nothing left to read for this long, the program has ended, or did not begin. */
const PROMPT_CYCLES = 100_000

export class ProgramStart implements InstructionFollower {
  readonly #c64: C64
  readonly #program: Program
  readonly #begun: number
  #promptSince: number | null = null
  hasStarted = false

  constructor(c64: C64, file: Uint8Array) {
    this.#c64 = c64
    this.#program = parsePrg(file)
    this.#begun = c64.clock
  }

  readonly begin = (): void => undefined

  readonly end = (): boolean => {
    const { cpu, clock } = this.#c64
    this.hasStarted = this.#isOwn(cpu.pc) || runsBasicOf(this.#program, this.#byte)
    if (this.hasStarted) return true
    if (clock - this.#begun >= MAX_CYCLES) return true
    if (!this.#isReading) this.#promptSince = null
    else this.#promptSince ??= clock
    return this.#promptSince !== null && clock - this.#promptSince >= PROMPT_CYCLES
  }

  get #isReading(): boolean {
    const { space, input } = this.#c64
    return space.ram[CURSOR_OFF] === 0 && space.ram[KEY_COUNT] === 0 && input.typing.length === 0
  }

  /** A pending interrupt comes before the instruction. */
  #isOwn(pc: number): boolean {
    return isCodeOf(this.#program, pc) && !this.#c64.cpu.interrupted && spaceRead(this.#c64.space.pins, pc) === 'ram'
  }

  readonly #byte = (address: number): number => this.#c64.space.ram[address] ?? 0
}
