import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SamplingMode } from '@shared/contract/machine'
import { C64, framePeriod } from './c64'
import { Sampling } from './sampling'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** How many samples there are of a machine that runs for two seconds. */
function samplesOf(mode: SamplingMode, rate: number): number {
  const roms = {
    kernal: new Uint8Array(0x2000),
    basic: new Uint8Array(0x2000),
    character: new Uint8Array(0x1000),
  }
  const machine = new C64(roms, 'pal')
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

it('what the CPU touched between two samples is in the second, also where others are asked for meanwhile', () => {
  const roms = {
    kernal: new Uint8Array(0x2000).fill(0xea),
    basic: new Uint8Array(0x2000),
    character: new Uint8Array(0x1000),
  }
  roms.kernal.set([0x00, 0xe0], 0x1ffc)
  const machine = new C64(roms, 'pal')
  const ran: (number | undefined)[] = []
  const sampling = new Sampling((_, sample) => {
    if (typeof sample === 'object' && 'accesses' in sample) ran.push(sample.accesses.runs?.[0xe000 >> 3])
  })
  sampling.request({ mode: 'free', rate: 10, spaces: ['cpu'], picture: false }, machine.clock)
  sampling.take(machine)
  machine.runFrame()
  sampling.request({ mode: 'free', rate: 10, spaces: ['cpu', 'io'], picture: false }, machine.clock)
  sampling.take(machine)
  expect(ran).toEqual([0, 0xff])
})
