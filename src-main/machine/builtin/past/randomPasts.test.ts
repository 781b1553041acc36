import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { romsWith, SEI_BANKED, STORE } from '../../../../test/support/tinyRom'
import { AppError } from '@shared/contract/errors'
import { C64 } from '../c64'
import { encodeState } from '../state'
import type { OutsideInput } from './inputs'
import { TimeTravel } from './timeTravel'

const RUNS = 8

/** A timer's IRQs and NMIs, raster IRQs and sprites; the loop calls, pushes, modifies itself, reads keys, sets colours. */
function busyRoms() {
  const timer = (page: number, low: number) => [
    ...STORE(low, page + 4),
    ...STORE(3, page + 5),
    ...STORE(0x81, page + 0xd),
    ...STORE(0x11, page + 0xe),
  ]
  const raster = [...STORE(0x1b, 0xd011), ...STORE(100, 0xd012), ...STORE(0x81, 0xd01a), ...STORE(0xff, 0xd015)]
  const copied = [0xa9, 0x00, 0xee, 0x01, 0x05, 0x60]
  const copy = copied.flatMap((byte, index) => STORE(byte, 0x0500 + index))
  const start = [...SEI_BANKED, 0xa2, 0xff, 0x9a, ...copy, ...timer(0xdc00, 0x37), ...timer(0xdd00, 0xd1), ...raster]
  const at = 0xe001 + start.length
  const loop = [
    0x20,
    0x00,
    0x05,
    0x8d,
    0x20,
    0xd0,
    0xee,
    0x00,
    0x04,
    0x48,
    0x68,
    0xad,
    0x01,
    0xdc,
    0x8d,
    0x01,
    0x04,
    0x0f,
    0x02,
    0x04,
    0xee,
    0x19,
    0xd0,
    0x4c,
    at & 0xff,
    at >> 8,
  ]
  const nmi = [0x48, 0xad, 0x0d, 0xdd, 0xee, 0x03, 0x04, 0x68, 0x40]
  const irq = [0x48, 0xad, 0x0d, 0xdc, 0x8d, 0x19, 0xd0, 0xee, 0x04, 0x04, 0x68, 0x40]
  return romsWith([...start, 0x58, ...loop], nmi, irq)
}

const roms = busyRoms()

function fingerprint(c64: C64): string {
  const { image, ...hostInput } = c64.snapshot()
  const state = createHash('sha256').update(encodeState(image, roms)).digest('hex')
  return `${c64.clock} ${state} ${JSON.stringify(hostInput)}`
}

const places = [0x0400, 0x0401, 0x0402, 0x0403, 0x0404, 0x0501, 0x01fd, 0x01fe, 0xd020, 0xd019, 0x0600]
const byte = fc.integer({ min: 0, max: 255 })
const input: fc.Arbitrary<OutsideInput> = fc.oneof(
  fc.record({
    kind: fc.constant('keys' as const),
    keys: fc.uniqueArray(fc.constantFrom('a' as const, 'space' as const, 'restore' as const)),
  }),
  fc.record({
    kind: fc.constant('joystick' as const),
    port: fc.constantFrom(1 as const, 2 as const),
    inputs: fc.uniqueArray(fc.constantFrom('up' as const, 'fire' as const)),
  }),
  fc.record({ kind: fc.constant('text' as const), keys: fc.array(byte, { minLength: 1, maxLength: 12 }) }),
  fc.record({
    kind: fc.constant('memory' as const),
    space: fc.constantFrom('ram' as const, 'cpu' as const),
    address: fc.constantFrom(...places),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('register' as const),
    name: fc.constantFrom('A', 'X', 'SP', 'FL', '01', 'LIN'),
    value: byte,
  }),
  fc.record({ kind: fc.constant('reset' as const), reset: fc.constantFrom('soft' as const, 'power' as const) }),
)
type Move = (machine: { c64: C64; time: TimeTravel }) => void
const attempt = (act: () => void): void => {
  try {
    act()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
const running: fc.Arbitrary<Move> = fc.oneof(
  fc.integer({ min: 1, max: 30 }).map((frames): Move => ({ c64, time }) => {
    for (let frame = 0; frame < frames; frame++) {
      c64.runFrame()
      time.ran()
    }
  }),
  fc.integer({ min: 1, max: 40 }).map((count): Move => ({ c64, time }) => {
    c64.step(count)
    time.ran()
  }),
)
const moving: fc.Arbitrary<Move> = fc.oneof(
  fc
    .tuple(fc.constantFrom('instruction' as const, 'line' as const, 'frame' as const), fc.integer({ min: 1, max: 40 }))
    .map(
      ([unit, count]): Move =>
        ({ time }) =>
          time.back(unit, count),
    ),
  fc.double({ min: 0, max: 1, noNaN: true }).map((share): Move => ({ time }) => {
    const { start, end } = time.span
    time.goTo(Math.round(start + share * (end - start)))
  }),
  fc.constantFrom(...places).map(
    (place): Move =>
      ({ time }) =>
        attempt(() => time.toWrite(place)),
  ),
)
type Step =
  | { readonly kind: 'input'; readonly input: OutsideInput }
  | { readonly kind: 'run' | 'move'; readonly go: Move }
  | { readonly kind: 'left' }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: input.map((each): Step => ({ kind: 'input', input: each })) },
  { weight: 4, arbitrary: running.map((go): Step => ({ kind: 'run', go })) },
  { weight: 3, arbitrary: moving.map((go): Step => ({ kind: 'move', go })) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'left' }) },
)

/** Does the steps, and holds each moment to what was seen of it before. */
function live(steps: readonly Step[]) {
  const c64 = new C64(roms, 'pal')
  const time = new TimeTravel(c64, roms)
  let seen = new Map<number, string>()
  let left = new Map<number, string>()
  const look = (): void => {
    const known = seen.get(c64.clock)
    if (known === undefined) seen.set(c64.clock, fingerprint(c64))
    else expect(fingerprint(c64)).toBe(known)
  }
  look()
  for (const step of steps) {
    if (step.kind === 'input') {
      const { now, end } = time.span
      if (now < end) {
        left = seen
        seen = new Map([...seen].filter(([clock]) => clock < now))
      }
      seen.delete(now)
      attempt(() => time.input(step.input))
    } else if (step.kind === 'left') {
      if (!time.span.left) continue
      time.toLeftFuture()
      seen = left
    } else step.go({ c64, time })
    look()
  }
  return { c64, time, seen }
}

it('each moment comes back exactly as it was, whatever was done before', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 14 }), (steps) => {
      const { c64, time, seen } = live(steps)
      const { start } = time.span
      for (const [clock, state] of [...seen].reverse()) {
        if (clock < start) continue
        time.goTo(clock)
        expect(fingerprint(c64)).toBe(state)
      }
    }),
    { numRuns: RUNS },
  )
})

it('a step back and a step forward lead to the same instruction', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 3, maxLength: 8 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
      (steps, shares) => {
        const { c64, time } = live(steps)
        const { start, end } = time.span
        // Resets at the start take some cycles, into which no step leads.
        time.goTo(start)
        const first = c64.clock
        for (const share of shares) {
          time.goTo(Math.round(start + share * (end - start)))
          const there = fingerprint(c64)
          if (c64.clock === first) continue
          const { clock } = c64
          time.back('instruction', 1)
          expect(c64.clock).toBeLessThan(clock)
          c64.step(1)
          time.ran()
          expect(fingerprint(c64)).toBe(there)
        }
      },
    ),
    { numRuns: RUNS },
  )
})

it('going back to a write finds the last one before now', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 10 }), fc.constantFrom(...places), (steps, place) => {
      const { c64, time } = live(steps)
      const { now, start } = time.span
      const isChip = c64.space.ioVisible && place >= 0xd000
      let last: { begun: number } | undefined
      const watched = isChip ? place + 0x3000 : place
      c64.trace.watch(watched, ({ begun }) => {
        if (begun < now) last = { begun }
      })
      time.goTo(start)
      while (c64.clock < now) c64.step(1)
      c64.trace.unwatch()
      time.goTo(last?.begun ?? now)
      const there = c64.clock
      time.goTo(now)
      attempt(() => time.toWrite(place))
      expect(c64.clock).toBe(there)
    }),
    { numRuns: RUNS },
  )
})

it('a file of the past leads to the same state', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 8 }),
      fc.integer({ min: 0, max: 3 }),
      async (steps, seconds) => {
        const { c64, time } = live(steps)
        const file = time.toFile(seconds)
        const other = await TimeTravel.fromFile(file, roms, new AbortController().signal)
        expect(fingerprint(other.c64)).toBe(fingerprint(c64))
      },
    ),
    { numRuns: RUNS },
  )
})
