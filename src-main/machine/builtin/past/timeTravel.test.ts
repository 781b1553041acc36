import { describe, expect, it } from 'vitest'
import type { HistoryLimits } from '@shared/contract/machine'
import { timedC64 } from '../../../../test/support/timedC64'
import { CODE, LOOP_FOREVER, romsWith, SEI_BANKED, STORE } from '../../../../test/support/tinyRom'
import type { WantedCheckpoint } from '../../facets'
import { Checkpoints } from '../checkpoints'

const FRAME = 312 * 63

/** $E010 INC $0400; $E013 INC $D020; $E016 LDX $0400; $E019 JMP $E010: counts without end, from $D020 = 7. */
function counting(history?: HistoryLimits) {
  const loop = [0xee, 0x00, 0x04, 0xee, 0x20, 0xd0, 0xae, 0x00, 0x04, 0x4c, 0x10, 0xe0]
  return timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd020), ...loop]), history)
}

function checkpointAt(start: number, operation: 'exec' | 'load' | 'store', when: Partial<WantedCheckpoint> = {}) {
  const checkpoints = new Checkpoints()
  checkpoints.set({
    start,
    end: start,
    operations: [operation],
    condition: null,
    fromHit: 1,
    log: null,
    stop: true,
    enabled: true,
    temporary: false,
    ...when,
  })
  return checkpoints
}

describe('going back', () => {
  it('reaches as many minutes as are kept', () => {
    const { time, run } = counting({ minutes: 0.05, megabytes: 96 })
    run(300)
    const { start, end } = time.span
    expect((end - start) / 985_248).toBeGreaterThanOrEqual(3)
    expect((end - start) / 985_248).toBeLessThan(3.5)
  })

  it('goes back an instruction at a time, and forward again, through the same program counters', () => {
    const { c64, time, run } = counting()
    run(60)
    const forward: string[] = []
    for (let step = 0; step < 50; step++) {
      forward.push(`${c64.clock} ${c64.cpu.pc}`)
      c64.step(1)
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
    c64.step(1_000)
    time.ran()
    time.back('instruction', 1_000)
    expect(c64.clock).toBe(clock)
  })

  it('goes back over a whole call, and by one instruction where none has returned', () => {
    // $E010 PHA; PLA; JSR $E01A; JMP $E010; NOP; NOP; $E01A LDX #200; DEX; BNE *-1; RTS
    const loop = [0x48, 0x68, 0x20, 0x1a, 0xe0, 0x4c, 0x10, 0xe0, 0xea, 0xea, 0xa2, 200, 0xca, 0xd0, 0xfd, 0x60]
    const { c64, time, run } = timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd020), ...loop]))
    run(20)
    while (c64.cpu.pc !== 0xe015) c64.step(1)
    time.ran()
    const seen: number[] = []
    for (let step = 0; step < 5; step++) {
      time.back('call', 1)
      seen.push(c64.cpu.pc)
    }
    expect(seen).toEqual([0xe012, 0xe011, 0xe010, 0xe015, 0xe012])
  })

  it('goes back to where an interrupt was taken that has just returned', () => {
    const setUp = [...SEI_BANKED, ...STORE(1, 0xd01a), ...STORE(100, 0xd012), ...STORE(0x1b, 0xd011), 0x58]
    const code = [...setUp, ...LOOP_FOREVER(CODE + setUp.length)]
    const { c64, time, run } = timedC64(romsWith(code, [0x40], [0xee, 0x19, 0xd0, 0x40]))
    run(20)
    while (c64.space.peek(c64.cpu.pc) !== 0x40) c64.step(1)
    const { clock } = c64
    c64.step(1)
    time.ran()
    const { pc, sp } = c64.cpu
    time.back('call', 1)
    expect([c64.cpu.pc, c64.cpu.sp]).toEqual([pc, sp])
    expect(c64.clock).toBeLessThan(clock)
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
    c64.step(1)
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

  it('goes back to a checkpoint at which the machine stood when a moment was kept', () => {
    // $E010 LDA #4; STA $02; $E014 two loops of 256; DEC $02; BNE; $E01E NOP, a second and more apart; JMP $E010
    const loop = [0xa9, 4, 0x85, 2, 0xe8, 0xd0, 0xfd, 0xc8, 0xd0, 0xfa, 0xc6, 2, 0xd0, 0xf6, 0xea, 0x4c, 0x10, 0xe0]
    const { c64, time, run } = timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd020), ...loop]))
    const checkpoints = checkpointAt(0xe01e, 'exec')
    while (!c64.runFrame(checkpoints));
    time.ran()
    const { clock } = c64
    run(30)
    time.toCheckpoint(checkpoints)
    expect(c64.clock).toBe(clock)
  })

  it('does not go to a hit that a change from outside prevented', () => {
    // $E010 LDA $0402; BNE $E010; $E015 INC $0401; JMP $E010
    const loop = [0xad, 0x02, 0x04, 0xd0, 0xfb, 0xee, 0x01, 0x04, 0x4c, 0x10, 0xe0]
    const { c64, time, run } = timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd020), ...loop]))
    const write = (byte: number) =>
      time.input({ kind: 'memory', space: 'ram', address: 0x0402, bytes: Uint8Array.of(byte) })
    run(24)
    write(0)
    c64.runTo(c64.clock + 2.5 * FRAME)
    while (c64.cpu.pc !== 0xe010) c64.step(1)
    time.ran()
    const counted = c64.space.peek(0x0401)
    const prevented = c64.clock
    write(1)
    run(4)
    time.toCheckpoint(checkpointAt(0x0401, 'store'))
    expect(c64.clock).toBeLessThanOrEqual(prevented)
    expect([c64.space.peek(0x0401), c64.cpu.pc]).toEqual([counted, 0xe018])
  })

  it('finds a write before a step back, after which the program took another way', () => {
    // $E010 INC $0400; two loops of 256; $E019 INC $0400; $E01C loops
    const code = [0xee, 0x00, 0x04, 0xe8, 0xd0, 0xfd, 0xc8, 0xd0, 0xfa, 0xee, 0x00, 0x04, 0x4c, 0x1c, 0xe0]
    const { c64, time, run } = timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd020), ...code]))
    while (c64.cpu.pc !== 0xe01c) c64.step(1)
    time.ran()
    time.back('instruction', 1)
    expect(c64.cpu.pc).toBe(0xe019)
    time.input({ kind: 'register', name: 'PC', value: 0xe01c })
    run(40)
    time.toWrite(0x0400)
    expect([c64.cpu.pc, c64.space.peek(0x0400)]).toEqual([0xe010, 0])
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
    const history = time.historyOf(0x0400, Infinity)
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

  it('tells each writer once, with its count and last write: those before the question, those since, and one that writes seldom', () => {
    // $E010 INC $0400; $E013 BNE $E010; $E015 STA $0400; $E018 JMP $E010
    const loop = [0xee, 0x00, 0x04, 0xd0, 0xfb, 0x8d, 0x00, 0x04, 0x4c, 0x10, 0xe0]
    const { c64, time, run } = timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd020), ...loop]))
    const writers = () =>
      time.historyOf(0x0400, Infinity).writers.map(({ by, count, clock }) => ({ address: by?.address, count, clock }))
    run(3)
    const before = writers()
    expect(before.map(({ address }) => address).sort()).toEqual([0xe010, 0xe015])
    run(30)
    const after = writers()
    const countOf = (found: typeof before, address: number) =>
      found.find((writer) => writer.address === address)?.count ?? 0
    const stores = countOf(after, 0xe015)
    expect(stores).toBeGreaterThan(countOf(before, 0xe015))
    // Each store of 7 is followed by 249 increments.
    expect(Math.abs(countOf(after, 0xe010) - 249 * stores)).toBeLessThan(500)
    expect(time.historyOf(0x0400, Infinity)).toMatchObject({ writersSince: time.span.start, isSearching: false })
    time.goTo(c64.clock - 10 * FRAME)
    expect(countOf(writers(), 0xe015)).toBeLessThan(stores)
    expect(countOf(writers(), 0xe015)).toBeGreaterThan(0)
  })

  it('tells what ran a byte, and nothing of a byte that was never touched', () => {
    const { time, run } = counting()
    run(10)
    expect(time.historyOf(0xe010, Infinity).lastRun).not.toBeNull()
    expect(time.historyOf(0xe011, Infinity).lastRun).toBeNull()
    expect(time.historyOf(0x0801, Infinity)).toMatchObject({
      lastWrite: null,
      lastRead: null,
      lastRun: null,
      changes: [],
    })
  })

  it('knows in the past only what had happened by then', () => {
    const { c64, time, run } = counting()
    run(60)
    time.goTo(time.span.start + 30 * FRAME)
    const { lastWrite, changes } = time.historyOf(0x0400, Infinity)
    expect(lastWrite?.to).toBe(c64.space.ram[0x0400])
    expect(lastWrite?.clock).toBeLessThan(c64.clock)
    expect(changes[0]?.to).toBe(c64.space.ram[0x0400])
  })

  it('tells what was set from outside, and names no instruction', () => {
    const { c64, time, run } = counting()
    run(30)
    const set = (space: 'ram' | 'cpu' | 'io', address: number, value: number) =>
      time.input({ kind: 'memory', space, address, bytes: Uint8Array.of(value) })
    set('ram', 0x0400, 0x55)
    expect(time.historyOf(0x0400, Infinity)).toMatchObject({
      lastWrite: { clock: c64.clock, by: null, cause: 'write', to: 0x55 },
      changes: [
        { by: null, cause: 'write', to: 0x55 },
        { by: { address: 0xe010 }, cause: null },
        ...Array<object>(18).fill({}),
      ],
    })
    set('cpu', 0xd020, 3)
    expect(time.historyOf(0xd020, Infinity).lastWrite).toMatchObject({ by: null, cause: 'write', to: 3 })
    set('io', 0xd021, 4)
    set('ram', 0xd021, 5)
    expect(time.historyOf(0xd021, Infinity).lastWrite).toMatchObject({ cause: 'write', to: 4 })
    run(1)
    expect(time.historyOf(0x0400, Infinity).lastWrite).toMatchObject({
      by: { address: 0xe010, text: 'INC $0400' },
      cause: null,
    })
    expect(time.historyOf(0xd021, Infinity).lastWrite).toMatchObject({ cause: 'write', to: 4 })
    time.toWrite(0xd021)
    expect(time.historyOf(0xd020, Infinity).lastWrite).toMatchObject({ cause: 'write' })
    time.input({ kind: 'reset', reset: 'power' })
    for (const address of [0x0400, 0xd020, 0xd418])
      expect(time.historyOf(address, Infinity).lastWrite).toMatchObject({
        clock: c64.clock - 7,
        by: null,
        cause: 'reset',
      })
  })

  it('has what was written to a chip before, and no reading of it, for a write from outside', () => {
    const { time, run } = counting()
    run(30)
    const set = (value: number) =>
      time.input({ kind: 'memory', space: 'io', address: 0xd012, bytes: Uint8Array.of(value) })
    set(3)
    run(1)
    set(4)
    expect(time.historyOf(0xd012, Infinity).lastWrite).toMatchObject({ cause: 'write', from: 3, to: 4 })
  })

  it('knows a chip’s register by all of its mirrors', () => {
    // $E010 LDA $DDF4, the low byte of a timer; JMP $E010
    const loop = [0xad, 0xf4, 0xdd, 0x4c, 0x10, 0xe0]
    const { c64, time, run } = timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd060), ...loop]))
    run(3)
    for (const address of [0xd020, 0xd060, 0xd3e0])
      expect(time.historyOf(address, Infinity).lastWrite).toMatchObject({
        to: 7,
        by: { text: expect.stringContaining('$D060') as string },
      })
    for (const address of [0xdd04, 0xddf4]) expect(time.historyOf(address, Infinity).lastRead).not.toBeNull()
    expect(time.historyOf(0xd420, Infinity).lastWrite).toBeNull()
    expect(time.historyOf(0xdd05, Infinity).lastRead).toBeNull()
    time.toCheckpoint(checkpointAt(0xd060, 'store'))
    const stopped = c64.clock
    run(1)
    time.toWrite(0xd020)
    expect(c64.clock).toBeLessThan(stopped)
  })

  it('has what a reset left in a register, and no reading of it, before the first write', () => {
    const stores = [...STORE(0x80, 0xd012), ...STORE(0x20, 0xdd04), ...STORE(1, 0xdd0d)]
    const { time, run } = timedC64(romsWith([...SEI_BANKED, ...stores, ...LOOP_FOREVER(0xe01a)]))
    run(3)
    time.input({ kind: 'reset', reset: 'power' })
    run(3)
    const before = (address: number) => time.historyOf(address, Infinity).lastWrite?.from
    expect([0xd012, 0xdd04, 0xdd0d].map(before)).toEqual([0, 0xff, 0])
  })

  it('names the instruction as it was when it wrote', () => {
    // $E010 LDA #$8D; STA $0500; $E015 STX $0400 by way of RAM: $0501 is $00, $0502 is $04, $0503 RTS; then $0500 is $EA
    const put = (value: number, address: number) => STORE(value, address)
    const code = [...put(0x8e, 0x500), ...put(0, 0x501), ...put(4, 0x502), ...put(0x60, 0x503), 0xe8, 0x20, 0x00, 0x05]
    const all = [...SEI_BANKED, 0xa2, 0xff, 0x9a, ...code, ...put(0xea, 0x500)]
    const end = 0xe000 + all.length
    const { c64, time } = timedC64(romsWith([...all, 0x4c, end & 0xff, end >> 8]))
    while (c64.cpu.pc !== end) c64.step(1)
    time.ran()
    expect(time.historyOf(0x0400, Infinity).lastWrite?.by).toEqual({ address: 0x0500, space: 'ram', text: 'STX $0400' })
  })

  it('knows what a chip’s register held where a search begins', () => {
    // $E010 two loops of 256; INC $D020, a third of a second apart; JMP $E010
    const loop = [0xe8, 0xd0, 0xfd, 0xc8, 0xd0, 0xfa, 0xee, 0x20, 0xd0, 0x4c, 0x10, 0xe0]
    const { time, run } = timedC64(romsWith([...SEI_BANKED, ...STORE(7, 0xd020), ...loop]))
    run(70)
    const { changes } = time.historyOf(0xd020, Infinity)
    expect(changes.length).toBeGreaterThan(1)
    expect(changes.slice(0, -1).map(({ from }) => from)).toEqual(changes.slice(1).map(({ to }) => to))
  })
})
