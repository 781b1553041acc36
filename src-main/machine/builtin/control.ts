import type { Instruction } from './addressing'
import { BREAK, flagsFrom, INTERRUPTS_OFF, type Processor } from './processor'

export const NMI_VECTOR = 0xfffa
const RESET_VECTOR = 0xfffc
export const IRQ_VECTOR = 0xfffe

export function implied(operation: (cpu: Processor) => void): Instruction {
  return (cpu) => {
    cpu.load(cpu.pc)
    operation(cpu)
  }
}

/**
 * Interrupts are checked with the old flag; while the second cycle waits, with the new one. A waiting CLI does not
 * delay an interrupt, and a waiting SEI blocks one that comes meanwhile.
 */
export function setInterruptsOff(off: boolean): Instruction {
  return (cpu) => {
    cpu.poll()
    cpu.setFlag(INTERRUPTS_OFF, off)
    cpu.bus.read(cpu.pc)
  }
}

/** Interrupt inputs are checked before the second cycle, and once more only where the branch crosses a page. */
export function branch(flag: number, wanted: boolean): Instruction {
  return (cpu) => {
    cpu.poll()
    const offset = cpu.fetch()
    if (((cpu.flags & flag) !== 0) !== wanted) return
    const { pc, interrupted } = cpu
    cpu.pc = (pc + ((offset << 24) >> 24)) & 0xffff
    cpu.bus.read(pc)
    if (((cpu.pc ^ pc) & 0xff00) === 0) cpu.interrupted = interrupted
    else cpu.load((pc & 0xff00) | (cpu.pc & 0xff))
  }
}

export const jumpAbsolute: Instruction = (cpu) => {
  const low = cpu.fetch()
  cpu.pc = low | (cpu.load(cpu.pc) << 8)
}

/** The pointer's high byte comes from the same page, without carry. */
export const jumpIndirect: Instruction = (cpu) => {
  const low = cpu.fetch()
  const page = cpu.fetch() << 8
  const target = cpu.bus.read(page | low)
  cpu.pc = target | (cpu.load(page | ((low + 1) & 0xff)) << 8)
}

/** The target's high byte is read last, so that a return address pushed over it counts. */
export const jsr: Instruction = (cpu) => {
  const low = cpu.fetch()
  cpu.idleAtStack()
  pushPc(cpu)
  cpu.pc = low | (cpu.load(cpu.pc) << 8)
}

export const rts: Instruction = (cpu) => {
  cpu.bus.read(cpu.pc)
  cpu.idleAtStack()
  pullPc(cpu)
  cpu.load(cpu.pc)
  cpu.pc = (cpu.pc + 1) & 0xffff
}

export const rti: Instruction = (cpu) => {
  cpu.bus.read(cpu.pc)
  cpu.idleAtStack()
  cpu.flags = flagsFrom(cpu.pull())
  const low = cpu.pull()
  cpu.poll()
  cpu.pc = low | (cpu.pull() << 8)
}

export const pha: Instruction = (cpu) => {
  cpu.bus.read(cpu.pc)
  cpu.poll()
  cpu.push(cpu.a)
}

export const php: Instruction = (cpu) => {
  cpu.bus.read(cpu.pc)
  cpu.poll()
  cpu.push(cpu.flags | BREAK)
}

export const pla: Instruction = (cpu) => {
  cpu.bus.read(cpu.pc)
  cpu.idleAtStack()
  cpu.poll()
  cpu.a = cpu.pull()
  cpu.setNZ(cpu.a)
}

export const plp: Instruction = (cpu) => {
  cpu.bus.read(cpu.pc)
  cpu.idleAtStack()
  cpu.poll()
  cpu.flags = flagsFrom(cpu.pull())
}

export const brk: Instruction = (cpu) => {
  cpu.fetch()
  pushAndVector(cpu, cpu.flags | BREAK, false)
}

/** Only a reset helps. */
export const jam: Instruction = (cpu) => {
  cpu.pc = (cpu.pc - 1) & 0xffff
  cpu.jammedAt = cpu.pc
}

/** IRQ and NMI run as a BRK in place of the next instruction. An NMI that comes meanwhile follows. */
export const takeInterrupt: Instruction = (cpu) => {
  const nmi = cpu.nmiLatched
  cpu.nmiLatched = false
  cpu.bus.read(cpu.pc)
  cpu.bus.read(cpu.pc)
  pushAndVector(cpu, cpu.flags, nmi)
}

/** As an interrupt, but with writes turned into reads, so that the three pushes write nothing. */
export const takeReset: Instruction = (cpu) => {
  cpu.bus.read(cpu.pc)
  cpu.bus.read(cpu.pc)
  for (let pushes = 0; pushes < 3; pushes++) {
    cpu.idleAtStack()
    cpu.sp = (cpu.sp - 1) & 0xff
  }
  jumpToVector(cpu, RESET_VECTOR)
}

/** An NMI up to the fourth cycle replaces the vector of an IRQ or BRK, but not the pushed bytes. */
function pushAndVector(cpu: Processor, status: number, isNmi: boolean): void {
  pushPc(cpu)
  const hijacked = !isNmi && cpu.nmiLatched
  cpu.push(status)
  if (hijacked) cpu.nmiLatched = false
  jumpToVector(cpu, isNmi || hijacked ? NMI_VECTOR : IRQ_VECTOR)
}

/** Does not check the interrupt inputs, so that the first instruction of a handler always runs. */
function jumpToVector(cpu: Processor, vector: number): void {
  cpu.flags |= INTERRUPTS_OFF
  const low = cpu.bus.read(vector)
  cpu.pc = low | (cpu.bus.read(vector + 1) << 8)
  cpu.vectorTaken = vector
  cpu.interrupted = false
}

function pushPc(cpu: Processor): void {
  cpu.push(cpu.pc >> 8)
  cpu.push(cpu.pc & 0xff)
}

function pullPc(cpu: Processor): void {
  const low = cpu.pull()
  cpu.pc = low | (cpu.pull() << 8)
}
