import { adc, asl, compare, lsr, rol, ror, sbc } from './arithmetic'
import type { Modifying, Reading, Writing } from './addressing'
import { CARRY, NEGATIVE, OVERFLOW, ZERO, type Processor } from './processor'

/** ANE and LXA OR the accumulator with bits that depend on the chip and its temperature: these are those of x64sc. */
const ANE_BITS = 0xef
/** The bits where the operand had to wait for RDY. */
const ANE_BITS_WAITED = 0xee
const LXA_BITS = 0xee

export const ignore: Reading = () => undefined

export const lda: Reading = (cpu, value) => {
  cpu.a = value
  cpu.setNZ(value)
}

export const ldx: Reading = (cpu, value) => {
  cpu.x = value
  cpu.setNZ(value)
}

export const ldy: Reading = (cpu, value) => {
  cpu.y = value
  cpu.setNZ(value)
}

export const and: Reading = (cpu, value) => lda(cpu, cpu.a & value)
export const ora: Reading = (cpu, value) => lda(cpu, cpu.a | value)
export const eor: Reading = (cpu, value) => lda(cpu, cpu.a ^ value)

export const cmp: Reading = (cpu, value) => compare(cpu, cpu.a, value)
export const cpx: Reading = (cpu, value) => compare(cpu, cpu.x, value)
export const cpy: Reading = (cpu, value) => compare(cpu, cpu.y, value)

export const bit: Reading = (cpu, value) => {
  cpu.flags =
    (cpu.flags & ~(NEGATIVE | OVERFLOW | ZERO)) | (value & (NEGATIVE | OVERFLOW)) | ((cpu.a & value) === 0 ? ZERO : 0)
}

export const lax: Reading = (cpu, value) => {
  cpu.x = value
  lda(cpu, value)
}

export const las: Reading = (cpu, value) => {
  cpu.sp &= value
  lax(cpu, cpu.sp)
}

export const anc: Reading = (cpu, value) => {
  and(cpu, value)
  cpu.setFlag(CARRY, cpu.a >= 0x80)
}

export const alr: Reading = (cpu, value) => {
  cpu.a = lsr(cpu, cpu.a & value)
}

export const sbx: Reading = (cpu, value) => {
  const both = cpu.a & cpu.x
  compare(cpu, both, value)
  cpu.x = (both - value) & 0xff
}

export const ane: Reading = (cpu, value) => {
  const bits = cpu.bus.waited > 0 ? ANE_BITS_WAITED : ANE_BITS
  lda(cpu, (cpu.a | bits) & cpu.x & value)
}

export const lxa: Reading = (cpu, value) => lax(cpu, (cpu.a | LXA_BITS) & value)

export const sta: Writing = (cpu) => cpu.a
export const stx: Writing = (cpu) => cpu.x
export const sty: Writing = (cpu) => cpu.y
export const sax: Writing = (cpu) => cpu.a & cpu.x

export const tas: Writing = (cpu) => {
  cpu.sp = cpu.a & cpu.x
  return cpu.sp
}

export const inc: Modifying = (cpu, value) => {
  const result = (value + 1) & 0xff
  cpu.setNZ(result)
  return result
}

export const dec: Modifying = (cpu, value) => {
  const result = (value - 1) & 0xff
  cpu.setNZ(result)
  return result
}

const followedBy =
  (modify: Modifying, use: Reading): Modifying =>
  (cpu, value) => {
    const result = modify(cpu, value)
    use(cpu, result)
    return result
  }

export const slo = followedBy(asl, ora)
export const rla = followedBy(rol, and)
export const sre = followedBy(lsr, eor)
export const rra = followedBy(ror, adc)
export const isc = followedBy(inc, sbc)
/** As CMP after DEC: only the comparison's flags remain. */
export const dcp = followedBy(dec, cmp)

export function tax(cpu: Processor): void {
  ldx(cpu, cpu.a)
}

export function tay(cpu: Processor): void {
  ldy(cpu, cpu.a)
}

export function txa(cpu: Processor): void {
  lda(cpu, cpu.x)
}

export function tya(cpu: Processor): void {
  lda(cpu, cpu.y)
}

export function tsx(cpu: Processor): void {
  ldx(cpu, cpu.sp)
}

export function txs(cpu: Processor): void {
  cpu.sp = cpu.x
}

export function inx(cpu: Processor): void {
  ldx(cpu, (cpu.x + 1) & 0xff)
}

export function iny(cpu: Processor): void {
  ldy(cpu, (cpu.y + 1) & 0xff)
}

export function dex(cpu: Processor): void {
  ldx(cpu, (cpu.x - 1) & 0xff)
}

export function dey(cpu: Processor): void {
  ldy(cpu, (cpu.y - 1) & 0xff)
}

export function clear(flag: number) {
  return (cpu: Processor): void => {
    cpu.flags &= ~flag
  }
}

export function set(flag: number) {
  return (cpu: Processor): void => {
    cpu.flags |= flag
  }
}
