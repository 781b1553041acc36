import { describe, expect, it } from 'vitest'
import { timedC64 } from '../../../../test/support/timedC64'
import { romsWith, SEI_BANKED, STORE } from '../../../../test/support/tinyRom'
import type { WantedCheckpoint } from '../../facets'
import { Checkpoints } from '../checkpoints'

const FRAME = 312 * 63

/** $E010 INC $0400; $E013 INC $D020; $E016 LDX $0400; $E019 JMP $E010: counts without end, from $D020 = 7. */
function counting() {
  const loop = [0xee, 0x00, 0x04, 0xee, 0x20, 0xd0, 0xae, 0x00, 0x04, 0x4c, 0x10, 0xe0]
  return timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd020), ...loop]))
}

function checkpointAt(start: number, operation: 'exec' | 'load' | 'store', when: Partial<WantedCheckpoint> = {}) {
  const checkpoints = new Checkpoints()
  checkpoints.set({
    ...{ start, end: start, operations: [operation], condition: null, fromHit: 1, log: null },
    ...{ stop: true, enabled: true, temporary: false },
    ...when,
  })
  return checkpoints
}

describe('going back', () => {
  it('goes back an instruction at a time, and forward again, through the same program counters', () => {
    const { c64, time, run } = counting()
    run(60)
    const forward: string[] = []
    for (let step = 0; step < 50; step++) {
      forward.push(`${c64.clock} ${c64.cpu.pc}`)
      c64.step(1, false)
      time.ran()
    }
    for (const place of forward.reverse()) {
      time.back('instruction', 1)
      expect(`${c64.clock} ${c64.cpu.pc}`).toBe(place)
    }
  })

  it('goes back many instructions at once', () => {
    const { c64, time, run } = counting()
    run(20)
    const { clock } = c64
    c64.step(1_000, false)
    time.ran()
    time.back('instruction', 1_000)
    expect(c64.clock).toBe(clock)
  })

  it('goes back a line and a frame, and stops at the beginning of the past', () => {
    const { c64, time, run } = counting()
    run(30)
    const { clock } = c64
    time.back('line', 1)
    expect(clock - c64.clock).toBeGreaterThan(63 - 8)
    expect(clock - c64.clock).toBeLessThanOrEqual(63)
    time.goTo(clock)
    time.back('frame', 1)
    expect(clock - c64.clock).toBeGreaterThan(FRAME - 8)
    expect(clock - c64.clock).toBeLessThanOrEqual(FRAME)
    time.back('frame', 1_000)
    expect(c64.clock).toBe(time.span.start)
    time.back('instruction', 5)
    expect(c64.clock).toBe(time.span.start)
  })

  it('goes back to the instruction that wrote what a byte holds, in RAM and in a chip', () => {
    const { c64, time, run } = counting()
    run(100)
    const value = c64.space.ram[0x0400]
    time.toWrite(0x0400)
    expect(c64.cpu.pc).toBe(0xe010)
    c64.step(1, false)
    expect(c64.space.ram[0x0400]).toBe(value)
    time.toWrite(0xd020)
    expect(c64.cpu.pc).toBe(0xe013)
    time.goTo(time.span.start + 2 * FRAME)
    time.toWrite(0x0001)
    expect(c64.cpu.pc).toBe(0xe003)
    expect(() => time.toWrite(0x0801)).toThrow('Nothing wrote this byte in the 0.0 s before this moment.')
  })

  it.each([
    ['exec', 0xe016, 0xe016],
    ['store', 0x0400, 0xe013],
    ['load', 0x0400, 0xe013],
    ['store', 0xd020, 0xe016],
  ] as const)('goes back to where a checkpoint on %s of %i stopped the machine', (operation, address, pc) => {
    const { c64, time, run } = counting()
    run(60)
    const { clock } = c64
    const stop = time.toCheckpoint(checkpointAt(address, operation))
    expect(stop).toMatchObject({ checkpoint: 1, pc, operation, start: address })
    expect(c64.cpu.pc).toBe(pc)
    expect(clock - c64.clock).toBeLessThan(100)
    const found = c64.clock
    time.toCheckpoint(checkpointAt(address, operation))
    expect(c64.clock).toBeLessThan(found)
  })

  it('goes back to where a condition with a label held', () => {
    const { c64, time, run } = counting()
    run(60)
    const when = { condition: '@counter == 2', names: [{ name: 'counter', address: 0x0400 }] }
    expect(time.toCheckpoint(checkpointAt(0xe013, 'exec', when))).toMatchObject({ condition: '@counter == 2' })
    expect(c64.space.peek(0x0400)).toBe(2)
  })

  it('says that no checkpoint was reached, and stays', () => {
    const { c64, time, run } = counting()
    run(60)
    const { clock } = c64
    expect(() => time.toCheckpoint(checkpointAt(0xc000, 'exec'))).toThrow('No checkpoint was reached in the 1.2 s')
    expect(c64.clock).toBe(clock)
  })
})

describe('the history of a byte', () => {
  it('names the last changes with their writers, newest first, without moving the machine', () => {
    const { c64, time, run } = counting()
    run(60)
    const { clock } = c64
    const value = c64.space.ram[0x0400] ?? 0
    const history = time.historyOf(0x0400)
    expect(c64.clock).toBe(clock)
    expect(history.changes).toHaveLength(20)
    expect(history.changes.map(({ to }) => to)).toEqual(
      Array.from({ length: 20 }, (_, index) => (value - index) & 0xff),
    )
    expect(history.changes.every(({ from, to, by }) => by?.address === 0xe010 && ((from ?? 0) + 1) % 256 === to)).toBe(
      true,
    )
    expect(history.lastWrite).toMatchObject({ by: { address: 0xe010, text: 'INC $0400' }, to: value })
    expect([0xe010, 0xe016]).toContain(history.lastRead?.by?.address)
  })

  it('tells what ran a byte, and nothing of a byte that was never touched', () => {
    const { time, run } = counting()
    run(10)
    expect(time.historyOf(0xe010).lastRun).not.toBeNull()
    expect(time.historyOf(0xe011).lastRun).toBeNull()
    expect(time.historyOf(0x0801)).toMatchObject({ lastWrite: null, lastRead: null, lastRun: null, changes: [] })
  })

  it('knows in the past only what had happened by then', () => {
    const { c64, time, run } = counting()
    run(60)
    time.goTo(time.span.start + 30 * FRAME)
    const { lastWrite, changes } = time.historyOf(0x0400)
    expect(lastWrite?.to).toBe(c64.space.ram[0x0400])
    expect(lastWrite?.clock).toBeLessThan(c64.clock)
    expect(changes[0]?.to).toBe(c64.space.ram[0x0400])
  })
})
