import { describe, expect, it } from 'vitest'
import { locationOf } from '@shared/c64/banking'
import { C64 } from './c64'
import { Checkpoints } from './checkpoints'
import { Profiler } from './profiler'

const inRom = (address: number) => locationOf('rom', address)
const START = 0xe000
const ROUTINE = 0xe040
const IRQ_HANDLER = 0xe100
const NMI_HANDLER = 0xe200

/** Timer A of the CIA at `page` interrupts every 1,000 cycles. */
const timer = (page: number): number[] => [
  0xa9,
  0xe8,
  0x8d,
  0x04,
  page,
  0xa9,
  0x03,
  0x8d,
  0x05,
  page,
  0xa9,
  0x81,
  0x8d,
  0x0d,
  page,
  0xa9,
  0x11,
  0x8d,
  0x0e,
  page,
]

/** Begins with `code`, then calls a routine again and again. */
function profileOf(code: readonly number[], cycles: number) {
  const kernal = new Uint8Array(0x2000).fill(0xea)
  const loop = START + code.length
  kernal.set([...code, 0x20, ROUTINE & 0xff, ROUTINE >> 8, 0x4c, loop & 0xff, loop >> 8])
  kernal.set([0xe8, 0x60], ROUTINE - START) // INX; RTS
  kernal.set([0x2c, 0x0d, 0xdc, 0x40], IRQ_HANDLER - START) // BIT $DC0D; RTI
  kernal.set([0x2c, 0x0d, 0xdd, 0x40], NMI_HANDLER - START)
  kernal.set(
    [NMI_HANDLER & 0xff, NMI_HANDLER >> 8, START & 0xff, START >> 8, IRQ_HANDLER & 0xff, IRQ_HANDLER >> 8],
    0x1ffa,
  )
  const c64 = new C64({ kernal, basic: new Uint8Array(0x2000), character: new Uint8Array(0x1000) }, 'pal')
  const start = c64.clock
  const profiler = new Profiler(c64, cycles)
  const checkpoints = new Checkpoints()
  while (!c64.runFollowed(checkpoints, profiler).isDone);
  const ran = c64.clock - start
  c64.runFrame()
  const { nodes, ...rest } = profiler.result
  const sum = (values: readonly number[]): number =>
    values.reduce((all, value, at) => (at % 2 === 1 ? all + value : all), 0)
  return { ...rest, ran, nodes: nodes.map((node) => ({ ...node, sum: sum(node.cycles) })) }
}

describe('the profiler of the built-in C64', () => {
  it('counts every cycle of the machine once', () => {
    const { cycles, ran, nodes } = profileOf([...timer(0xdc), 0x58], 60_000)
    expect(cycles).toBe(ran)
    expect(cycles).toBeGreaterThanOrEqual(60_000)
    expect(nodes.reduce((all, { sum }) => all + sum, 0)).toBe(cycles)
  })

  it('tells a routine from its caller', () => {
    const { nodes } = profileOf([], 60_000)
    const routine = nodes.find(({ kind }) => kind === 'call')
    expect(routine).toMatchObject({ entry: inRom(ROUTINE), from: inRom(START) })
    // INX and RTS take 8 cycles, JSR and JMP 9; the VIC-II holds both up.
    expect((routine?.sum ?? 0) / (nodes[0]?.sum ?? 0)).toBeCloseTo(8 / 9, 1)
  })

  it.each([
    ['irq', [...timer(0xdc), 0x58], IRQ_HANDLER],
    ['nmi', timer(0xdd), NMI_HANDLER],
  ])('tells an %s from what it interrupts', (kind, code, entry) => {
    const { nodes } = profileOf(code, 100_000)
    const interrupt = nodes.find((node) => node.kind === kind)
    expect(interrupt).toMatchObject({ entry: inRom(entry), parent: null })
    expect(interrupt?.calls).toBeGreaterThan(90)
    // The sequence 7, BIT 4, RTI 6.
    expect((interrupt?.sum ?? 0) / (interrupt?.calls ?? 1)).toBeCloseTo(17, -1)
    expect(nodes.filter((node) => node.kind === kind)).toHaveLength(1)
  })

  it('tells a BRK from an IRQ', () => {
    const { nodes } = profileOf([0x00, 0xea], 2_000)
    expect(nodes.map(({ kind }) => kind)).toEqual(['start', 'brk', 'call'])
  })
})
