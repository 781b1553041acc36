import { describe, expect, it } from 'vitest'
import { setBit } from '@shared/bitmap'
import type { Space } from '@shared/contract/memory'
import { accessKinds, AccessTimes } from './accessTimes'

const bitmap = (...addresses: number[]) => {
  const bits = new Uint8Array(8192)
  for (const address of addresses) setBit(bits, address)
  return bits
}

describe('what the CPU touched', () => {
  it('is kept with when each address was read, written and run', () => {
    const times = new AccessTimes()
    times.add({ reads: bitmap(0xfffe), writes: bitmap(0x0400), runs: bitmap(0x0801) }, 1000)
    times.add({ reads: bitmap(0xffff), writes: bitmap(0x0400), runs: bitmap() }, 2000)
    expect([...times.of('reads', 'cpu').slice(0xfffd)]).toEqual([-Infinity, 1000, 2000])
    expect(times.of('writes', 'cpu')[0x0400]).toBe(2000)
    expect(times.of('runs', 'cpu')[0x0801]).toBe(1000)
    expect(times.told).toBe('all')
  })

  it('has the newest of each address: of several at once a write before a run, and that before a read', () => {
    const times = new AccessTimes()
    const kindAt = (address: number) => accessKinds[times.kinds('cpu')[address] ?? 0]
    times.add({ reads: bitmap(1, 2, 3), writes: bitmap(1), runs: bitmap(1, 2) }, 1000)
    expect([1, 2, 3].map(kindAt)).toEqual(['writes', 'runs', 'reads'])
    times.add({ reads: bitmap(1), writes: bitmap(), runs: bitmap() }, 2000)
    expect([kindAt(1), times.newest('cpu')[1], times.newest('cpu')[2]]).toEqual(['reads', 2000, 1000])
  })

  it('is told apart for each memory, where the machine does, and one for all where not', () => {
    const times = new AccessTimes()
    const nothing = { reads: bitmap(), writes: bitmap(), runs: bitmap() }
    const spaces = { ram: nothing, io: { ...nothing, writes: bitmap(0xd020) } }
    times.add({ ...nothing, writes: bitmap(0xd020), spaces }, 1000)
    const written = (space: Space) => times.of('writes', space)[0xd020]
    expect((['cpu', 'io', 'ram', 'rom'] as const).map(written)).toEqual([1000, 1000, -Infinity, -Infinity])
  })

  it('tells which bytes are no longer known, where a machine can lose some', () => {
    const times = new AccessTimes()
    times.add({ reads: bitmap(), writes: bitmap(), stale: bitmap(0x0802) }, 1000)
    expect([times.told, times.isStale?.(0x0801), times.isStale?.(0x0802)]).toEqual(['bus', false, true])
    times.add({ reads: bitmap(), writes: bitmap() }, 2000)
    expect(times.isStale).toBeNull()
  })
})
