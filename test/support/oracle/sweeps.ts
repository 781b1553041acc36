/** Cases that are not left to chance: every offset of one event to another. */
import { read, wait, write } from './ciaCases'
import { blockOf, context, ENTRY_CYCLES, opcodes } from './cpuCases'
import { quietSetup, type Block, type Case, type Registers } from './program'
import { chance } from './random'

const INTERRUPTS_ON = 0x20
const INTERRUPTS_OFF = 0x24

const registers = (p: number): Registers => ({ a: 0x5a, x: 0x03, y: 0x04, s: 0x0c, p })

/** Cycles that a program waits: one cannot be waited. */
const waits = (most: number): number[] =>
  Array.from({ length: most + 1 }, (_, cycles) => cycles).filter((cycles) => cycles !== 1)

const product = <One, Two>(ones: readonly One[], twos: readonly Two[]): (readonly [One, Two])[] =>
  ones.flatMap((one) => twos.map((two) => [one, two] as const))

/** An interrupt at each cycle of each instruction. */
export function interruptSweep(template: Uint8Array): Case[] {
  const kinds = ['irq', 'nmi', 'irq then nmi'] as const
  return opcodes.flatMap((opcode) => {
    const block = blockOf(opcode, context(chance(0, opcode), template))
    return product(
      kinds,
      Array.from({ length: 14 }, (_, offset) => ENTRY_CYCLES + offset),
    ).map(([kind, moment]) => ({
      registers: registers(INTERRUPTS_ON),
      setup: {
        ...quietSetup,
        ...(kind === 'nmi' ? {} : { timer1A: moment, control1A: 0x19, mask1: 0x81 }),
        ...(kind === 'irq' ? {} : { timer2B: moment + (kind === 'nmi' ? 0 : 3), control2B: 0x19, mask2: 0x82 }),
      },
      blocks: [block, [0xea], [0xea], [0x58], [0xea], wait(12)],
    }))
  })
}

/** With this delay of the runner, a bad line takes the bus from this cycle of a case on. */
const BAD_LINE = { delay: 543, cycle: 62, length: 43 }

/** SHA, SHX, SHY and TAS beyond the page's end: A, X and Y say in which of the windows' pages the byte lands. */
const crossing: readonly Block[] = [
  [0xa9, 0x01, 0xa2, 0xff, 0xa0, 0x20, 0x9f, 0xf0, 0x2f],
  [0xa2, 0x01, 0xa0, 0x20, 0x9e, 0xf0, 0x2f],
  [0xa0, 0x01, 0xa2, 0x20, 0x9c, 0xf0, 0x2f],
  [0xa9, 0x01, 0xa2, 0x01, 0xa0, 0x20, 0x9b, 0xf0, 0x2f],
]

/** A bad line begins at each cycle of each instruction; with interrupts that come before, while and after it waits. */
export function stolenSweep(template: Uint8Array): Case[] {
  const blocks = opcodes.map((opcode) => blockOf(opcode, context(chance(0, opcode), template, true)))
  const offsets = Array.from({ length: 18 }, (_, offset) => BAD_LINE.cycle - 15 + offset)
  return product([...blocks, ...crossing], offsets).flatMap(([block, before]) => {
    const { below, pick } = chance(before, block.length)
    const moment = ENTRY_CYCLES + BAD_LINE.cycle - 10 + below(BAD_LINE.length + 15)
    const irq = { timer1A: moment, control1A: 0x19, mask1: 0x81 }
    const nmi = { timer2B: moment, control2B: 0x19, mask2: 0x82 }
    const setup = { ...quietSetup, screen: 0x1b, delay: BAD_LINE.delay }
    const after = [[0xea], [0xea], [0x58], [0xea], wait(12)]
    return [
      { registers: registers(INTERRUPTS_OFF), setup, blocks: [wait(before), block] },
      {
        registers: registers(pick([INTERRUPTS_ON, INTERRUPTS_OFF])),
        setup: { ...setup, ...pick([irq, nmi]) },
        blocks: [wait(before), block, ...after],
      },
    ]
  })
}

const quiet = (blocks: readonly Block[], p = INTERRUPTS_OFF): Case => ({
  registers: registers(p),
  setup: quietSetup,
  blocks,
})

/** Each timer with each control value and small latch, read after each number of cycles. */
function timersRead(): Case[] {
  const timers = [
    { low: 4, control: 14 },
    { low: 6, control: 15 },
  ]
  const starts = product(timers, product([0, 1, 2, 3, 6], [0x01, 0x09, 0x11, 0x19, 0x03, 0x07, 0x0f]))
  return product(starts, waits(14)).flatMap(([[{ low, control }, [latch, value]], cycles]) =>
    [low, 13, control, 1].map((register) =>
      quiet([
        write(1, low, latch),
        write(1, low + 1, 0),
        write(1, control, value),
        wait(cycles),
        read(1, [register, register, 13], 0),
      ]),
    ),
  )
}

/** A running timer gets another control value or latch, at each offset. */
function timersChanged(): Case[] {
  const changes = product([14, 4, 5], [0x00, 0x01, 0x08, 0x09, 0x10, 0x11, 0x18, 0x19])
  return product(product([2, 3, 5], changes), product(waits(8), [0, 2, 3])).flatMap(
    ([[latch, [register, value]], [before, after]]) =>
      [0x11, 0x19].map((start) =>
        quiet([
          write(1, 4, latch),
          write(1, 5, 0),
          write(1, 14, start),
          wait(before),
          write(1, register, value),
          wait(after),
          read(1, [4, 14, 13], 0),
          read(1, [4, 14, 13], 3),
        ]),
      ),
  )
}

/** Timer B counts timer A. */
function cascades(): Case[] {
  return product(product([0, 1, 2, 4], [0, 1, 2]), product(waits(16), [0x51, 0x59, 0x41, 0x71])).map(
    ([[a, b], [cycles, mode]]) =>
      quiet([
        write(1, 4, a),
        write(1, 5, 0),
        write(1, 6, b),
        write(1, 7, 0),
        write(1, 15, mode),
        write(1, 14, 0x11),
        wait(cycles),
        read(1, [6, 13, 4], 0),
        read(1, [6, 13, 15], 3),
      ]),
  )
}

/** The interrupt register read, and the mask written, at each offset to a timer's end; with interrupts on and off. */
function interruptRegister(): Case[] {
  return product(
    product([INTERRUPTS_ON, INTERRUPTS_OFF], waits(16)),
    product([0x81, 0x01, 0x82, 0x83], [0x11, 0x19]),
  ).flatMap(([[p, cycles], [mask, start]]) => [
    quiet(
      [
        write(1, 4, 9),
        write(1, 5, 0),
        write(1, 13, mask),
        write(1, 14, start),
        wait(cycles),
        read(1, [13], 0),
        read(1, [13, 13], 1),
      ],
      p,
    ),
    quiet(
      [
        write(1, 4, 9),
        write(1, 5, 0),
        write(1, 14, start),
        wait(cycles),
        write(1, 13, mask),
        read(1, [13, 13], 0),
        read(1, [13, 4], 3),
      ],
      p,
    ),
  ])
}

export const ciaSweep = (): Case[] => [...timersRead(), ...timersChanged(), ...cascades(), ...interruptRegister()]
