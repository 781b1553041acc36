/** Difference: how long comparing two images of 64 KiB takes, at random and in the worst case. */
import { performance } from 'node:perf_hooks'
import { differencesBetween } from '../../src-main/machine/memoryDifferences'
import { median, type Row } from './row'

const SIZE = 0x10000
const ROUNDS = 200

const image = (byte: (address: number) => number) => ({
  images: [
    { space: 'ram' as const, address: 0, bytes: Uint8Array.from({ length: SIZE }, (_, at) => byte(at)), skipped: [] },
  ],
  registers: [],
})

const before = image(() => 0)
const cases = {
  'one byte in a hundred differs': image((at) => (at % 100 === 0 ? 1 : 0)),
  'every second byte differs': image((at) => at & 1),
}

export default function differences(): Row[] {
  return Object.entries(cases).map(([name, after]) => {
    const times = Array.from({ length: ROUNDS }, () => {
      const started = performance.now()
      differencesBetween(before, after, [], 1_000)
      return performance.now() - started
    })
    const value = median(times)
    return { name: `64 KiB, ${name}`, value, unit: 'ms', target: 'under 2 ms', met: value < 2 }
  })
}
