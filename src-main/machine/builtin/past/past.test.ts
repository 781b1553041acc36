import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { demo, readRoms } from '../../../../test/support/ownRoms'
import { C64 } from '../c64'
import { Checkpoints } from '../checkpoints'
import { encodeState } from '../state'
import { touchAllPages } from '../../../../test/support/touchAllPages'
import { memoryInUse } from '../../../../test/support/memoryInUse'
import { Past } from './past'

const roms = readRoms()
const MINUTE = 60 * 985_248
const MB = 1_000_000

/** The machine with the host's keys, as one line. */
function fingerprint(c64: C64): string {
  const { image, ...hostInput } = c64.snapshot()
  const state = createHash('sha256').update(encodeState(image, roms)).digest('hex')
  return `${c64.clock} ${state} ${JSON.stringify(hostInput)}`
}

/** A machine that runs a program, and its past since then. */
function runningMachine(file: Uint8Array, { cycles = 10 * MINUTE, bytes = 100 * MB } = {}) {
  const c64 = new C64(roms, 'pal')
  const past = new Past(c64, { cycles, bytes })
  past.input(c64, { kind: 'program', file })
  const run = (frames: number) => {
    for (let frame = 0; frame < frames; frame++) {
      c64.runFrame()
      past.ran(c64)
    }
  }
  return { c64, past, run }
}

const demoMachine = (limits?: { cycles?: number; bytes?: number }) =>
  runningMachine(new Uint8Array(readFileSync(demo)), limits)

describe('the past of the built-in C64', () => {
  it('returns to a point, also before what it was given at the same clock, and has another future from there', () => {
    const { c64, past, run } = demoMachine()
    run(40)
    const write = (value: number) =>
      past.input(c64, { kind: 'memory', space: 'ram', address: 0xc000, bytes: Uint8Array.of(value) })
    write(1)
    const point = past.point(c64)
    const before = fingerprint(c64)
    write(2)
    past.input(c64, { kind: 'program', file: new Uint8Array(readFileSync(demo)) })
    run(30)
    const later = past.point(c64)
    const after = fingerprint(c64)
    past.returnTo(c64, point)
    expect(fingerprint(c64)).toBe(before)
    run(5)
    expect(c64.space.ram[0xc000]).toBe(1)
    expect(() => past.returnTo(c64, later)).toThrow('not in the machine’s past any more')
    past.toLeftFuture(c64)
    expect(fingerprint(c64)).toBe(after)
    past.returnTo(c64, later)
    past.returnTo(c64, point)
    expect(fingerprint(c64)).toBe(before)
  })

  it('does not return to a point of a future that it has left', () => {
    const { c64, past, run } = demoMachine()
    run(40)
    const start = past.point(c64)
    run(40)
    const point = past.point(c64)
    past.goTo(c64, start.clock)
    past.input(c64, { kind: 'keys', keys: ['a'] })
    run(60)
    expect(() => past.returnTo(c64, point)).toThrow('not in the machine’s past any more')
    past.returnTo(c64, start)
  })

  it('has each moment exactly as it was, with keys, joystick, typed text and writes in between', () => {
    const { c64, past, run } = demoMachine()
    const seen: { readonly clock: number; readonly state: string }[] = []
    const remember = () => {
      seen.push({ clock: c64.clock, state: fingerprint(c64) })
      run(1)
    }
    run(40)
    remember()
    past.input(c64, { kind: 'keys', keys: ['a'] })
    run(3)
    remember()
    past.input(c64, { kind: 'keys', keys: [] })
    past.input(c64, { kind: 'joystick', port: 2, inputs: ['fire'] })
    run(60)
    remember()
    past.input(c64, { kind: 'text', keys: [0x41, 0x42, 0x43] })
    past.input(c64, { kind: 'memory', space: 'cpu', address: 0xd020, bytes: Uint8Array.of(2) })
    past.input(c64, { kind: 'register', name: 'Y', value: 3 })
    c64.step(17)
    past.ran(c64)
    remember()
    past.input(c64, { kind: 'reset', reset: 'soft' })
    run(200)
    remember()
    for (const { clock, state } of [...seen].reverse()) {
      past.goTo(c64, clock)
      expect(fingerprint(c64)).toBe(state)
    }
    for (const { clock, state } of seen) {
      past.goTo(c64, clock)
      expect(fingerprint(c64)).toBe(state)
    }
  })

  it('goes the same way again when the machine runs on from the past, whole frames or single steps', () => {
    const { c64, past, run } = demoMachine()
    run(60)
    const middle = c64.clock
    past.input(c64, { kind: 'keys', keys: ['space'] })
    run(30)
    const end = fingerprint(c64)
    past.goTo(c64, middle - 100_000)
    while (c64.clock < past.span(c64).end) run(1)
    expect(fingerprint(c64)).toBe(end)
    past.goTo(c64, middle - 1_000)
    while (c64.clock < past.span(c64).end) c64.step(1)
    expect(fingerprint(c64)).toBe(end)
  })

  it('goes the same way again where a checkpoint stopped the machine within a frame', () => {
    const { c64, past, run } = demoMachine()
    run(10)
    const checkpoints = new Checkpoints()
    const access = { stop: true, enabled: true, temporary: true, condition: null, fromHit: 1, log: null }
    checkpoints.set({ start: 0xd019, end: 0xd019, operations: ['store'], ...access })
    while (!c64.runFrame(checkpoints)) past.ran(c64)
    past.ran(c64)
    const stopped = fingerprint(c64)
    past.input(c64, { kind: 'memory', space: 'ram', address: 0x0400, bytes: Uint8Array.of(1, 2, 3) })
    const { clock } = c64
    run(80)
    const end = fingerprint(c64)
    past.goTo(c64, clock - 1)
    expect(c64.clock).toBe(clock)
    expect(c64.space.ram.subarray(0x0400, 0x0403)).toEqual(Uint8Array.of(1, 2, 3))
    past.goTo(c64, clock - 100)
    expect(fingerprint(c64)).not.toBe(stopped)
    run(100)
    expect(c64.clock).toBeGreaterThan(Number.parseInt(end, 10))
  })

  it('gets another future when the past is changed, and the left one back as it was', () => {
    const { c64, past, run } = demoMachine()
    run(100)
    const end = fingerprint(c64)
    const { end: oldEnd } = past.span(c64)
    past.goTo(c64, oldEnd - 1_000_000)
    const from = c64.clock
    past.input(c64, { kind: 'memory', space: 'ram', address: 0x0400, bytes: Uint8Array.of(0x42) })
    expect(past.span(c64)).toMatchObject({ now: from, end: from, left: { from, end: oldEnd } })
    run(60)
    const other = fingerprint(c64)
    expect(other).not.toBe(end)
    past.goTo(c64, from)
    run(60)
    expect(fingerprint(c64)).toBe(other)
    past.toLeftFuture(c64)
    expect(fingerprint(c64)).toBe(end)
    expect(past.span(c64).left).toBeNull()
  })

  it('keeps as much time as it may, and goes no further back', () => {
    const { c64, past, run } = demoMachine({ cycles: 2 * 985_248 })
    run(300)
    const { start, now } = past.span(c64)
    expect(now - start).toBeGreaterThanOrEqual(2 * 985_248)
    expect(now - start).toBeLessThan(3 * 985_248)
    past.goTo(c64, 0)
    expect(c64.clock).toBe(start)
  })

  it('keeps to its bytes, however much the program changes, and goes back to all that it keeps', () => {
    const { c64, past, run } = runningMachine(touchAllPages, { bytes: 2 * MB })
    const sizes: number[] = []
    for (let second = 0; second < 10; second++) {
      run(50)
      sizes.push(past.span(c64).bytes)
    }
    expect(Math.max(...sizes)).toBeLessThan(2 * MB)
    expect(Math.min(...sizes.slice(-3))).toBeGreaterThan(1.5 * MB)
    const { start, end } = past.span(c64)
    expect(end - start).toBeGreaterThan(2 * 985_248)
    past.goTo(c64, start)
    expect(c64.clock).toBe(start)
    past.goTo(c64, end)
    expect(c64.clock).toBe(end)
  })

  it('says what it takes, and not less', () => {
    // What is compiled and made once is no part of it.
    runningMachine(touchAllPages).run(100)
    const before = memoryInUse()
    const { c64, past, run } = runningMachine(touchAllPages)
    run(10)
    const begun = { held: memoryInUse() - before, told: past.span(c64).bytes }
    run(30 * 50)
    const held = memoryInUse() - before - begun.held
    const told = past.span(c64).bytes - begun.told
    expect(told / held).toBeGreaterThan(0.8)
    expect(told / held).toBeLessThan(1.5)
  })

  it('keeps to its bytes with the future that was left, which loses its oldest moments with the other and is forgotten at last', () => {
    const { c64, past, run } = runningMachine(touchAllPages, { bytes: 2 * MB })
    run(10 * 50)
    const { start, end } = past.span(c64)
    past.goTo(c64, (start + end) / 2)
    past.input(c64, { kind: 'keys', keys: ['a'] })
    for (let second = 0; second < 6; second++) {
      run(50)
      expect(past.span(c64).bytes).toBeLessThan(2 * MB)
    }
    expect(past.span(c64).left?.end).toBe(end)
    run(6 * 50)
    expect(past.span(c64).left).toBeNull()
    expect(past.span(c64).bytes).toBeLessThan(2 * MB)
  })

  it('keeps the end of the future that was left also where it was left at its very beginning', () => {
    const { c64, past, run } = runningMachine(touchAllPages, { bytes: 2 * MB })
    run(10 * 50)
    const end = fingerprint(c64)
    past.goTo(c64, past.span(c64).start)
    past.input(c64, { kind: 'keys', keys: ['a'] })
    run(50)
    expect(past.span(c64).bytes).toBeLessThan(2.2 * MB)
    past.toLeftFuture(c64)
    expect(fingerprint(c64)).toBe(end)
    past.goTo(c64, 0)
    expect(c64.clock).toBe(past.span(c64).start)
  })

  it('goes to the left future as far as that is kept', () => {
    const { c64, past, run } = runningMachine(touchAllPages, { bytes: 2 * MB })
    run(5 * 50)
    const end = fingerprint(c64)
    past.goTo(c64, past.span(c64).end - 985_248)
    past.input(c64, { kind: 'keys', keys: ['a'] })
    run(60)
    past.toLeftFuture(c64)
    expect(fingerprint(c64)).toBe(end)
    const { start, bytes } = past.span(c64)
    expect(bytes).toBeLessThan(2 * MB)
    past.goTo(c64, start)
    expect(c64.clock).toBe(start)
  })

  it('drops old moments where writes from outside would take too much memory', () => {
    const { c64, past, run } = demoMachine()
    const bytes = new Uint8Array(0x8000).fill(7)
    for (let write = 0; write < 3_000; write++)
      past.input(c64, { kind: 'memory', space: 'ram', address: 0x1000, bytes })
    run(1)
    past.goTo(c64, 0)
    expect(past.span(c64)).toMatchObject({ start: c64.clock })
    expect(c64.space.ram[0x1000]).toBe(7)
  })

  it('goes the same way again after an input that the machine refused', () => {
    const { c64, past, run } = demoMachine()
    run(5)
    expect(() => past.input(c64, { kind: 'register', name: 'LIN', value: 1 })).toThrow(AppError)
    run(30)
    const end = fingerprint(c64)
    past.goTo(c64, past.span(c64).end - 400_000)
    while (c64.clock < past.span(c64).end) run(1)
    expect(fingerprint(c64)).toBe(end)
  })

  it('shows the whole picture of the moment it goes to', () => {
    const { c64, past, run } = demoMachine()
    run(80)
    const { clock } = c64
    const picture = c64.picture()
    run(30)
    past.goTo(c64, clock)
    expect(c64.picture()).toEqual(picture)
  })
})
