import { describe, expect, it } from 'vitest'
import { locationOf } from '@shared/c64/banking'
import { C64 } from './c64'
import { Checkpoints } from './checkpoints'
import { InterruptFollower } from './interruptFollower'

const START = 0xe000
const IRQ_HANDLER = 0xe100
const NMI_HANDLER = 0xe200
const inRom = locationOf('rom', IRQ_HANDLER)

function interruptsOf(code: readonly number[], irq: readonly number[], frames = 2) {
  const kernal = new Uint8Array(0x2000).fill(0xea)
  kernal.set([...code, 0x4c, (START + code.length) & 0xff, (START + code.length) >> 8])
  kernal.set(irq, IRQ_HANDLER - START)
  kernal.set([0x2c, 0x0d, 0xdd, 0x40], NMI_HANDLER - START) // BIT $DD0D; RTI
  kernal.set(
    [NMI_HANDLER & 0xff, NMI_HANDLER >> 8, START & 0xff, START >> 8, IRQ_HANDLER & 0xff, IRQ_HANDLER >> 8],
    0x1ffa,
  )
  const c64 = new C64({ kernal, basic: new Uint8Array(0x2000), character: new Uint8Array(0x1000) }, 'pal')
  const follower = new InterruptFollower(c64, frames)
  const checkpoints = new Checkpoints()
  while (!c64.runFollowed(checkpoints, follower).isDone);
  return follower.result
}

/** LDA #value; STA address */
const store = (value: number, address: number): number[] => [0xa9, value, 0x8d, address & 0xff, address >> 8]
/** A raster interrupt in line 100. */
const RASTER = [...store(0x1b, 0xd011), ...store(100, 0xd012), ...store(0x01, 0xd01a)]
const ACKNOWLEDGE = [...store(0xff, 0xd019), 0x40]

describe('the interrupts of a frame of the built-in C64', () => {
  it('are told with handler, raster line, cycles and how long they waited', () => {
    const { spans, cycles, cyclesPerLine, linesPerFrame } = interruptsOf([...RASTER, 0x58], ACKNOWLEDGE)
    expect({ cyclesPerLine, linesPerFrame }).toEqual({ cyclesPerLine: 63, linesPerFrame: 312 })
    expect(cycles).toBeGreaterThanOrEqual(2 * 63 * 312)
    expect(spans).toHaveLength(2)
    for (const [frame, { start, end, waited, ...span }] of spans.entries()) {
      // The sequence 7, LDA 2, STA 4, RTI 6.
      expect(span).toEqual({ kind: 'irq', entry: inRom, handler: inRom, cycles: 19, depth: 0 })
      expect(Math.floor((start - frame * 63 * 312) / 63)).toBe(100)
      expect((end ?? 0) - start).toBe(19)
      expect(waited).toBeLessThanOrEqual(6)
    }
  })

  it('wait where the program masks them, and say how long', () => {
    // LDX #0; DEX; BNE: 1,280 cycles with interrupts off; CLI; NOP; SEI.
    const masked = [0xa2, 0x00, 0xca, 0xd0, 0xfd, 0x58, 0xea, 0x78]
    const start = START + RASTER.length
    const { spans } = interruptsOf([...RASTER, ...masked, 0x4c, start & 0xff, start >> 8], ACKNOWLEDGE, 10)
    expect(spans.length).toBeGreaterThan(5)
    for (const { waited } of spans) expect(waited).toBeLessThan(1_500)
    expect(Math.max(...spans.map(({ waited }) => waited ?? 0))).toBeGreaterThan(500)
  })

  it('count an NMI within an IRQ for itself', () => {
    const timer = [...store(0xe8, 0xdd04), ...store(0x03, 0xdd05), ...store(0x81, 0xdd0d), ...store(0x11, 0xdd0e)]
    // The handler lasts some 1,300 cycles, so that a timer of 1,000 cycles comes into it.
    const slow = [0xa2, 0x00, 0xca, 0xd0, 0xfd, ...ACKNOWLEDGE]
    const { spans } = interruptsOf([...RASTER, ...timer, 0x58], slow)
    const nested = spans.filter(({ kind, depth }) => kind === 'nmi' && depth === 1)
    expect(nested.length).toBeGreaterThan(0)
    expect(spans.some(({ kind, depth }) => kind === 'nmi' && depth === 0)).toBe(true)
    const [irq] = spans.filter(({ kind }) => kind === 'irq')
    const within = nested.filter(({ start }) => start > (irq?.start ?? 0) && start < (irq?.end ?? 0))
    const taken = within.reduce((all, { cycles }) => all + cycles, 0)
    expect((irq?.end ?? 0) - (irq?.start ?? 0)).toBe((irq?.cycles ?? 0) + taken)
  })

  it('name the handler that the KERNAL’s vector leads to', () => {
    const vector = [...store(0x00, 0x0314), ...store(0xc0, 0x0315)]
    const handler = ACKNOWLEDGE.flatMap((byte, at) => store(byte, 0xc000 + at))
    const { spans } = interruptsOf([...vector, ...handler, ...RASTER, 0x58], [0x6c, 0x14, 0x03])
    expect(spans[0]).toMatchObject({ entry: inRom, handler: 0xc000 })
  })
})
