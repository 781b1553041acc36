import { describe, expect, test } from 'vitest'
import { CODE, prepare, run, type Start } from '../../../test/support/cpuOnRam'
import { instructions } from './opcodes'

type Case = readonly [bytes: readonly number[], cycles: string, start?: Start]

/** The cycles are separated by commas: “r” reads, “w” writes, then address and byte. */
function expectCycles([bytes, cycles, start]: Case): void {
  expect(run(bytes, start).cycles.join(', ')).toBe(cycles)
}

const reads: Record<string, Case> = {
  immediate: [[0xa9, 0x01], 'r C000 A9, r C001 01'],
  'zero page': [[0xa5, 0x80], 'r C000 A5, r C001 80, r 0080 00'],
  'zero page,X reads at the unindexed address first': [
    [0xb5, 0x80],
    'r C000 B5, r C001 80, r 0080 00, r 0090 77',
    { memory: { 0x90: 0x77 } },
  ],
  'zero page,X stays within page 0': [[0xb5, 0xf8], 'r C000 B5, r C001 F8, r 00F8 00, r 0008 00'],
  'zero page,Y stays within page 0': [[0xb6, 0xf8], 'r C000 B6, r C001 F8, r 00F8 00, r 0018 00'],
  absolute: [[0xad, 0x34, 0x12], 'r C000 AD, r C001 34, r C002 12, r 1234 00'],
  'absolute,X within the page': [[0xbd, 0x00, 0x30], 'r C000 BD, r C001 00, r C002 30, r 3010 00'],
  'absolute,X into the next page reads in the old page first': [
    [0xbd, 0xf8, 0x30],
    'r C000 BD, r C001 F8, r C002 30, r 3008 00, r 3108 00',
  ],
  'absolute,Y beyond $FFFF goes on at $0000': [
    [0xb9, 0xf8, 0xff],
    'r C000 B9, r C001 F8, r C002 FF, r FF18 00, r 0018 00',
  ],
  '(zero page,X) takes the pointer from within page 0': [
    [0xa1, 0xef],
    'r C000 A1, r C001 EF, r 00EF 00, r 00FF 34, r 0000 12, r 1234 00',
    { memory: { 0xff: 0x34, 0x00: 0x12 } },
  ],
  '(zero page),Y within the page': [
    [0xb1, 0x40],
    'r C000 B1, r C001 40, r 0040 34, r 0041 12, r 1254 00',
    { memory: { 0x40: 0x34, 0x41: 0x12 } },
  ],
  '(zero page),Y into the next page reads in the old page first': [
    [0xb1, 0xff],
    'r C000 B1, r C001 FF, r 00FF F0, r 0000 12, r 1210 00, r 1310 00',
    { memory: { 0xff: 0xf0, 0x00: 0x12 } },
  ],
  'a NOP reads like any other': [[0x1c, 0xf8, 0x30], 'r C000 1C, r C001 F8, r C002 30, r 3008 00, r 3108 00'],
  'implied reads the next opcode': [[0xe8, 0x55], 'r C000 E8, r C001 55'],
}

const writes: Record<string, Case> = {
  'zero page': [[0x85, 0x80], 'r C000 85, r C001 80, w 0080 A5'],
  'zero page,X reads at the unindexed address first': [[0x95, 0xf8], 'r C000 95, r C001 F8, r 00F8 00, w 0008 A5'],
  absolute: [[0x8d, 0x34, 0x12], 'r C000 8D, r C001 34, r C002 12, w 1234 A5'],
  'absolute,X reads first, also within the page': [
    [0x9d, 0x00, 0x30],
    'r C000 9D, r C001 00, r C002 30, r 3010 00, w 3010 A5',
  ],
  'absolute,Y into the next page reads in the old page first': [
    [0x99, 0xf8, 0x30],
    'r C000 99, r C001 F8, r C002 30, r 3018 00, w 3118 A5',
  ],
  '(zero page),Y reads first, also within the page': [
    [0x91, 0x40],
    'r C000 91, r C001 40, r 0040 34, r 0041 12, r 1254 00, w 1254 A5',
    { memory: { 0x40: 0x34, 0x41: 0x12 } },
  ],
  '(zero page,X)': [
    [0x81, 0x40],
    'r C000 81, r C001 40, r 0040 00, r 0050 34, r 0051 12, w 1234 A5',
    { memory: { 0x50: 0x34, 0x51: 0x12 } },
  ],
}

const modifications: Record<string, Case> = {
  'zero page': [[0xe6, 0x80], 'r C000 E6, r C001 80, r 0080 41, w 0080 41, w 0080 42', { memory: { 0x80: 0x41 } }],
  'zero page,X': [
    [0xd6, 0x80],
    'r C000 D6, r C001 80, r 0080 00, r 0090 41, w 0090 41, w 0090 40',
    { memory: { 0x90: 0x41 } },
  ],
  absolute: [
    [0xee, 0x00, 0x30],
    'r C000 EE, r C001 00, r C002 30, r 3000 41, w 3000 41, w 3000 42',
    { memory: { 0x3000: 0x41 } },
  ],
  'absolute,X reads twice, also within the page': [
    [0xfe, 0x00, 0x30],
    'r C000 FE, r C001 00, r C002 30, r 3010 41, r 3010 41, w 3010 41, w 3010 42',
    { memory: { 0x3010: 0x41 } },
  ],
  'undocumented, (zero page),Y': [
    [0xd3, 0x40],
    'r C000 D3, r C001 40, r 0040 F0, r 0041 12, r 1210 00, r 1310 41, w 1310 41, w 1310 40',
    { memory: { 0x40: 0xf0, 0x41: 0x12, 0x1310: 0x41 } },
  ],
  'undocumented, (zero page,X)': [
    [0xc3, 0x40],
    'r C000 C3, r C001 40, r 0040 00, r 0050 34, r 0051 12, r 1234 41, w 1234 41, w 1234 40',
    { memory: { 0x50: 0x34, 0x51: 0x12, 0x1234: 0x41 } },
  ],
  'the accumulator': [[0x0a, 0x55], 'r C000 0A, r C001 55'],
}

const jumps: Record<string, Case> = {
  'a branch that is not taken': [[0xd0, 0x10], 'r C000 D0, r C001 10', { flags: 0x22 }],
  'a branch within the page reads the opcode that it skips': [
    [0xd0, 0x10, 0xea],
    'r C000 D0, r C001 10, r C002 EA',
    { flags: 0x20 },
  ],
  'a branch into another page reads in the wrong page, too': [
    [0xd0, 0xf0, 0xea],
    'r C000 D0, r C001 F0, r C002 EA, r C0F2 00',
    { flags: 0x20 },
  ],
  JMP: [[0x4c, 0x34, 0x12], 'r C000 4C, r C001 34, r C002 12'],
  'JMP through a pointer at the end of a page': [
    [0x6c, 0xff, 0x30],
    'r C000 6C, r C001 FF, r C002 30, r 30FF 00, r 3000 00',
  ],
  'JSR reads the stack, and the high byte last': [
    [0x20, 0x34, 0x12],
    'r C000 20, r C001 34, r 01F0 00, w 01F0 C0, w 01EF 02, r C002 12',
  ],
  RTS: [
    [0x60, 0x55],
    'r C000 60, r C001 55, r 01F0 00, r 01F1 33, r 01F2 12, r 1233 00',
    { memory: { 0x01f1: 0x33, 0x01f2: 0x12 } },
  ],
  RTI: [
    [0x40, 0x55],
    'r C000 40, r C001 55, r 01F0 00, r 01F1 C3, r 01F2 33, r 01F3 12',
    { memory: { 0x01f1: 0xc3, 0x01f2: 0x33, 0x01f3: 0x12 } },
  ],
  PHA: [[0x48, 0x55], 'r C000 48, r C001 55, w 01F0 A5'],
  'PHP pushes the break flag': [[0x08, 0x55], 'r C000 08, r C001 55, w 01F0 F0', { flags: 0xe0 }],
  PLA: [[0x68, 0x55], 'r C000 68, r C001 55, r 01F0 00, r 01F1 00'],
  PLP: [[0x28, 0x55], 'r C000 28, r C001 55, r 01F0 00, r 01F1 00'],
  'BRK pushes the break flag': [
    [0x00, 0x55],
    'r C000 00, r C001 55, w 01F0 C0, w 01EF 02, w 01EE 30, r FFFE 34, r FFFF 12',
    { flags: 0x20, memory: { 0xfffe: 0x34, 0xffff: 0x12 } },
  ],
}

describe.each([
  ['read', reads],
  ['write', writes],
  ['read, write back and write', modifications],
  ['move the program counter or use the stack', jumps],
])('Instructions that %s spend their cycles as the chip does', (_kind, cases) => {
  test.each(Object.entries(cases))('%s', (_name, expected) => expectCycles(expected))
})

describe('All opcodes', () => {
  /** Lengths in cycles of all opcodes, within a page; 0 stops the CPU. */
  const lengths = [
    7, 6, 0, 8, 3, 3, 5, 5, 3, 2, 2, 2, 4, 4, 6, 6, 2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7, 6, 6, 0, 8, 3, 3, 5,
    5, 4, 2, 2, 2, 4, 4, 6, 6, 2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7, 6, 6, 0, 8, 3, 3, 5, 5, 3, 2, 2, 2, 3, 4,
    6, 6, 2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7, 6, 6, 0, 8, 3, 3, 5, 5, 4, 2, 2, 2, 5, 4, 6, 6, 2, 5, 0, 8, 4,
    4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7, 2, 6, 2, 6, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4, 2, 6, 0, 6, 4, 4, 4, 4, 2, 5, 2, 5,
    5, 5, 5, 5, 2, 6, 2, 6, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4, 2, 5, 0, 5, 4, 4, 4, 4, 2, 4, 2, 4, 4, 4, 4, 4, 2, 6, 2,
    8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6, 2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7, 2, 6, 2, 8, 3, 3, 5, 5, 2, 2,
    2, 2, 4, 4, 6, 6, 2, 5, 0, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
  ]

  test.each(lengths.map((length, opcode) => [opcode.toString(16).padStart(2, '0'), opcode, length] as const))(
    '$%s takes as many cycles as the chip',
    (_name, opcode, length) => {
      // No branch is taken, and no index leaves the page.
      const flags = (opcode & 0x20) === 0 ? 0xe3 : 0x20
      const { cpu, cycles } = run([opcode, 0x10, 0x30], { flags })
      expect(cpu.jammedAt).toBe(length === 0 ? CODE : null)
      if (length > 0) expect(cycles).toHaveLength(length)
    },
  )

  test('the twelve that stop the CPU leave it at their address, where it does nothing until a reset', () => {
    const { bus, cpu } = prepare([0x02], { memory: { 0xfffc: 0x00, 0xfffd: 0x20 } })
    cpu.step()
    cpu.nmi()
    cpu.irq = true
    for (let steps = 0; steps < 3; steps++) cpu.step()
    expect(cpu).toMatchObject({ pc: CODE, jammedAt: CODE, a: 0xa5, sp: 0xf0 })
    expect(bus.cycles).toHaveLength(4)

    cpu.reset()
    cpu.step()
    expect(cpu).toMatchObject({ pc: 0x2000, jammedAt: null })
    expect(new Set(instructions).size).toBeGreaterThan(200)
  })
})
