import { beforeEach, describe, expect, it } from 'vitest'
import { Cia, ciaSchema } from './cia'
import type { CiaModel } from '@shared/contract/machine'

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

  it('appear on port B, as a pulse of a cycle or turned by each underflow', () => {
    start('a', 4, 0x03)
    start('b', 4, 0x07)
    const pins = Array.from({ length: 12 }, (_, now) => cia.read(1, now) >> 6)
    expect(pins).toEqual([2, 2, 2, 2, 3, 0, 0, 0, 0, 1, 2, 2])
  })
})

describe('lazily evaluated', () => {
  /** A linear congruential generator, so that the cases are always the same. */
  function chance(seed: number): (below: number) => number {
    let state = seed
    return (below) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 8) % below
    }
  }

  function access(chip: Cia, register: number, value: number | undefined, now: number): number {
    if (value === undefined) return chip.read(register, now)
    chip.write(register, value, now)
    return -1
  }

  it.each(['6526', '8521'] as const)(
    'the %s is what it is when it is stepped each cycle, and asserts no later',
    (model) => {
      for (let seed = 1; seed <= 20; seed++) {
        const below = chance(seed)
        const stepped = new Cia(model, CLOCK, 50, open)
        const lazy = new Cia(model, CLOCK, 50, open)
        let due = 0
        for (let now = 0, next = 0; now < 2_000; now++) {
          stepped.advance(now)
          if (now >= due) {
            lazy.advance(now)
            due = lazy.nextEvent
          }
          expect(lazy.asserted).toBe(stepped.asserted)
          if (now < next) continue
          next = now + 1 + below(below(8) === 0 ? 300 : 12)
          const register = below(16)
          const value = below(3) === 0 ? undefined : register === 5 || register === 7 ? below(2) : below(256)
          expect(access(lazy, register, value, now)).toBe(access(stepped, register, value, now))
          expect(lazy.state).toEqual(stepped.state)
          expect(ciaSchema.safeParse(lazy.state).success).toBe(true)
          due = lazy.nextEvent
        }
      }
    },
  )

  it('is due seldom while a timer runs as the KERNAL sets it', () => {
    cia.write(0xd, 0x81, -18)
    start('a', 16_421, 0x11)
    let steps = 0
    for (let now = 0; now < 19_656; steps++) {
      cia.advance(now)
      now = Math.max(cia.nextEvent, now + 1)
    }
    expect(steps).toBeLessThan(20)
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
    expect([cia.asserted, cia.seenLow]).toEqual([false, true])
    expect([cia.read(0xd, 103), cia.seenLow]).toEqual([0, false])
  })

  it('of a source that is not enabled only leave a flag, and come when it is enabled', () => {
    start('b', 100, 0x09)
    cia.advance(200)
    expect([cia.asserted, cia.peek(0xd)]).toEqual([false, 0x02])
    cia.write(0xd, 0x82, 300)
    expect(cia.asserted).toBe(true)
  })

  const icr = (model: CiaModel, timer: 'a' | 'b', ...reads: number[]): number[] => {
    cia = new Cia(model, CLOCK, 50, open)
    cia.state.now = -20
    cia.write(0xd, 0x83, -14)
    start(timer, 100, 0x09)
    return reads.map((now) => cia.read(0xd, now))
  }

  it('of the 8521 are asserted with the flag', () => {
    expect([icr('8521', 'a', 99, 100), icr('8521', 'b', 99, 100), icr('8521', 'b', 100, 104)]).toEqual([
      [0, 0x81],
      [0, 0x82],
      [0x82, 0],
    ])
  })

  it('of the 6526 are asserted a cycle later, unless the flag was read before', () => {
    expect([icr('6526', 'a', 101), icr('6526', 'a', 100, 104)]).toEqual([[0x81], [0x01, 0]])
    expect(cia.asserted).toBe(false)
  })

  it('of the 6526 lose the flag of timer B when the register was read a cycle before', () => {
    expect([icr('6526', 'b', 99, 103), icr('6526', 'a', 99, 103), icr('6526', 'b', 98, 102)]).toEqual([
      [0, 0x80],
      [0, 0x81],
      [0, 0x82],
    ])
  })

  it('of the 8521 come a cycle later when the register was read in the cycle before, and as an edge when it is read again', () => {
    const lines = (...reads: number[]) => {
      icr('8521', 'a', ...reads)
      const at = reads.at(-1) ?? 0
      const now = [cia.asserted, cia.pulsed]
      cia.advance(at + 1)
      return [...now, cia.asserted, cia.pulsed]
    }
    expect(icr('8521', 'a', 98, 100)).toEqual([0, 0x81])
    expect(icr('8521', 'a', 99, 100)).toEqual([0, 0x81])
    expect(lines(99)).toEqual([false, false, false, false])
    cia.advance(101)
    expect(cia.asserted).toBe(true)
    expect(lines(99, 100)).toEqual([false, true, false, false])
    expect(lines(98, 100)).toEqual([false, false, false, false])
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
    [[9, 0x59, 0x0f, 0x03], '03:00:00:00'],
    [[9, 0x59, 0x79, 0x03], '03:00:00:00'],
    [[9, 0x7f, 0x22, 0x03], '03:22:70:00'],
    [[15, 0x33, 0x22, 0x03], '03:22:33:00'],
    [[9, 0x59, 0x59, 0x09], '10:00:00:00'],
    [[9, 0x59, 0x59, 0x0f], '00:00:00:00'],
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

  it('turns PM around when hour 12 is written, but not that of the alarm', () => {
    set([0, 0, 0, 0x12])
    expect(get(0)).toBe('92:00:00:00')
    set([0, 0, 0, 0x92])
    expect(get(0)).toBe('12:00:00:00')
    cia.write(0xd, 0x7f, 0)
    cia.read(0xd, 0)
    cia.write(0xf, 0x80, 0)
    set([0, 0, 0, 0x12])
    expect(cia.peek(0xd)).toBe(0x04)
  })

  it('goes all the way around its divider when it is set to 50 Hz too late', () => {
    const period = CLOCK / 50
    const at = (periods: number) => Math.ceil(period * periods) + 1
    set([0, 0, 0, 0x01])
    cia.write(0xe, 0x80, at(5.4))
    cia.advance(at(12.9))
    expect(cia.peek(0x8)).toBe(0)
    cia.advance(at(13))
    expect(cia.peek(0x8)).toBe(1)
  })

  it('stands at 01:00:00.0 after a reset', () => {
    cia.write(0xe, 0x80, 0)
    set([5, 6, 7, 8])
    cia.advance(seconds(1))
    cia.reset()
    expect(get(seconds(2))).toBe('01:00:00:00')
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

describe('the serial register', () => {
  /** The cycle in which the flag can first be read, when control A is written in cycle 0. */
  function flagAt(latch: number, ...writes: number[]): number[] {
    cia = new Cia('8521', CLOCK, 50, open)
    cia.state.now = -40
    cia.write(4, latch, -30)
    cia.write(5, 0, -26)
    cia.write(0xc, 0x55, -20)
    cia.write(0xe, 0x51, 0)
    const found: number[] = []
    for (let now = 1; now < 600; now++) {
      if (writes.includes(now)) cia.write(0xc, 0x55, now)
      if ((cia.read(0xd, now) & 0x08) !== 0) found.push(now)
    }
    return found
  }

  it.each([
    [1, 36],
    [2, 51],
    [3, 66],
    [5, 96],
    [9, 156],
  ])('sends a byte with a latch of %i by cycle %i', (latch, cycle) => {
    expect(flagAt(latch)).toEqual([cycle])
  })

  it('goes on with the next byte as soon as it is there', () => {
    expect(flagAt(5, 40, 100)).toEqual([96, 180, 264])
    expect(flagAt(5, 93)).toEqual([96, 192])
    expect(flagAt(5, 105)).toEqual([96, 198])
  })

  it('takes a byte at once where nothing is under way, so that the next one waits behind it', () => {
    expect(flagAt(9, 194, 198)).toEqual([156, 346, 486])
    expect(flagAt(9, 157, 161)).toEqual([156, 316, 456])
    expect(flagAt(9, 40, 44)).toEqual([156, 296])
  })

  /** For control A written in each of 32 cycles, 0 first: whether a start of timer A later says that the byte is done. */
  function doneByRestart(...controls: number[]): string {
    const stopped = Array.from({ length: 32 }, (_, index) => {
      cia = new Cia('8521', CLOCK, 50, open)
      cia.state.now = -40
      cia.write(4, 12, -30)
      cia.write(5, 0, -26)
      cia.write(0xc, 0x55, -20)
      cia.write(0xe, 0x51, 0)
      const at = 34 + index
      for (const [step, control] of controls.entries()) cia.write(0xe, control, at + 30 * step)
      const last = at + 30 * (controls.length - 1)
      expect(cia.read(0xd, last + 4) & 0x08).toBe(0)
      const done = (cia.read(0xd, last + 5) & 0x08) !== 0
      expect(cia.read(0xd, last + 600) & 0x08).toBe(0)
      return done ? 'X' : '.'
    })
    return stopped.join('')
  }

  it.each([
    [[0x40, 0x41], '......X.X.XXXXXXXXX.XXXX........'],
    [[0x48, 0x51], '......X.X.XXXXXXXXX.XXXX........'],
    [[0x00, 0x41], '........X.XXXXXXXXXXXXXX........'],
    [[0x40, 0x00, 0x01], '......X.X.XXXXXXXXX.XXXX........'],
    [[0x40, 0x50, 0x41], '......XXXXXXXXXXXXX.............'],
    [[0x00, 0x10, 0x41], '.......XXXXXXXXXXXXX............'],
  ])('forgets its byte when timer A is stopped and started by %j, and may say that it is done', (controls, done) => {
    expect(doneByRestart(...controls)).toBe(done)
  })

  it('keeps its byte when timer A is started for one underflow', () => {
    flagAt(5)
    cia.write(0xc, 0x55, 600)
    cia.write(0xe, 0x40, 650)
    for (let now = 700; now < 1_200; now += 30) cia.write(0xe, 0x49, now)
    expect(cia.read(0xd, 1_200) & 0x08).toBe(0x08)
  })

  it('takes nothing in, and shows what was written', () => {
    cia.write(0xc, 0x77, 0)
    cia.write(0xe, 0x01, 0)
    expect([cia.read(0xc, 5_000), cia.read(0xd, 5_000) & 0x08]).toEqual([0x77, 0])
  })
})
