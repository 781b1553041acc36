import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FRAME_CREDITS, isFrameDelivery, type Accesses, type Frame, type FrameDelivery } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import { FramePort, type FrameSource } from './framePort'
import { memoryLine } from '../rpc/transport'

function harness() {
  const listeners = new Set<(frame: Frame) => void>()
  const source: FrameSource = {
    subscribe(machine, _request, listener) {
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
    subscribe: async (...spaces: Space[]) => {
      page.post({ kind: 'subscribe', machine: 'builtin', spaces: ['ram', ...spaces], picture: false })
      await turn()
    },
    emit: (bytes: Uint8Array, address = 0, epoch = 1) => {
      for (const listener of listeners) {
        listener({ machine: 'builtin', epoch, seq: seq++, time: 0, segments: [{ space: 'ram', address, bytes }] })
      }
    },
    emitFrame: (frame: Partial<Frame>) => {
      for (const listener of listeners)
        listener({ machine: 'builtin', epoch: 1, seq: seq++, time: 0, segments: [], ...frame })
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
    for (const message of [
      null,
      7,
      'subscribe',
      {},
      { kind: 'subscribe' },
      { kind: 'subscribe', machine: '../x', spaces: [], picture: true },
    ]) {
      page.post(message)
    }
    await turn()
    expect(listeners.size).toBe(0)
  })

  it('goes on when a machine cannot be subscribed to', async () => {
    const { page, logged, listeners, subscribe } = harness()
    page.post({ kind: 'subscribe', machine: 'vice:6502', spaces: [], picture: true })
    page.post({ kind: 'subscribe', machine: 'amiga:1.2.3.4', spaces: [], picture: true })
    await turn()
    expect(logged).toEqual(['No frames of vice:6502'])
    await subscribe()
    expect(listeners.size).toBe(1)
  })

  it('sends nothing twice that the CPU sees as it is in RAM', async () => {
    const { subscribe, emitFrame, received } = harness()
    await subscribe('cpu')
    const ram = new Uint8Array(0x10000).fill(1)
    const cpu = ram.slice().fill(0xea, 0xe000)
    // In whatever order the machine tells them.
    emitFrame({
      segments: [
        { space: 'cpu', address: 0, bytes: cpu },
        { space: 'ram', address: 0, bytes: ram },
      ],
    })
    await turn()
    expect(received[0]?.frame.segments.map(({ space, address, bytes }) => [space, address, bytes.byteLength])).toEqual([
      ['ram', 0, 0x10000],
      ['cpu', 0xe000, 0x2000],
    ])
    expect(received[0]?.sameAsRam).toEqual([{ space: 'cpu', address: 0, length: 0xe000 }])
  })

  it('takes the accesses of a superseded frame along with the next', async () => {
    const { subscribe, emitFrame, page, received } = harness()
    await subscribe()
    const accesses = (read: number, written: number): Accesses => {
      const bitmap = (address: number) =>
        new Uint8Array(8192).fill(1 << (address & 7), address >> 3, (address >> 3) + 1)
      return { reads: bitmap(read), writes: bitmap(written), stale: bitmap(read) }
    }
    for (let n = 0; n < FRAME_CREDITS; n++) emitFrame({})
    emitFrame({ accesses: accesses(0x0400, 0xd020) })
    emitFrame({ accesses: accesses(0x0401, 0xd021) })
    emitFrame({})
    page.post({ kind: 'credit' })
    await turn()
    const told = received.at(-1)?.frame.accesses
    expect([told?.reads[0x80], told?.writes[0xd020 >> 3], told?.stale?.[0x80]]).toEqual([3, 3, 2])
  })

  it('takes the accesses of a frame that waits along into the next subscription', async () => {
    const { subscribe, emitFrame, page, received } = harness()
    await subscribe()
    const reads = (address: number): Accesses => {
      const bitmap = new Uint8Array(8192).fill(1 << (address & 7), address >> 3, (address >> 3) + 1)
      return { reads: bitmap, writes: new Uint8Array(8192) }
    }
    for (let n = 0; n < FRAME_CREDITS; n++) emitFrame({})
    emitFrame({ accesses: reads(0x0400) })
    await subscribe('io')
    emitFrame({ accesses: reads(0x0401) })
    page.post({ kind: 'credit' })
    await turn()
    expect(received.at(-1)?.frame.accesses?.reads[0x80]).toBe(3)
  })

  it('begins the next subscription before it ends the last, so that sampling goes on between them', async () => {
    const steps: string[] = []
    const [page, bridge] = memoryLine()
    const source: FrameSource = {
      subscribe(_machine, { spaces }) {
        steps.push(`begins ${spaces.join()}`)
        return () => steps.push(`ends ${spaces.join()}`)
      },
    }
    new FramePort(bridge, source, (message) => steps.push(message))
    for (const spaces of [['ram'], ['ram', 'io']])
      page.post({ kind: 'subscribe', machine: 'builtin', spaces, picture: false })
    await turn()
    page.post({ kind: 'visible', visible: false })
    await turn()
    expect(steps).toEqual(['begins ram', 'begins ram,io', 'ends ram', 'ends ram,io'])
  })

  it('lets the receiver rebuild every image from the differences', async () => {
    const change = fc.record({
      space: fc.constantFrom('ram', 'cpu'),
      sameInBoth: fc.boolean(),
      address: fc.integer({ min: 0, max: 0xfff0 }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 1500 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        const { subscribe, emitFrame, page, received } = harness()
        await subscribe('cpu')
        const images = () => ({ ram: new Uint8Array(0x10000), cpu: new Uint8Array(0x10000) })
        const truth = images()
        for (const { space, sameInBoth, address, bytes } of changes) {
          const cut = bytes.subarray(0, 0x10000 - address)
          truth[space].set(cut, address)
          if (sameInBoth) truth[space === 'ram' ? 'cpu' : 'ram'].set(truth[space])
          emitFrame({
            segments: (['ram', 'cpu'] as const).map((each) => ({
              space: each,
              address: 0,
              bytes: truth[each].slice(),
            })),
          })
          page.post({ kind: 'credit' })
          await turn()
        }
        const rebuilt = images()
        for (const { frame, sameAsRam } of received) {
          for (const { space, address, bytes } of frame.segments)
            if (space === 'ram' || space === 'cpu') rebuilt[space].set(bytes, address)
          for (const { address, length } of sameAsRam)
            rebuilt.cpu.set(rebuilt.ram.subarray(address, address + length), address)
        }
        expect(Buffer.compare(rebuilt.ram, truth.ram)).toBe(0)
        expect(Buffer.compare(rebuilt.cpu, truth.cpu)).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})
