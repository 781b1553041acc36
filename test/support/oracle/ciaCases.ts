/** Programs for the CIAs: they set timers, ports and interrupts, and read them some cycles later. */
import type { Block, Case, Setup } from './program'
import { quietSetup } from './program'
import { chance, type Chance } from './random'
import { randomRegisters } from './cpuCases'
import { DATA_END, DATA_START } from './template'

type Cia = 1 | 2

const BASE = { 1: 0xdc00, 2: 0xdd00 } as const

const NOP = 0xea
const BIT_ZP = 0x24
const CLI = 0x58
const SEI = 0x78

const word = (address: number): number[] => [address & 0xff, (address >> 8) & 0xff]

/** LDA, LDX and LDY of what is to be read, each with the store of the same register. */
const loads = [
  { load: 0xad, store: 0x8d },
  { load: 0xae, store: 0x8e },
  { load: 0xac, store: 0x8c },
] as const

/** LDA #value: STA register. */
export const write = (cia: Cia, register: number, value: number): Block => [
  0xa9,
  value,
  0x8d,
  ...word(BASE[cia] + register),
]

/** Reads registers right after one another, up to three, into the data from `slot` on. */
export const read = (cia: Cia, registers: readonly number[], slot: number): Block => {
  const pairs = registers.map((register, index) => ({ register, slot: slot + index, ...(loads[index] ?? loads[0]) }))
  return [
    ...pairs.flatMap(({ load, register }) => [load, ...word(BASE[cia] + register)]),
    ...pairs.flatMap(({ store, slot: place }) => [store, ...word(DATA_START + place)]),
  ]
}

/** Nothing for so many cycles: any number but 1. */
export const wait = (cycles: number): Block =>
  cycles % 2 === 0 ? Array<number>(cycles / 2).fill(NOP) : [BIT_ZP, 0xe0, ...Array<number>((cycles - 3) / 2).fill(NOP)]

/** LDX #count: DEX: BNE. About 5 cycles for each. */
const waitLong = (count: number): Block => [0xa2, count, 0xca, 0xd0, 0xfd]

/** What a timer's control register is set to. The serial register stays an input here: see {@link serialCase}. */
function control({ below, once }: Chance, timer: 'A' | 'B'): number {
  const bits = [0x01, 0x02, 0x04, 0x08, 0x10].reduce((all, bit) => all | (once(bit === 0x01 ? 10 : 2) ? 0 : bit), 0)
  if (timer === 'B') return bits | (once(3) ? below(4) << 5 : 0)
  return bits | (once(8) ? 0x20 : 0)
}

const latch = ({ below, once }: Chance): number => (once(10) ? 0xf8 + below(0x10) : once(3) ? below(3) : below(24))

const SLOTS = DATA_END - DATA_START - 3

function block(cia: Cia, random: Chance, slot: number): Block {
  const { below, byte, once, pick } = random
  const kind = below(20)
  if (kind < 3) return wait(2 + below(14))
  if (kind < 8)
    return read(
      cia,
      Array.from({ length: 1 + below(3) }, () => pick([4, 5, 6, 7, 13, 13, 14, 15, 1, 0, 12, 8, 11])),
      slot,
    )
  if (kind < 11) return once(2) ? write(cia, 14, control(random, 'A')) : write(cia, 15, control(random, 'B'))
  if (kind < 13) return write(cia, pick([4, 6]), latch(random))
  if (kind === 13) return write(cia, pick([5, 7]), once(8) ? below(3) : 0)
  if (kind === 14) return write(cia, 13, (once(3) ? 0 : 0x80) | below(0x20))
  if (kind === 15) return [once(2) ? CLI : SEI]
  if (kind === 16) return write(cia, pick([0, 1, 2, 3]), byte())
  if (kind === 17) return write(cia, pick([9, 10, 11, 12]), once(2) ? below(0x13) : byte())
  if (kind === 18) return twice(cia, random)
  return modify(cia, random, slot)
}

/** Two writes to a register, four cycles apart. */
function twice(cia: Cia, random: Chance): Block {
  const register = random.pick([4, 6, 13, 14, 15])
  const value = (): number =>
    register === 14
      ? control(random, 'A')
      : register === 15
        ? control(random, 'B')
        : random.byte() & (register < 8 ? 0x0f : 0x9f)
  return [0xa2, value(), 0xa9, value(), 0x8e, ...word(BASE[cia] + register), 0x8d, ...word(BASE[cia] + register)]
}

/** Instructions that access a register more than once, or one of the other chip before. */
function modify(cia: Cia, { pick, below }: Chance, slot: number): Block {
  const register = pick([4, 5, 6, 13, 13, 14, 15, 1])
  const address = BASE[cia] + register
  if (below(2) === 0) {
    const opcode = pick([0xee, 0xce, 0x0e, 0x4e, 0x2e, 0x6e])
    return [opcode, ...word(address)]
  }
  const index = pick([0, 1, 0x10 + below(0xef)])
  const opcode = pick([0xbd, 0x9d, 0xfe])
  return [0xa2, index, opcode, ...word(address - index), 0x8d, ...word(DATA_START + slot)]
}

/** The other chip's timer A keeps the time. */
const setupFor = (cia: Cia): Setup => (cia === 1 ? quietSetup : { ...quietSetup, control2A: 0, control1A: 0x11 })

export function ciaCase(seed: number, index: number): Case {
  const random = chance(seed, index)
  const cia = random.once(2) ? 1 : 2
  const latches = [
    write(cia, 4, latch(random)),
    write(cia, 5, 0),
    write(cia, 6, latch(random)),
    write(cia, 7, 0),
    write(cia, 14, control(random, 'A')),
    write(cia, 15, control(random, 'B')),
  ].filter(() => !random.once(5))
  const length = 2 + random.below(9)
  const blocks = Array.from({ length }, (_, at) => block(cia, random, (at * 3) % SLOTS))
  const registers = randomRegisters(random)
  // Decimal mode would change nothing, and interrupts are on more often than not.
  const p = (registers.p & ~0x0c) | (random.once(3) ? 0x04 : 0)
  return { registers: { ...registers, p }, setup: setupFor(cia), blocks: [...latches, ...blocks] }
}

/** Whatever the case before left in the serial register goes out. */
const flushSerial: readonly Block[] = [
  write(2, 13, 0x7f),
  write(2, 4, 1),
  write(2, 5, 0),
  write(2, 14, 0x51),
  wait(150),
  write(2, 14, 0),
  read(2, [13], 0),
]

/** Bytes sent by timer A of CIA 2, which runs all the time. */
export function serialCase(seed: number, index: number): Case {
  const random = chance(seed, index)
  const { below, byte, pick } = random
  const length = 4 + below(10)
  const blocks = Array.from({ length }, (_, at): Block => {
    switch (below(5)) {
      case 0:
        return wait(2 + below(40))
      case 1:
        return write(2, 12, byte())
      case 2:
        return [...write(2, 12, byte()), ...write(2, 12, byte())]
      default:
        return read(2, [pick([12, 13])], at * 3)
    }
  })
  const latches = [write(2, 4, 1 + below(12)), write(2, 5, 0), write(2, 14, 0x51)]
  const ends = [0, 1].flatMap((end) => [waitLong(1 + below(80)), read(2, [13], (length + end) * 3)])
  return {
    registers: randomRegisters(random),
    setup: setupFor(2),
    blocks: [...flushSerial, ...latches, ...blocks, ...ends],
  }
}
