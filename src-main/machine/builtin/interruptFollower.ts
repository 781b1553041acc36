import { InterruptTimeline } from '@shared/c64/profile/interruptTimeline'
import { cyclesPerLine } from '@shared/c64/vicii'
import type { Interrupts } from '@shared/contract/running'
import type { C64 } from './c64'
import { NMI_VECTOR } from './control'
import type { InstructionFollower } from './instructionFollower'
import { cyclesPerFrame } from './raster'

const JMP_INDIRECT = 0x6c

export class InterruptFollower implements InstructionFollower {
  readonly #c64: C64
  readonly #frames: number
  readonly #timeline = new InterruptTimeline()
  #line: number
  #start: number | null = null
  #pc = 0
  #sp = 0
  #clock = 0
  #isInterrupt = false
  #isJump = false
  readonly #notRequested: { irq: number | null; nmi: number | null } = { irq: null, nmi: null }

  constructor(c64: C64, frames: number) {
    this.#c64 = c64
    this.#frames = frames
    this.#line = c64.rasterLine
  }

  readonly begin = (): void => {
    const { cpu, space, clock } = this.#c64
    this.#pc = space.locationOf(cpu.pc)
    this.#sp = cpu.sp
    this.#clock = clock
    this.#isInterrupt = cpu.interrupted
    this.#isJump = this.#timeline.isInInterrupt && !cpu.interrupted && space.peek(cpu.pc) === JMP_INDIRECT
    if (!cpu.irq) this.#notRequested.irq = clock
    if (!cpu.nmiLatched) this.#notRequested.nmi = clock
    cpu.vectorTaken = null
  }

  readonly end = (): boolean => {
    const { cpu, space, clock, rasterLine, lineCycle, standard } = this.#c64
    const isNewFrame = rasterLine < this.#line
    this.#line = rasterLine
    if (this.#start === null) {
      if (isNewFrame) this.#start = clock - lineCycle
      return false
    }
    const vector = cpu.vectorTaken
    if (this.#isInterrupt && vector !== null) {
      const kind = vector === NMI_VECTOR ? 'nmi' : 'irq'
      const before = this.#notRequested[kind]
      const waited = before === null ? null : this.#clock - before
      this.#timeline.enter(
        { kind, entry: space.locationOf(cpu.pc), start: this.#clock - this.#start, waited },
        this.#sp,
      )
    } else if (this.#isJump) this.#timeline.jumped(this.#pc, space.locationOf(cpu.pc))
    this.#timeline.ran(clock - this.#clock, cpu.sp, clock - this.#start)
    return clock - this.#start >= this.#frames * cyclesPerFrame(standard)
  }

  get result(): Interrupts {
    const { clock, standard } = this.#c64
    const perLine = cyclesPerLine[standard]
    return {
      cycles: this.#start === null ? 0 : clock - this.#start,
      cyclesPerLine: perLine,
      linesPerFrame: cyclesPerFrame(standard) / perLine,
      isCut: this.#timeline.isCut,
      spans: this.#timeline.spans,
    }
  }
}
