import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Frame, SameAsRam } from '@shared/contract/frames'
import { FrameStore } from './frameStore'

function setUp() {
  let now = 1000
  let pending: ((now: number) => void)[] = []
  const store = new FrameStore(
    (draw) => void pending.push(draw),
    () => now,
  )
  return {
    store,
    at: (time: number) => {
      now = time
      vi.runOnlyPendingTimers()
    },
    /** Runs the animation frame that the store asked for; the number of callbacks that were waiting. */
    paint: () => {
      const due = pending
      pending = []
      for (const draw of due) draw(now)
      return due.length
    },
    send: (frame: Partial<Frame>, dropped = 0, sameAsRam: SameAsRam[] = []) =>
      store.apply({
        kind: 'frame',
        dropped,
        sameAsRam,
        frame: { machine: 'builtin', epoch: 1, seq: 1, time: 0, segments: [], ...frame },
      }),
  }
}

const segment = (address: number, ...bytes: number[]) => ({
  space: 'ram' as const,
  address,
  bytes: Uint8Array.from(bytes),
})

describe('FrameStore', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('draws the other views where one fails, and tells of the failure', () => {
    const { store, paint } = setUp()
    const told = vi.fn()
    vi.stubGlobal('reportError', told)
    const drawn = vi.fn()
    store.onDraw(() => {
      throw new Error('no machine')
    })
    store.onDraw(drawn)
    store.requestDraw()
    paint()
    vi.unstubAllGlobals()
    expect(drawn).toHaveBeenCalledOnce()
    expect(told).toHaveBeenCalledWith(new Error('no machine'))
  })

  it('marks no change for the first bytes of a space, and the exact addresses after', () => {
    const { store, send, at } = setUp()
    send({ segments: [segment(0x0400, 1, 2, 3)] })
    expect(store.changedAt('ram')[0x0400]).toBe(-Infinity)
    at(2000)
    send({ seq: 2, segments: [segment(0x0400, 1, 9, 3)] })
    expect(store.image('ram').slice(0x0400, 0x0403)).toEqual(Uint8Array.of(1, 9, 3))
    expect([...store.changedAt('ram').slice(0x0400, 0x0403)]).toEqual([-Infinity, 2000, -Infinity])
  })

  it('takes what a part of a space holds first as no change, also where another part was read before', () => {
    const { store, send, at } = setUp()
    send({ segments: [segment(0x0400, 1)] })
    at(2000)
    send({ seq: 2, segments: [segment(0x7000, 5, 6)] })
    expect([...store.changedAt('ram').slice(0x7000, 0x7002)]).toEqual([-Infinity, -Infinity])
    at(3000)
    send({ seq: 3, segments: [segment(0x7000, 5, 7)] })
    expect([...store.changedAt('ram').slice(0x7000, 0x7002)]).toEqual([-Infinity, 3000])
  })

  it('lets the time of changes stand still with the machine, and go on where it stood', () => {
    const { store, send, at, paint } = setUp()
    send({ segments: [segment(0x0400, 1)] })
    at(2000)
    send({ seq: 2, segments: [segment(0x0400, 2)] })
    const age = () => store.changeTime - (store.changedAt('ram')[0x0400] ?? 0)
    at(2500)
    store.standStill(true)
    paint()
    at(60_000)
    expect(age()).toBe(500)
    store.requestFade()
    expect(paint()).toBe(0)
    store.standStill(false)
    at(60_100)
    expect(age()).toBe(600)
    paint()
    store.requestFade()
    expect(paint()).toBe(0)
    at(60_160)
    expect(paint()).toBe(1)
  })

  it('draws what fades no more often than its colours change', () => {
    const { store, at, paint } = setUp()
    paint()
    let draws = 0
    store.onDraw(() => {
      draws += 1
      store.requestFade()
    })
    paint()
    const FRAMES = 60
    for (let frame = 0; frame < FRAMES; frame++) {
      vi.advanceTimersByTime(1000 / FRAMES)
      paint()
    }
    at(3000)
    expect(draws).toBeGreaterThan(10)
    expect(draws).toBeLessThan(20)
  })

  it('lets earlier changes fade with each step of a machine that stands still', () => {
    const { store, send, at } = setUp()
    const pc = (value: number) => [{ name: 'PC', value, bits: 16 }]
    send({ segments: [segment(0x0400, 1, 1)], registers: pc(0xc000) })
    store.standStill(true)
    send({ seq: 2, segments: [segment(0x0400, 2)], registers: pc(0xc000) })
    const age = (address: number) => store.changeTime - (store.changedAt('ram')[address] ?? 0)
    expect(age(0x0400)).toBeLessThan(1)
    at(9000)
    send({ seq: 3, segments: [segment(0x0401, 2)], registers: pc(0xc003) })
    expect(age(0x0401)).toBe(0)
    expect(age(0x0400)).toBeGreaterThan(100)
  })

  it('tells a draw which pages changed since the draw before', () => {
    const { store, send, paint } = setUp()
    send({ segments: [{ space: 'ram', address: 0, bytes: new Uint8Array(0x10000) }] })
    paint()
    send({ seq: 2, segments: [segment(0x1234, 7), segment(0xffff, 8)] })
    const pages: number[] = []
    store.onDraw(() =>
      pages.push(...[...store.dirtyPages('ram').keys()].filter((page) => store.dirtyPages('ram')[page] === 1)),
    )
    paint()
    expect(pages).toEqual([0x12, 0xff])
    expect(store.dirtyPages('ram').every((dirty) => dirty === 0)).toBe(true)
  })

  it('copies what another space has in common with RAM, as it is after the frame', () => {
    const { store, send, at } = setUp()
    send({ segments: [segment(0x0400, 1, 2, 3)] }, 0, [{ space: 'cpu', address: 0x0400, length: 3 }])
    at(2000)
    send({ seq: 2, segments: [segment(0x0401, 9)] }, 0, [{ space: 'cpu', address: 0x0400, length: 2 }])
    expect(store.known('cpu')).toBe(true)
    expect(store.image('cpu').slice(0x0400, 0x0403)).toEqual(Uint8Array.of(1, 9, 3))
    expect([...store.changedAt('cpu').slice(0x0400, 0x0403)]).toEqual([-Infinity, 2000, -Infinity])
  })

  it('keeps what the machine tells of its CPU until the epoch changes', () => {
    const { store, send } = setUp()
    expect(store.accesses.told).toBe('none')
    send({ accesses: { reads: new Uint8Array(8192), writes: new Uint8Array(8192).fill(1, 0x80, 0x81) } })
    expect([store.accesses.told, store.accesses.of('writes', 'cpu')[0x0400]]).toEqual(['bus', 1000])
    send({ epoch: 2 })
    expect([store.accesses.told, store.accesses.of('writes', 'cpu')[0x0400]]).toEqual(['none', -Infinity])
  })

  it('forgets everything when the epoch changes', () => {
    const { store, send } = setUp()
    send({ segments: [segment(0, 5)], registers: [{ name: 'PC', value: 1, bits: 16 }] })
    send({ epoch: 2, segments: [{ space: 'io', address: 0xd020, bytes: Uint8Array.of(6) }] })
    expect(store.known('ram')).toBe(false)
    expect(store.known('io')).toBe(true)
    expect(store.image('ram')[0]).toBe(0)
    expect(store.registers).toEqual([])
  })

  it('asks for one animation frame however many frames arrive, and counts the overtaken ones', () => {
    const { store, send, paint, at } = setUp()
    send({ seq: 1 })
    send({ seq: 2 })
    send({ seq: 3 })
    expect(paint()).toBe(1)
    expect(paint()).toBe(0)
    store.requestDraw()
    expect(paint()).toBe(1)
    send({ seq: 4 })
    at(2000)
    expect(store.summary()).toMatchObject({ seq: 4, shown: 1, superseded: 2 })
  })

  it('keeps the count of dropped frames when a new subscription counts from zero', () => {
    const { store, send, at } = setUp()
    send({ seq: 1 }, 4)
    send({ seq: 2 }, 1)
    send({ seq: 3 }, 2)
    at(2000)
    expect(store.summary().dropped).toBe(6)
  })

  it('renews the summary at most every 100 ms and hands out the same object between', () => {
    const { store, send, at } = setUp()
    const renewed = vi.fn()
    store.onSummary(renewed)
    send({ seq: 1 })
    const first = store.summary()
    for (let seq = 2; seq < 20; seq++) send({ seq })
    expect(store.summary()).toBe(first)
    at(1100)
    expect(renewed).toHaveBeenCalledTimes(2)
    expect(store.summary().seq).toBe(19)
  })

  it('counts the paints of the last second, also when no more frames come', () => {
    const { store, send, paint, at } = setUp()
    for (let seq = 1; seq <= 5; seq++) {
      send({ seq })
      paint()
      at(1000 + seq * 100)
    }
    send({ seq: 6 })
    expect(store.summary().paintRate).toBe(5)
    at(4000)
    expect(store.summary().paintRate).toBe(0)
  })

  it('joins the wishes of all views and reports only real changes', () => {
    const { store } = setUp()
    const changed = vi.fn()
    store.onWish(changed)
    const one = store.want({ spaces: ['ram', 'io'], picture: false })
    const other = store.want({ spaces: ['io'], picture: true })
    expect(store.wish).toEqual({ spaces: ['io', 'ram'], picture: true })
    one()
    expect(store.wish).toEqual({ spaces: ['io'], picture: true })
    const same = store.want({ spaces: ['io'], picture: false })
    same()
    other()
    expect(store.wish).toEqual({ spaces: [], picture: false })
    expect(changed).toHaveBeenCalledTimes(4)
  })
})
