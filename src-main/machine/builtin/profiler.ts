import { JSR } from '@shared/c64/disassembler'
import { CallTree, type CallNode } from '@shared/c64/profile/callTree'
import type { C64 } from './c64'
import { NMI_VECTOR } from './control'
import type { InstructionFollower } from './instructionFollower'

export class Profiler implements InstructionFollower {
  readonly #c64: C64
  readonly #tree = new CallTree()
  readonly #start: number
  readonly #end: number
  #pc = 0
  #sp = 0
  #clock = 0
  #cycles = 0
  #isInterrupt = false
  #isCall = false

  constructor(c64: C64, cycles: number) {
    this.#c64 = c64
    this.#start = c64.clock
    this.#end = c64.clock + cycles
  }

  readonly begin = (): void => {
    const { cpu, space, clock } = this.#c64
    this.#pc = space.locationOf(cpu.pc)
    this.#sp = cpu.sp
    this.#clock = clock
    this.#isInterrupt = cpu.interrupted
    this.#isCall = !cpu.interrupted && space.peek(cpu.pc) === JSR
    cpu.vectorTaken = null
  }

  readonly end = (): boolean => {
    const { cpu, space, clock } = this.#c64
    const here = space.locationOf(cpu.pc)
    const cycles = clock - this.#clock
    const vector = cpu.vectorTaken
    if (this.#isInterrupt && vector !== null) {
      this.#tree.enter(vector === NMI_VECTOR ? 'nmi' : 'irq', here, this.#pc, this.#sp)
      this.#tree.ran(here, cycles, cpu.sp)
    } else {
      this.#tree.ran(this.#pc, cycles, cpu.sp)
      if (vector !== null) this.#tree.enter(vector === NMI_VECTOR ? 'nmi' : 'brk', here, this.#pc, this.#sp)
      else if (this.#isCall) this.#tree.enter('call', here, this.#pc, this.#sp)
    }
    this.#cycles = clock - this.#start
    return clock >= this.#end
  }

  get result(): { readonly cycles: number; readonly isCut: boolean; readonly nodes: CallNode[] } {
    return { cycles: this.#cycles, isCut: this.#tree.isCut, nodes: this.#tree.nodes }
  }
}
