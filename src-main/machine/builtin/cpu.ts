/** The 6510: the cycle-exact core of 6502.ts, with what it lacks for saving and restoring. */
import type BusInterface from '6502.ts/lib/machine/bus/BusInterface'
import importedCore from '6502.ts/lib/machine/cpu/StateMachineCpu'
import { z } from 'zod'

const byte = z.int().min(0).max(255)

export const cpuSchema = z.strictObject({
  pc: z.int().min(0).max(0xffff),
  a: byte,
  x: byte,
  y: byte,
  sp: byte,
  flags: byte,
  /** Decided at the last poll, taken before the next instruction. */
  irq: z.boolean(),
  nmi: z.boolean(),
  irqLine: z.boolean(),
  nmiPending: z.boolean(),
  pollAtFetch: z.boolean(),
})
export type CpuState = z.infer<typeof cpuSchema>

/** `CpuInterface.ExecutionState`, whose constants cannot be imported one file at a time: an instruction is to be fetched. */
const FETCH = 1

/** Fields that 6502.ts (pinned to 1.1.4) keeps to itself; without them a restored CPU takes an interrupt an instruction late. */
const NMI_PENDING = '_nmiPending'
const POLL_AT_FETCH = '_pollInterruptsAfterLastInstruction'

const isCore = (value: unknown): value is typeof importedCore => typeof value === 'function'

/** The package is CommonJS: by Node's rules, which the bundler follows, its default import is the whole `exports`. */
const Core = [importedCore, Reflect.get(importedCore, 'default')].find(isCore) ?? importedCore
type Core = importedCore

export class Cpu {
  readonly core: Core
  /** Where the CPU stopped at an opcode it cannot run, until the next reset. */
  jammedAt: number | null = null

  constructor(bus: BusInterface) {
    this.core = new Core(bus)
    this.core.setInvalidInstructionCallback(() => {
      const address = this.core.getLastInstructionPointer()
      this.core.state.p = address
      this.jammedAt = address
      this.core.halt()
    })
  }

  reset(): void {
    this.jammedAt = null
    this.core.reset()
  }

  /** Between two instructions: the only place where the CPU can be saved, stepped to or changed from outside. */
  get atInstruction(): boolean {
    const executionState: number = this.core.executionState
    return executionState === FETCH
  }

  save(): CpuState {
    const { state } = this.core
    return {
      pc: state.p,
      a: state.a,
      x: state.x,
      y: state.y,
      sp: state.s,
      flags: state.flags,
      irq: state.irq,
      nmi: state.nmi,
      irqLine: this.core.isInterrupt(),
      nmiPending: z.boolean().parse(Reflect.get(this.core, NMI_PENDING)),
      pollAtFetch: z.boolean().parse(Reflect.get(this.core, POLL_AT_FETCH)),
    }
  }

  restore(saved: CpuState): void {
    this.reset()
    const { state } = this.core
    Object.assign(state, {
      p: saved.pc,
      a: saved.a,
      x: saved.x,
      y: saved.y,
      s: saved.sp,
      flags: saved.flags,
      irq: saved.irq,
      nmi: saved.nmi,
    })
    this.core.setInterrupt(saved.irqLine)
    Reflect.set(this.core, NMI_PENDING, saved.nmiPending)
    Reflect.set(this.core, POLL_AT_FETCH, saved.pollAtFetch)
    Reflect.set(this.core, 'executionState', FETCH)
  }
}
