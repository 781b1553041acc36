import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SamplingMode } from '@shared/contract/machine'
import { C64, framePeriod } from './c64'
import { Sampling } from './sampling'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** A C64 whose KERNAL is nothing but NOP, from $E000 on. */
function c64(): C64 {
  const kernal = new Uint8Array(0x2000).fill(0xea)
  kernal.set([0x00, 0xe0], 0x1ffc)
  return new C64({ kernal, basic: new Uint8Array(0x2000), character: new Uint8Array(0x1000) }, 'pal')
}

/** How many samples there are of a machine that runs for two seconds. */
function samplesOf(mode: SamplingMode, rate: number): number {
  const machine = c64()
  let samples = 0
  const sampling = new Sampling(() => samples++)
  sampling.request({ mode, rate, spaces: ['io'], picture: false }, machine.clock)
  for (let frame = 0; frame < 100; frame++) {
    sampling.takeDue(machine)
    vi.advanceTimersByTime(framePeriod(machine.standard))
  }
  return samples
}

it.each([
  ['free', 10, 20],
  ['free', 30, 60],
  ['free', 60, 100],
  ['free', 0.1, 1],
  ['lockStep', 10, 100],
  ['off', 10, 0],
] as const)(
  'a C64 of fifty frames a second, %s, asked %d times a second, is read %d times in two',
  (mode, rate, count) => {
    expect(samplesOf(mode, rate)).toBe(count)
  },
)

describe('what the CPU touched', () => {
  const free = { mode: 'free', rate: 10 } as const
  let machine: C64
  let sampling: Sampling
  /** Of each sample that tells it: whether $E000 to $E007 ran, a bit each. */
  let ran: (number | undefined)[]

  beforeEach(() => {
    machine = c64()
    ran = []
    sampling = new Sampling((_, sample) => {
      if (typeof sample === 'object' && 'accesses' in sample) ran.push(sample.accesses.runs?.[0xe000 >> 3])
    })
  })

  it('between two samples is in the second, also where others are asked for meanwhile', () => {
    sampling.request({ ...free, spaces: ['cpu'], picture: false }, machine.clock)
    sampling.take(machine)
    machine.runFrame()
    sampling.request({ ...free, spaces: ['cpu', 'io'], picture: false }, machine.clock)
    sampling.take(machine)
    expect(ran).toEqual([0, 0xff])
  })

  it('before the last sample is in none after it, also where that had only the picture', () => {
    sampling.request({ ...free, spaces: [], picture: true }, machine.clock)
    machine.runFrame()
    sampling.take(machine)
    sampling.request({ ...free, spaces: ['cpu'], picture: true }, machine.clock)
    sampling.take(machine)
    expect(ran).toEqual([0])
  })
})
