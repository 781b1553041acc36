import { describe, expect, it } from 'vitest'
import { LiveBytes, type ByteRun } from './liveBytes'

function machine() {
  const writes: ByteRun[] = []
  const pending: { done: () => void; fail: (error: Error) => void }[] = []
  const failures: unknown[] = []
  const live = new LiveBytes({
    write: (run) =>
      new Promise<void>((done, fail) => {
        writes.push(run)
        pending.push({ done, fail })
      }),
    onFailed: (error) => void failures.push(error),
    now: () => 100,
  })
  const texts = () => writes.map(({ space, address, bytes }) => `${space} ${address.toString(16)} ${[...bytes].join()}`)
  const finish = async () => {
    while (pending.length > 0) {
      pending.shift()?.done()
      await new Promise(setImmediate)
    }
  }
  return { live, pending, failures, texts, finish }
}
const ram = (address: number, ...bytes: number[]): ByteRun => ({ space: 'ram', address, bytes: Uint8Array.from(bytes) })

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

  it('are given up where the machine refuses them', async () => {
    const { live, pending, failures, texts } = machine()
    live.put(ram(0x2000, 1))
    pending.shift()?.fail(new Error('no'))
    await live.written()
    expect([failures.length, texts().length]).toEqual([1, 1])
    const bytes = Uint8Array.of(5)
    live.cover({ space: 'ram', address: 0x2000, bytes }, 0)
    expect([...bytes]).toEqual([5])
  })
})
