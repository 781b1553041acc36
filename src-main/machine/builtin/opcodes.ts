/** As in the 6510's data sheet. An opcode that is not listed jams the CPU. */
import * as modes from './addressing'
import type { Instruction, Modifying, Reading, Writing } from './addressing'
import * as arithmetic from './arithmetic'
import * as control from './control'
import * as op from './operations'
import { CARRY, DECIMAL, NEGATIVE, OVERFLOW, ZERO, type Processor } from './processor'

type Opcodes<Mode extends string> = Partial<Record<Mode, number | readonly number[]>>
type Row<Operation, Mode extends string> = readonly [Operation, Opcodes<Mode>]

const reads: readonly Row<Reading, keyof typeof modes.reading>[] = [
  [op.lda, { immediate: 0xa9, zeroPage: 0xa5, zeroPageX: 0xb5, absolute: 0xad }],
  [op.lda, { absoluteX: 0xbd, absoluteY: 0xb9, indirectX: 0xa1, indirectY: 0xb1 }],
  [op.ldx, { immediate: 0xa2, zeroPage: 0xa6, zeroPageY: 0xb6, absolute: 0xae, absoluteY: 0xbe }],
  [op.ldy, { immediate: 0xa0, zeroPage: 0xa4, zeroPageX: 0xb4, absolute: 0xac, absoluteX: 0xbc }],
  [op.ora, { immediate: 0x09, zeroPage: 0x05, zeroPageX: 0x15, absolute: 0x0d }],
  [op.ora, { absoluteX: 0x1d, absoluteY: 0x19, indirectX: 0x01, indirectY: 0x11 }],
  [op.and, { immediate: 0x29, zeroPage: 0x25, zeroPageX: 0x35, absolute: 0x2d }],
  [op.and, { absoluteX: 0x3d, absoluteY: 0x39, indirectX: 0x21, indirectY: 0x31 }],
  [op.eor, { immediate: 0x49, zeroPage: 0x45, zeroPageX: 0x55, absolute: 0x4d }],
  [op.eor, { absoluteX: 0x5d, absoluteY: 0x59, indirectX: 0x41, indirectY: 0x51 }],
  [arithmetic.adc, { immediate: 0x69, zeroPage: 0x65, zeroPageX: 0x75, absolute: 0x6d }],
  [arithmetic.adc, { absoluteX: 0x7d, absoluteY: 0x79, indirectX: 0x61, indirectY: 0x71 }],
  [arithmetic.sbc, { immediate: [0xe9, 0xeb], zeroPage: 0xe5, zeroPageX: 0xf5, absolute: 0xed }],
  [arithmetic.sbc, { absoluteX: 0xfd, absoluteY: 0xf9, indirectX: 0xe1, indirectY: 0xf1 }],
  [op.cmp, { immediate: 0xc9, zeroPage: 0xc5, zeroPageX: 0xd5, absolute: 0xcd }],
  [op.cmp, { absoluteX: 0xdd, absoluteY: 0xd9, indirectX: 0xc1, indirectY: 0xd1 }],
  [op.cpx, { immediate: 0xe0, zeroPage: 0xe4, absolute: 0xec }],
  [op.cpy, { immediate: 0xc0, zeroPage: 0xc4, absolute: 0xcc }],
  [op.bit, { zeroPage: 0x24, absolute: 0x2c }],
  [op.lax, { zeroPage: 0xa7, zeroPageY: 0xb7, absolute: 0xaf, absoluteY: 0xbf, indirectX: 0xa3, indirectY: 0xb3 }],
  [op.las, { absoluteY: 0xbb }],
  [op.anc, { immediate: [0x0b, 0x2b] }],
  [op.alr, { immediate: 0x4b }],
  [arithmetic.arr, { immediate: 0x6b }],
  [op.ane, { immediate: 0x8b }],
  [op.lxa, { immediate: 0xab }],
  [op.sbx, { immediate: 0xcb }],
  [op.ignore, { immediate: [0x80, 0x82, 0x89, 0xc2, 0xe2], zeroPage: [0x04, 0x44, 0x64], absolute: 0x0c }],
  [op.ignore, { zeroPageX: [0x14, 0x34, 0x54, 0x74, 0xd4, 0xf4], absoluteX: [0x1c, 0x3c, 0x5c, 0x7c, 0xdc, 0xfc] }],
]

const writes: readonly Row<Writing, keyof typeof modes.writing>[] = [
  [op.sta, { zeroPage: 0x85, zeroPageX: 0x95, absolute: 0x8d, absoluteX: 0x9d, absoluteY: 0x99 }],
  [op.sta, { indirectX: 0x81, indirectY: 0x91 }],
  [op.stx, { zeroPage: 0x86, zeroPageY: 0x96, absolute: 0x8e }],
  [op.sty, { zeroPage: 0x84, zeroPageX: 0x94, absolute: 0x8c }],
  [op.sax, { zeroPage: 0x87, zeroPageY: 0x97, absolute: 0x8f, indirectX: 0x83 }],
]

const unstableWrites: readonly Row<Writing, keyof typeof modes.unstable>[] = [
  [op.sax, { absoluteY: 0x9f, indirectY: 0x93 }],
  [op.stx, { absoluteY: 0x9e }],
  [op.sty, { absoluteX: 0x9c }],
  [op.tas, { absoluteY: 0x9b }],
]

const modifications: readonly Row<Modifying, keyof typeof modes.modifying>[] = [
  [arithmetic.asl, { accumulator: 0x0a, zeroPage: 0x06, zeroPageX: 0x16, absolute: 0x0e, absoluteX: 0x1e }],
  [arithmetic.lsr, { accumulator: 0x4a, zeroPage: 0x46, zeroPageX: 0x56, absolute: 0x4e, absoluteX: 0x5e }],
  [arithmetic.rol, { accumulator: 0x2a, zeroPage: 0x26, zeroPageX: 0x36, absolute: 0x2e, absoluteX: 0x3e }],
  [arithmetic.ror, { accumulator: 0x6a, zeroPage: 0x66, zeroPageX: 0x76, absolute: 0x6e, absoluteX: 0x7e }],
  [op.inc, { zeroPage: 0xe6, zeroPageX: 0xf6, absolute: 0xee, absoluteX: 0xfe }],
  [op.dec, { zeroPage: 0xc6, zeroPageX: 0xd6, absolute: 0xce, absoluteX: 0xde }],
  [op.slo, { zeroPage: 0x07, zeroPageX: 0x17, absolute: 0x0f }],
  [op.slo, { absoluteX: 0x1f, absoluteY: 0x1b, indirectX: 0x03, indirectY: 0x13 }],
  [op.rla, { zeroPage: 0x27, zeroPageX: 0x37, absolute: 0x2f }],
  [op.rla, { absoluteX: 0x3f, absoluteY: 0x3b, indirectX: 0x23, indirectY: 0x33 }],
  [op.sre, { zeroPage: 0x47, zeroPageX: 0x57, absolute: 0x4f }],
  [op.sre, { absoluteX: 0x5f, absoluteY: 0x5b, indirectX: 0x43, indirectY: 0x53 }],
  [op.rra, { zeroPage: 0x67, zeroPageX: 0x77, absolute: 0x6f }],
  [op.rra, { absoluteX: 0x7f, absoluteY: 0x7b, indirectX: 0x63, indirectY: 0x73 }],
  [op.dcp, { zeroPage: 0xc7, zeroPageX: 0xd7, absolute: 0xcf }],
  [op.dcp, { absoluteX: 0xdf, absoluteY: 0xdb, indirectX: 0xc3, indirectY: 0xd3 }],
  [op.isc, { zeroPage: 0xe7, zeroPageX: 0xf7, absolute: 0xef }],
  [op.isc, { absoluteX: 0xff, absoluteY: 0xfb, indirectX: 0xe3, indirectY: 0xf3 }],
]

const nop = (): void => undefined

const implied: readonly (readonly [number, (cpu: Processor) => void])[] = [
  [0xaa, op.tax],
  [0xa8, op.tay],
  [0x8a, op.txa],
  [0x98, op.tya],
  [0xba, op.tsx],
  [0x9a, op.txs],
  [0xe8, op.inx],
  [0xc8, op.iny],
  [0xca, op.dex],
  [0x88, op.dey],
  [0x18, op.clear(CARRY)],
  [0x38, op.set(CARRY)],
  [0xb8, op.clear(OVERFLOW)],
  [0xd8, op.clear(DECIMAL)],
  [0xf8, op.set(DECIMAL)],
  [0xea, nop],
  ...[0x1a, 0x3a, 0x5a, 0x7a, 0xda, 0xfa].map((opcode) => [opcode, nop] as const),
]

const controls: readonly (readonly [number, Instruction])[] = [
  [0x00, control.brk],
  [0x20, control.jsr],
  [0x40, control.rti],
  [0x60, control.rts],
  [0x4c, control.jumpAbsolute],
  [0x6c, control.jumpIndirect],
  [0x10, control.branch(NEGATIVE, false)],
  [0x30, control.branch(NEGATIVE, true)],
  [0x50, control.branch(OVERFLOW, false)],
  [0x70, control.branch(OVERFLOW, true)],
  [0x90, control.branch(CARRY, false)],
  [0xb0, control.branch(CARRY, true)],
  [0xd0, control.branch(ZERO, false)],
  [0xf0, control.branch(ZERO, true)],
  [0x48, control.pha],
  [0x08, control.php],
  [0x68, control.pla],
  [0x28, control.plp],
  [0x58, control.setInterruptsOff(false)],
  [0x78, control.setInterruptsOff(true)],
]

export const instructions: readonly Instruction[] = makeInstructions()

function makeInstructions(): Instruction[] {
  const table = Array.from({ length: 0x100 }, () => control.jam)
  const entries = [
    ...inModes(reads, modes.reading),
    ...inModes(writes, modes.writing),
    ...inModes(unstableWrites, modes.unstable),
    ...inModes(modifications, modes.modifying),
    ...implied.map(([opcode, operation]) => [opcode, control.implied(operation)] as const),
    ...controls,
  ]
  for (const [opcode, instruction] of entries) table[opcode] = instruction
  return table
}

function* inModes<Operation, Mode extends string>(
  rows: readonly Row<Operation, Mode>[],
  inMode: Readonly<Record<Mode, (operation: Operation) => Instruction>>,
): Generator<readonly [number, Instruction]> {
  for (const [operation, opcodes] of rows)
    for (const mode in opcodes)
      for (const opcode of [opcodes[mode] ?? []].flat()) yield [opcode, inMode[mode](operation)]
}
