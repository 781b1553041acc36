import { describe, expect, it } from 'vitest'
import { createRunningHandlers } from './runningHandlers'
import type { WriteNotes } from './facets'
import type { MachineManager } from './manager'
import { NotedByte } from './notedByte'
import { SampledWrites } from './sampledWrites'

const signal = new AbortController().signal
const request = { machine: 'ultimate', address: 0x0400 }

describe('noting who writes a byte', () => {
  it('goes from samples to the bus as soon as that is there', async () => {
    let reason: string | null = 'No cable.'
    const onBus: NotedByte[] = []
    const writeNotes: WriteNotes = {
      list: () => onBus.map(({ state }) => state),
      note: (address) => {
        if (reason === null) onBus.push(new NotedByte(address, 'bus', null))
        return Promise.resolve(reason)
      },
      end: () => Promise.resolve(),
    }
    const managed = { sampledWrites: new SampledWrites() }
    const machines = { live: () => ({ writeNotes }), managed: () => managed } as unknown as MachineManager
    const handlers = createRunningHandlers({ machines })
    const noted = async () =>
      (await handlers['running.notedWrites'](request, signal)).bytes.map(({ by, reason }) => ({ by, reason }))
    await handlers['running.noteWrites'](request, signal)
    expect(await noted()).toEqual([{ by: 'samples', reason: 'No cable.' }])
    await handlers['running.noteWrites'](request, signal)
    expect(await noted()).toEqual([{ by: 'samples', reason: 'No cable.' }])
    reason = null
    await handlers['running.noteWrites'](request, signal)
    expect(await noted()).toEqual([{ by: 'bus', reason: null }])
  })
})
