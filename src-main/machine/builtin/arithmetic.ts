import { CARRY, DECIMAL, NEGATIVE, OVERFLOW, ZERO, type Processor } from './processor'

const RESULT_FLAGS = NEGATIVE | OVERFLOW | ZERO | CARRY

export function adc(cpu: Processor, value: number): void {
  const { a, flags } = cpu
  const carry = flags & CARRY
  const binary = a + value + carry
  const zero = (binary & 0xff) === 0 ? ZERO : 0
  let sum = binary
  let result = binary
  if ((flags & DECIMAL) !== 0) {
    // N and V are taken after the low digit was corrected and before the high one is, Z from the binary sum.
    let low = (a & 0x0f) + (value & 0x0f) + carry
    if (low > 0x09) low = ((low + 0x06) & 0x0f) + 0x10
    sum = (a & 0xf0) + (value & 0xf0) + low
    result = sum >= 0xa0 ? sum + 0x60 : sum
  }
  const overflow = (~(a ^ value) & (a ^ sum) & 0x80) >> 1
  cpu.flags = (flags & ~RESULT_FLAGS) | (sum & NEGATIVE) | overflow | zero | (result > 0xff ? CARRY : 0)
  cpu.a = result & 0xff
}

export function sbc(cpu: Processor, value: number): void {
  const { a, flags } = cpu
  const borrow = ~flags & CARRY
  const difference = a - value - borrow
  let result = difference
  if ((flags & DECIMAL) !== 0) {
    // All flags are those of the binary difference.
    let low = (a & 0x0f) - (value & 0x0f) - borrow
    if (low < 0) low = ((low - 0x06) & 0x0f) - 0x10
    result = (a & 0xf0) - (value & 0xf0) + low
    if (result < 0) result -= 0x60
  }
  const overflow = ((a ^ value) & (a ^ difference) & 0x80) >> 1
  const zero = (difference & 0xff) === 0 ? ZERO : 0
  cpu.flags = (flags & ~RESULT_FLAGS) | (difference & NEGATIVE) | overflow | zero | (difference >= 0 ? CARRY : 0)
  cpu.a = result & 0xff
}

export function compare(cpu: Processor, register: number, value: number): void {
  cpu.setNZC((register - value) & 0xff, register >= value ? CARRY : 0)
}

export function asl(cpu: Processor, value: number): number {
  const result = (value << 1) & 0xff
  cpu.setNZC(result, value >> 7)
  return result
}

export function lsr(cpu: Processor, value: number): number {
  const result = value >> 1
  cpu.setNZC(result, value & CARRY)
  return result
}

export function rol(cpu: Processor, value: number): number {
  const result = ((value << 1) & 0xff) | (cpu.flags & CARRY)
  cpu.setNZC(result, value >> 7)
  return result
}

export function ror(cpu: Processor, value: number): number {
  const result = (value >> 1) | ((cpu.flags & CARRY) << 7)
  cpu.setNZC(result, value & CARRY)
  return result
}

/** AND, then ROR of A through the adder's decimal correction, which sets C and V. */
export function arr(cpu: Processor, value: number): void {
  const { flags } = cpu
  const and = cpu.a & value
  const rotated = (and >> 1) | ((flags & CARRY) << 7)
  cpu.setNZ(rotated)
  cpu.setFlag(OVERFLOW, ((and ^ rotated) & OVERFLOW) !== 0)
  if ((flags & DECIMAL) === 0) {
    cpu.setFlag(CARRY, (rotated & 0x40) !== 0)
    cpu.a = rotated
    return
  }
  const low = (and & 0x0f) + (and & 0x01) > 0x05 ? (rotated + 0x06) & 0x0f : rotated & 0x0f
  const carry = (and & 0xf0) + (and & 0x10) > 0x50
  cpu.setFlag(CARRY, carry)
  cpu.a = (((rotated & 0xf0) + (carry ? 0x60 : 0)) & 0xf0) | low
}
