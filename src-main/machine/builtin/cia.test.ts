import { beforeEach, describe, expect, it } from 'vitest'
import { Cia } from './cia'

const CLOCK = 985_248
const open = { a: (a: number) => a, b: (_a: number, b: number) => b }

let cia: Cia
beforeEach(() => {
  cia = new Cia('8521', CLOCK, 50, open)
  cia.state.now = -20
})

/** Writes a timer's latch and starts it so that it counts from cycle 0 on. */
function start(timer: 'a' | 'b', latch: number, control: number): void {
  const low = timer === 'a' ? 4 : 6
  cia.write(low, latch & 0xff, -10)
  cia.write(low + 1, latch >> 8, -6)
  cia.write(timer === 'a' ? 0xe : 0xf, control, -2)
}

const counter = (low: number, now: number) => cia.read(low, now) | (cia.read(low + 1, now) << 8)

describe('timers', () => {
  it('count down cycles, and reload after latch + 1 of them', () => {
    start('a', 1000, 0x01)
    expect([0, 1, 999, 1000, 1001, 1002].map((now) => counter(4, now))).toEqual([1000, 999, 1, 1000, 1000, 999])
    expect(counter(4, 1001 * 50 + 3)).toBe(997)
  })

  it('a one-shot timer stops reloaded', () => {
    start('a', 10, 0x09)
    expect(counter(4, 500)).toBe(10)
    expect(cia.read(0xe, 500)).toBe(0x08)
  })

  it('stand still until two cycles after they are started, and go on for two when they are stopped', () => {
    start('a', 500, 0x00)
    expect(counter(4, 100)).toBe(500)
    cia.write(0xe, 0x01, 100)
    expect([counter(4, 102), counter(4, 200)]).toEqual([500, 402])
    cia.write(0xe, 0x00, 200)
    expect(counter(4, 300)).toBe(400)
  })

  it('load on demand, and count three cycles later', () => {
    start('a', 500, 0x01)
    cia.write(0xe, 0x11, 200)
    expect([counter(4, 203), counter(4, 204)]).toEqual([500, 499])
    expect(cia.read(0xe, 204)).toBe(0x01)
  })

  it('timer B counts underflows of timer A', () => {
    start('a', 99, 0x01)
    start('b', 3, 0x41)
    expect([300, 301, 302, 398, 399].map((now) => counter(6, now))).toEqual([1, 0, 0, 0, 0])
  })

  it('waiting for CNT never count', () => {
    start('a', 50, 0x21)
    start('b', 50, 0x21)
    expect([counter(4, 1000), counter(6, 1000)]).toEqual([50, 50])
  })

  it.each([1, 7, 100])('give the same counters whether asked once or every %i cycles', (interval) => {
    const asked = new Cia('8521', CLOCK, 50, open)
    asked.state.now = -20
    for (const chip of [cia, asked]) {
      chip.write(4, 77, 0)
      chip.write(5, 0, 0)
      chip.write(6, 5, 0)
      chip.write(7, 0, 0)
      chip.write(0xf, 0x41, 0)
      chip.write(0xe, 0x01, 0)
    }
    for (let now = 0; now <= 10_000; now += interval) asked.advance(now)
    asked.advance(10_000)
    cia.advance(10_000)
    expect(asked.state).toEqual(cia.state)
  })
})

describe('interrupts', () => {
  it('are asserted for enabled sources, and taken back by reading', () => {
    cia.write(0xd, 0x81, -14)
    start('a', 100, 0x09)
    cia.advance(0)
    expect(cia.nextEvent).toBeLessThanOrEqual(100)
    cia.advance(99)
    expect(cia.asserted).toBe(false)
    cia.advance(100)
    expect(cia.asserted).toBe(true)
    expect(cia.peek(0xd)).toBe(0x81)
    expect(cia.asserted).toBe(true)
    expect(cia.read(0xd, 102)).toBe(0x81)
    expect([cia.asserted, cia.read(0xd, 103)]).toEqual([false, 0])
  })

  it('of a source that is not enabled only leave a flag, and come when it is enabled', () => {
    start('b', 100, 0x09)
    cia.advance(200)
    expect([cia.asserted, cia.peek(0xd)]).toEqual([false, 0x02])
    cia.write(0xd, 0x82, 300)
    expect(cia.asserted).toBe(true)
  })

  it('the mask is set and cleared bit by bit', () => {
    cia.write(0xd, 0x9f, -18)
    cia.write(0xd, 0x01, -14)
    start('a', 10, 0x09)
    start('b', 20, 0x09)
    cia.advance(15)
    expect(cia.asserted).toBe(false)
    cia.advance(30)
    expect(cia.asserted).toBe(true)
  })
})

describe('ports', () => {
  it('outputs drive, inputs read the pins, and an outside pull-down wins', () => {
    cia = new Cia('8521', CLOCK, 50, { a: (a) => a & 0x7f, b: (a, b) => a & b })
    cia.write(2, 0xf0, 0)
    cia.write(0, 0xa5, 0)
    expect(cia.read(0, 0)).toBe(0x2f)
    expect(cia.drivenA).toBe(0xaf)
    expect(cia.read(1, 0)).toBe(0xaf)
  })
})

describe('the time of day', () => {
  const seconds = (count: number) => Math.ceil(CLOCK * count) + 1
  const set = (time: readonly [number, number, number, number]) => {
    for (const index of [3, 2, 1, 0] as const) cia.write(8 + index, time[index], 0)
  }
  const get = (now: number) =>
    [0xb, 0xa, 0x9, 0x8].map((register) => cia.read(register, now).toString(16).padStart(2, '0')).join(':')

  it('stands until the tenths are written, then runs by the mains', () => {
    cia.write(0xe, 0x80, 0)
    expect(get(seconds(5))).toBe('01:00:00:00')
    cia.write(0x8, 0, seconds(5))
    expect(get(seconds(6.5))).toBe('01:00:01:05')
  })

  it('set for 60 Hz on 50 Hz mains it is slow', () => {
    set([0, 0, 0, 0x01])
    expect(get(seconds(60))).toBe('01:00:50:00')
  })

  it.each([
    [[9, 0x59, 0x59, 0x11], '92:00:00:00'],
    [[9, 0x59, 0x59, 0x92], '01:00:00:00'],
    [[9, 0x59, 0x59, 0x12], '81:00:00:00'],
    [[9, 0x59, 0x59, 0x89], '90:00:00:00'],
    [[9, 0x59, 0x59, 0x91], '12:00:00:00'],
    [[9, 0x29, 0x09, 0x05], '05:09:30:00'],
  ] as const)('goes on from %j to %s', (time, next) => {
    cia.write(0xe, 0x80, 0)
    set(time)
    expect(get(seconds(0.1))).toBe(next)
  })

  it('is latched from reading the hours until reading the tenths', () => {
    cia.write(0xe, 0x80, 0)
    set([0, 0, 0, 0x01])
    cia.read(0xb, seconds(1))
    expect(cia.read(0x9, seconds(30))).toBe(0x01)
    cia.read(0x8, seconds(30))
    expect(cia.read(0x9, seconds(30))).toBe(0x30)
  })

  it('interrupts at the alarm', () => {
    cia.write(0xe, 0x80, 0)
    cia.write(0xf, 0x80, 0)
    set([5, 0, 0, 0x01])
    cia.write(0xf, 0x00, 0)
    set([0, 0, 0, 0x01])
    cia.read(0xd, 0)
    cia.write(0xd, 0x84, 0)
    cia.advance(seconds(0.4))
    expect(cia.asserted).toBe(false)
    cia.advance(seconds(0.5))
    expect(cia.asserted).toBe(true)
  })
})
