import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AudioRing, RING } from './audioRing'

const MACHINE_RATE = 47_982.887
/** What the player asks for at a time. */
const QUANTUM = 128
const BLOCK = 960

/** A sine on the left and its negative on the right, from the given frame on. */
function tone(from: number, frames: number, frequency = 440, rate = MACHINE_RATE): Int16Array {
  const samples = new Int16Array(frames * 2)
  for (let index = 0; index < frames; index++) {
    const value = Math.round(16_000 * Math.sin((2 * Math.PI * frequency * (from + index)) / rate))
    samples[index * 2] = value
    samples[index * 2 + 1] = -value
  }
  return samples
}

function pull(ring: AudioRing, frames: number): { left: Float32Array; right: Float32Array } {
  const left = new Float32Array(frames)
  const right = new Float32Array(frames)
  for (let at = 0; at < frames; at += QUANTUM)
    ring.pull(left.subarray(at, at + QUANTUM), right.subarray(at, at + QUANTUM))
  return { left, right }
}

/** Plays blocks in real time: as many as the machine makes while the player pulls. */
function play(
  ring: AudioRing,
  { seconds, outputRate, machineRate = MACHINE_RATE }: { seconds: number; outputRate: number; machineRate?: number },
): Float32Array {
  const out: number[] = []
  let pushed = 0
  for (let pulled = 0; pulled < seconds * outputRate; pulled += QUANTUM) {
    while (pushed < ((pulled + QUANTUM) / outputRate) * machineRate) {
      ring.push(tone(pushed, BLOCK), MACHINE_RATE)
      pushed += BLOCK
    }
    out.push(...pull(ring, QUANTUM).left)
  }
  return Float32Array.from(out)
}

/** How often a wave goes up through zero. */
const cycles = (wave: Float32Array): number =>
  wave.reduce((count, value, index) => (value >= 0 && (wave[index - 1] ?? 0) < 0 ? count + 1 : count), 0)

describe('the ring between a machine’s sound and the player', () => {
  it.each([44_100, 48_000, 96_000])('keeps the pitch at a player’s rate of %i', (outputRate) => {
    const ring = new AudioRing(outputRate)
    const wave = play(ring, { seconds: 2, outputRate }).subarray(outputRate)
    expect(cycles(wave)).toBeGreaterThanOrEqual(438)
    expect(cycles(wave)).toBeLessThanOrEqual(442)
    expect([ring.gaps, ring.dropped]).toEqual([0, 0])
  })

  it('keeps the wave’s form and its channels apart', () => {
    const ring = new AudioRing(MACHINE_RATE * 2)
    ring.push(tone(0, BLOCK * 6), MACHINE_RATE)
    const { left, right } = pull(ring, QUANTUM * 20)
    let at = 0
    for (const [index, value] of left.entries()) {
      expect(right[index]).toBeCloseTo(-value, 5)
      // The speed is led by the level: the wave is looked for around where it should be.
      at = index / 2
      const near = [-8, -4, 0, 4, 8].map((off) =>
        Math.abs(value - (16_000 / 0x8000) * Math.sin((2 * Math.PI * 440 * (at + off)) / MACHINE_RATE)),
      )
      expect(Math.min(...near)).toBeLessThan(0.06)
    }
  })

  it('waits until there is something to bridge a late block with, and is silent till then', () => {
    const ring = new AudioRing(48_000)
    ring.push(tone(0, BLOCK), MACHINE_RATE)
    expect(pull(ring, QUANTUM).left.every((value) => value === 0)).toBe(true)
    for (let n = 1; n < 6; n++) ring.push(tone(n * BLOCK, BLOCK), MACHINE_RATE)
    expect(pull(ring, QUANTUM).left.some((value) => value !== 0)).toBe(true)
    expect(ring.gaps).toBe(0)
  })

  it('falls silent where nothing comes, counts that once, and starts again', () => {
    const ring = new AudioRing(48_000)
    ring.push(tone(0, BLOCK * 5), MACHINE_RATE)
    const { left } = pull(ring, 48_000)
    expect(left.subarray(-40_000).every((value) => value === 0)).toBe(true)
    expect(ring.gaps).toBe(1)
    ring.push(tone(0, BLOCK * 5), MACHINE_RATE)
    expect(pull(ring, QUANTUM).left.some((value) => value !== 0)).toBe(true)
  })

  it('drops the oldest when more than 200 ms came in, and counts it', () => {
    const ring = new AudioRing(48_000)
    for (let n = 0; n < 50; n++) ring.push(new Int16Array(BLOCK * 2).fill(n * 600), MACHINE_RATE)
    expect(ring.level).toBeLessThanOrEqual(RING)
    expect(ring.dropped).toBeGreaterThan(BLOCK * 38)
    // What is heard is of the last 200 ms: of the last ten blocks.
    expect(pull(ring, QUANTUM).left[64]).toBeGreaterThan((39 * 600) / 0x8000)
  })

  it('follows a machine whose clock is a little off, without gaps and drops', () => {
    const ring = new AudioRing(48_000)
    play(ring, { seconds: 10, outputRate: 48_000, machineRate: MACHINE_RATE * 1.002 })
    expect([ring.gaps, ring.dropped]).toEqual([0, 0])
    const slow = new AudioRing(48_000)
    play(slow, { seconds: 10, outputRate: 48_000, machineRate: MACHINE_RATE * 0.998 })
    expect([slow.gaps, slow.dropped]).toEqual([0, 0])
  })

  it('starts anew with another rate, and when it is cleared', () => {
    const ring = new AudioRing(48_000)
    ring.push(tone(0, BLOCK * 6), MACHINE_RATE)
    ring.push(tone(0, BLOCK), 47_940.341)
    expect(ring.level).toBeCloseTo(0.02, 3)
    ring.clear()
    expect(ring.level).toBe(0)
    expect(pull(ring, QUANTUM).left.every((value) => value === 0)).toBe(true)
  })

  it('never holds more than 200 ms nor leaves the range of what was written, whatever comes', () => {
    const step = fc.oneof(
      fc.record({ push: fc.integer({ min: 0, max: 3 * BLOCK }), rate: fc.constantFrom(47_982.887, 47_940.341) }),
      fc.record({ pull: fc.integer({ min: 1, max: 20 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const ring = new AudioRing(48_000)
        for (const each of steps) {
          if ('push' in each) ring.push(new Int16Array(each.push * 2).fill(8_192), each.rate)
          else for (const value of pull(ring, each.pull * QUANTUM).left) expect(value >= 0 && value <= 0.25).toBe(true)
          expect(ring.level).toBeLessThanOrEqual(RING)
          expect(ring.level).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
