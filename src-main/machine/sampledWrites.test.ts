import { describe, expect, it } from 'vitest'
import { SampledWrites } from './sampledWrites'

const cpu = (address: number, ...bytes: number[]) => ({ space: 'cpu' as const, address, bytes: Uint8Array.from(bytes) })

describe('writes that samples show', () => {
  it('are the changes between two samples, without who made them', () => {
    const writes = new SampledWrites()
    writes.note(0x2001)
    writes.sampled([cpu(0x2000, 1, 2)], 10)
    writes.sampled([cpu(0x2000, 5, 2)], 20)
    writes.sampled([{ ...cpu(0x2000, 5, 9), space: 'ram' }], 25)
    writes.sampled([cpu(0x3000, 5, 9), cpu(0x2001, 3)], 30)
    writes.sampled([cpu(0x2001, 4)], 40)
    expect(writes.list).toMatchObject([
      {
        address: 0x2001,
        by: 'samples',
        count: 2,
        writes: [
          { time: 40, by: null, from: 3, to: 4 },
          { time: 30, by: null, from: 2, to: 3 },
        ],
      },
    ])
  })

  it('are kept for eight bytes, and the last twenty of each', () => {
    const writes = new SampledWrites()
    for (let byte = 0; byte < 8; byte++) writes.note(byte)
    writes.note(7)
    expect(() => writes.note(8)).toThrow('8 bytes are noted already')
    for (let value = 0; value < 50; value++) writes.sampled([cpu(0, value)], value)
    expect(writes.list[0]).toMatchObject({ count: 49, writes: { length: 20, 0: { to: 49 } } })
    writes.end(0)
    writes.note(8)
    expect(writes.list.map(({ address }) => address)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    writes.clear()
    expect(writes.list).toEqual([])
  })
})
