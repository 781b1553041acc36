/** Each mode returns the address and spends all cycles before the access itself. */
import type { Processor } from './processor'

export type Instruction = (cpu: Processor) => void
export type Reading = (cpu: Processor, value: number) => void
export type Writing = (cpu: Processor) => number
export type Modifying = (cpu: Processor, value: number) => number

const zeroPage = (cpu: Processor): number => cpu.fetch()

function zeroPageIndexed(cpu: Processor, index: number): number {
  const base = cpu.fetch()
  cpu.bus.read(base)
  return (base + index) & 0xff
}

function absolute(cpu: Processor): number {
  const low = cpu.fetch()
  return low | (cpu.fetch() << 8)
}

function pointerAt(cpu: Processor, zeroPageAddress: number): number {
  const low = cpu.bus.read(zeroPageAddress)
  return low | (cpu.bus.read((zeroPageAddress + 1) & 0xff) << 8)
}

const indirectX = (cpu: Processor): number => pointerAt(cpu, zeroPageIndexed(cpu, cpu.x))

const indirect = (cpu: Processor): number => pointerAt(cpu, cpu.fetch())

/** The low byte is added first; where that crosses a page, the chip has read from the wrong one. */
function indexedForRead(cpu: Processor, base: number, index: number): number {
  const address = (base + index) & 0xffff
  if (((address ^ base) & 0xff00) !== 0) cpu.bus.read((base & 0xff00) | (address & 0xff))
  return address
}

/** As for a read, but before a write the chip always takes the extra cycle. */
function indexed(cpu: Processor, base: number, index: number): number {
  const address = (base + index) & 0xffff
  cpu.bus.read((base & 0xff00) | (address & 0xff))
  return address
}

/** The byte is written back unchanged before the modified one. */
function modifyAt(cpu: Processor, address: number, operation: Modifying): void {
  const value = cpu.bus.read(address)
  cpu.bus.write(address, value)
  cpu.store(address, operation(cpu, value))
}

type Modes<Operation> = Readonly<Record<string, (operation: Operation) => Instruction>>

export const reading = {
  immediate: (operation) => (cpu) => {
    cpu.poll()
    operation(cpu, cpu.fetch())
  },
  zeroPage: (operation) => (cpu) => operation(cpu, cpu.load(zeroPage(cpu))),
  zeroPageX: (operation) => (cpu) => operation(cpu, cpu.load(zeroPageIndexed(cpu, cpu.x))),
  zeroPageY: (operation) => (cpu) => operation(cpu, cpu.load(zeroPageIndexed(cpu, cpu.y))),
  absolute: (operation) => (cpu) => operation(cpu, cpu.load(absolute(cpu))),
  absoluteX: (operation) => (cpu) => operation(cpu, cpu.load(indexedForRead(cpu, absolute(cpu), cpu.x))),
  absoluteY: (operation) => (cpu) => operation(cpu, cpu.load(indexedForRead(cpu, absolute(cpu), cpu.y))),
  indirectX: (operation) => (cpu) => operation(cpu, cpu.load(indirectX(cpu))),
  indirectY: (operation) => (cpu) => operation(cpu, cpu.load(indexedForRead(cpu, indirect(cpu), cpu.y))),
} as const satisfies Modes<Reading>

export const writing = {
  zeroPage: (operation) => (cpu) => cpu.store(zeroPage(cpu), operation(cpu)),
  zeroPageX: (operation) => (cpu) => cpu.store(zeroPageIndexed(cpu, cpu.x), operation(cpu)),
  zeroPageY: (operation) => (cpu) => cpu.store(zeroPageIndexed(cpu, cpu.y), operation(cpu)),
  absolute: (operation) => (cpu) => cpu.store(absolute(cpu), operation(cpu)),
  absoluteX: (operation) => (cpu) => cpu.store(indexed(cpu, absolute(cpu), cpu.x), operation(cpu)),
  absoluteY: (operation) => (cpu) => cpu.store(indexed(cpu, absolute(cpu), cpu.y), operation(cpu)),
  indirectX: (operation) => (cpu) => cpu.store(indirectX(cpu), operation(cpu)),
  indirectY: (operation) => (cpu) => cpu.store(indexed(cpu, indirect(cpu), cpu.y), operation(cpu)),
} as const satisfies Modes<Writing>

export const modifying = {
  accumulator: (operation) => (cpu) => {
    cpu.load(cpu.pc)
    cpu.a = operation(cpu, cpu.a)
  },
  zeroPage: (operation) => (cpu) => modifyAt(cpu, zeroPage(cpu), operation),
  zeroPageX: (operation) => (cpu) => modifyAt(cpu, zeroPageIndexed(cpu, cpu.x), operation),
  absolute: (operation) => (cpu) => modifyAt(cpu, absolute(cpu), operation),
  absoluteX: (operation) => (cpu) => modifyAt(cpu, indexed(cpu, absolute(cpu), cpu.x), operation),
  absoluteY: (operation) => (cpu) => modifyAt(cpu, indexed(cpu, absolute(cpu), cpu.y), operation),
  indirectX: (operation) => (cpu) => modifyAt(cpu, indirectX(cpu), operation),
  indirectY: (operation) => (cpu) => modifyAt(cpu, indexed(cpu, indirect(cpu), cpu.y), operation),
} as const satisfies Modes<Modifying>

export const unstable = {
  absoluteX: (operation) => (cpu) => storeWithHigh(cpu, absolute(cpu), cpu.x, operation),
  absoluteY: (operation) => (cpu) => storeWithHigh(cpu, absolute(cpu), cpu.y, operation),
  indirectY: (operation) => (cpu) => storeWithHigh(cpu, indirect(cpu), cpu.y, operation),
} as const satisfies Modes<Writing>

/**
 * The value is ANDed with the high byte of the unindexed address plus 1, unless RDY was low in the cycle before. Where
 * the index crosses a page, the result of that AND always replaces the address's high byte.
 */
function storeWithHigh(cpu: Processor, base: number, index: number, operation: Writing): void {
  const address = indexed(cpu, base, index)
  const { waited } = cpu.bus
  const value = operation(cpu)
  const masked = value & ((base >> 8) + 1)
  const crossed = ((address ^ base) & 0xff00) !== 0
  cpu.store(crossed ? (masked << 8) | (address & 0xff) : address, waited > 0 ? value : masked)
}
