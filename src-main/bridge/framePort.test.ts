import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FRAME_CREDITS, isFrameDelivery, type Frame, type FrameDelivery } from '@shared/contract/frames'
import { FramePort, type FrameSource } from './framePort'
import { memoryLine } from './transport'

const turn = () => new Promise((resolve) => setTimeout(resolve, 0))

function harness() {
  const listeners = new Set<(frame: Frame) => void>()
  const source: FrameSource = {
    subscribe(machine, _wish, listener) {
      if (machine !== 'builtin') throw new Error('too many machines')
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const [page, bridge] = memoryLine()
  const received: FrameDelivery[] = []
  page.onMessage((message) => {
    if (!isFrameDelivery(message)) throw new Error('not a delivery')
    received.push(message)
  })
  const logged: string[] = []
  new FramePort(bridge, source, (message) => logged.push(message))
  let seq = 0
  return {
    page,
    logged,
    received,
    listeners,
    subscribe: async () => {
      page.post({ kind: 'subscribe', machine: 'builtin', spaces: ['ram'], picture: false })
      await turn()
    },
    emit: (bytes: Uint8Array, address = 0, epoch = 1) => {
      for (const listener of listeners) {
        listener({ machine: 'builtin', epoch, seq: seq++, time: 0, segments: [{ space: 'ram', address, bytes }] })
      }
    },
  }
}

describe('a frame port', () => {
  it('sends no more frames than it has credits, then the newest, and counts what was superseded', async () => {
    const { subscribe, emit, page, received } = harness()
    await subscribe()
    for (let n = 0; n < 5; n++) emit(Uint8Array.of(n))
    await turn()
    expect(received.map(({ frame }) => frame.seq)).toEqual([0, 1])
    expect(received).toHaveLength(FRAME_CREDITS)
    page.post({ kind: 'credit' })
    await turn()
    expect(received.at(-1)).toMatchObject({ frame: { seq: 4 }, dropped: 2 })
  })

  it('sends whole pages only when they changed', async () => {
    const { subscribe, emit, received } = harness()
    await subscribe()
    const memory = new Uint8Array(0x10000)
    emit(memory)
    const changed = memory.slice()
    changed[0x0405] = 1
    changed[0xffff] = 2
    emit(changed)
    await turn()
    expect(received[0]?.frame.segments.map(({ address, bytes }) => [address, bytes.byteLength])).toEqual([[0, 0x10000]])
    expect(received[1]?.frame.segments.map(({ address, bytes }) => [address, bytes.byteLength])).toEqual([
      [0x0400, 256],
      [0xff00, 256],
    ])
  })

  it('starts anew with a complete frame for a new epoch and for a new subscription', async () => {
    const { subscribe, emit, page, received } = harness()
    const memory = new Uint8Array(0x10000)
    const size = () => received.at(-1)?.frame.segments.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
    await subscribe()
    emit(memory)
    page.post({ kind: 'credit' })
    emit(memory)
    await turn()
    expect(size()).toBe(0)
    page.post({ kind: 'credit' })
    await turn()
    emit(memory, 0, 2)
    await turn()
    expect(size()).toBe(0x10000)
    page.post({ kind: 'credit' })
    await subscribe()
    emit(memory, 0, 2)
    await turn()
    expect(size()).toBe(0x10000)
  })

  it('asks for nothing while the page is hidden or the line is closed', async () => {
    const { subscribe, page, listeners } = harness()
    await subscribe()
    expect(listeners.size).toBe(1)
    page.post({ kind: 'visible', visible: false })
    await turn()
    expect(listeners.size).toBe(0)
    page.post({ kind: 'visible', visible: true })
    await turn()
    expect(listeners.size).toBe(1)
    page.close()
    await turn()
    expect(listeners.size).toBe(0)
  })

  it('ignores messages that are no requests', async () => {
    const { page, listeners } = harness()
    for (const message of [null, 7, 'subscribe', {}, { kind: 'subscribe' }, { kind: 'subscribe', machine: '../x', spaces: [], picture: true }]) {
      page.post(message)
    }
    await turn()
    expect(listeners.size).toBe(0)
  })

  it('goes on when a machine cannot be subscribed to', async () => {
    const { page, logged, listeners, subscribe } = harness()
    page.post({ kind: 'subscribe', machine: 'vice:6502', spaces: [], picture: true })
    page.post({ kind: 'subscribe', machine: 'ultimate:1.2.3.4', spaces: [], picture: true })
    await turn()
    expect(logged).toEqual(['No frames of vice:6502'])
    await subscribe()
    expect(listeners.size).toBe(1)
  })

  it('lets the receiver rebuild every image from the differences', async () => {
    const change = fc.record({ address: fc.integer({ min: 0, max: 0xfff0 }), bytes: fc.uint8Array({ minLength: 1, maxLength: 1500 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        const { subscribe, emit, page, received } = harness()
        await subscribe()
        const truth = new Uint8Array(0x10000)
        const rebuilt = new Uint8Array(0x10000)
        for (const { address, bytes } of changes) {
          const cut = bytes.subarray(0, 0x10000 - address)
          truth.set(cut, address)
          emit(cut.slice(), address)
          page.post({ kind: 'credit' })
          await turn()
        }
        for (const { frame } of received) for (const { address, bytes } of frame.segments) rebuilt.set(bytes, address)
        expect(Buffer.compare(rebuilt, truth)).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})
