import { describe, expect, it } from 'vitest'
import type { MemoryRun } from '../../contract/memory'
import { LiveBytes } from './liveBytes'

function machine() {
  const writes: (readonly MemoryRun[])[] = []
  const pending: { done: () => void; fail: (error: Error) => void }[] = []
  const unwritten: [count: number, error: unknown][] = []
  const live = new LiveBytes({
    write: (runs) =>
      new Promise<void>((done, fail) => {
        writes.push(runs)
        pending.push({ done, fail })
      }),
    onUnwritten: (count, error) => void unwritten.push([count, error]),
    now: () => 100,
  })
  const texts = () =>
    writes.map((runs) =>
      runs.map(({ space, address, bytes }) => `${space} ${address.toString(16)} ${[...bytes].join()}`).join('; '),
    )
  const finish = async () => {
    while (pending.length > 0) {
      pending.shift()?.done()
      await new Promise(setImmediate)
    }
  }
  return { live, pending, unwritten, texts, finish }
}
const ram = (address: number, ...bytes: number[]): MemoryRun => ({
  space: 'ram',
  address,
  bytes: Uint8Array.from(bytes),
})

describe('bytes on their way to a machine', () => {
  it('are written one run at a time, the newest of each byte, and none is lost', async () => {
    const { live, pending, texts, finish } = machine()
    live.put(ram(0x2000, 1))
    live.put(ram(0x2000, 2))
    live.put(ram(0x2001, 7))
    live.put(ram(0x2000, 3))
    expect([texts(), pending.length]).toEqual([['ram 2000 1'], 1])
    await finish()
    await live.written()
    expect(texts()).toEqual(['ram 2000 1', 'ram 2000 3,7'])
  })

  it('stand over what the machine shows until it was read after they were written', async () => {
    const { live, finish } = machine()
    live.put(ram(0x2001, 9))
    const seen = (readAt: number) => {
      const bytes = Uint8Array.of(0, 0, 0)
      live.cover({ space: 'ram', address: 0x2000, bytes }, readAt)
      return [...bytes]
    }
    expect(seen(500)).toEqual([0, 9, 0])
    await finish()
    expect(seen(100)).toEqual([0, 9, 0])
    expect(seen(101)).toEqual([0, 0, 0])
  })

  it('are written together, in pieces that leave the bytes between alone, while a write is under way', async () => {
    const { live, pending, texts, finish } = machine()
    live.put(ram(0x2000, 1))
    for (const row of [0, 1, 2]) live.put(ram(0x2010 + row * 3, 0x80))
    live.put({ ...ram(0xd800, 7), space: 'colorRam' })
    expect(pending.length).toBe(1)
    await finish()
    expect(texts()).toEqual(['ram 2000 1', 'colorRam d800 7; ram 2010 128; ram 2013 128; ram 2016 128'])
  })

  const covered = (live: LiveBytes, readAt: number) => {
    const bytes = Uint8Array.of(5, 5)
    live.cover({ space: 'ram', address: 0x2000, bytes }, readAt)
    return [...bytes]
  }

  it('stay where the machine did not take them, and are written again when asked', async () => {
    const { live, pending, unwritten, texts, finish } = machine()
    const error = new Error('gone')
    live.put(ram(0x2000, 1))
    live.put(ram(0x2001, 2))
    pending.shift()?.fail(error)
    await live.written()
    expect([unwritten, covered(live, 1_000), texts().length]).toEqual([[[2, error]], [1, 2], 1])
    live.put(ram(0x2001, 3))
    await finish()
    expect([unwritten.at(-1), texts().at(-1)]).toEqual([[1, null], 'ram 2001 3'])
    live.writeAgain()
    await finish()
    expect([unwritten.at(-1), texts().at(-1)]).toEqual([[0, null], 'ram 2000 1'])
    expect(covered(live, 1_000)).toEqual([5, 5])
  })

  it('are taken back when asked, and what is put next is written', async () => {
    const { live, pending, unwritten, texts, finish } = machine()
    live.put(ram(0x2000, 1))
    pending.shift()?.fail(new Error('gone'))
    await live.written()
    live.takeBack()
    live.writeAgain()
    expect([unwritten.at(-1), covered(live, 0)]).toEqual([
      [0, null],
      [5, 5],
    ])
    live.put(ram(0x2001, 4))
    await finish()
    expect(texts()).toEqual(['ram 2000 1', 'ram 2001 4'])
  })
})
