import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AUDIO_CREDITS, isAudioDelivery, type AudioDelivery } from '@shared/contract/audio'
import type { AudioBlock } from '../machine/facets'
import { AudioPort } from './audioPort'
import { memoryLine } from '../rpc/transport'

function harness() {
  const listeners = new Map<string, (block: AudioBlock) => void>()
  const logged: string[] = []
  const [page, bridge] = memoryLine()
  const received: AudioDelivery[] = []
  page.onMessage((message) => {
    if (!isAudioDelivery(message)) throw new Error('not a delivery')
    received.push(message)
  })
  const source = {
    subscribeAudio(machine: string, listener: (block: AudioBlock) => void) {
      if (machine === 'vice') throw new Error('too many machines')
      listeners.set(machine, listener)
      return () => listeners.delete(machine)
    },
  }
  const port = new AudioPort(bridge, source, (message) => logged.push(message))
  return {
    page,
    port,
    logged,
    listeners,
    received,
    /** What each received block was numbered. */
    numbers: () => received.map(({ samples }) => samples[0]),
    play: (machine: string, ...numbers: number[]) => {
      for (const seq of numbers) listeners.get(machine)?.({ seq, rate: 47_982.887, samples: Int16Array.of(seq, seq) })
    },
    subscribe: async (machine: string | null) => {
      page.post({ kind: 'subscribe', machine })
      await turn()
    },
    credit: async (count: number) => {
      for (let n = 0; n < count; n++) page.post({ kind: 'credit' })
      await turn()
    },
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

describe('an audio port', () => {
  it('sends the blocks of the machine that the page hears, in order and with their rate', async () => {
    const { subscribe, play, received, numbers } = harness()
    await subscribe('builtin')
    play('builtin', 0, 1, 2)
    await turn()
    expect(numbers()).toEqual([0, 1, 2])
    expect(received[0]).toEqual({
      kind: 'audio',
      machine: 'builtin',
      rate: 47_982.887,
      samples: Int16Array.of(0, 0),
      dropped: 0,
    })
  })

  it('has no more than 200 ms under way, then goes on with the newest 200 ms and counts what was dropped', async () => {
    const { subscribe, play, credit, numbers, received } = harness()
    await subscribe('builtin')
    play('builtin', ...upTo(3 * AUDIO_CREDITS))
    await turn()
    expect(numbers()).toEqual(upTo(AUDIO_CREDITS))
    await credit(AUDIO_CREDITS)
    expect(numbers().slice(AUDIO_CREDITS)).toEqual(upTo(3 * AUDIO_CREDITS).slice(2 * AUDIO_CREDITS))
    expect(received.at(-1)?.dropped).toBe(AUDIO_CREDITS)
  })

  it('gives no more credit than there is, however often it is given', async () => {
    const { subscribe, play, credit, received } = harness()
    await subscribe('builtin')
    await credit(100)
    play('builtin', ...upTo(AUDIO_CREDITS + 5))
    await turn()
    expect(received).toHaveLength(AUDIO_CREDITS)
  })

  it('leaves what waited when another machine is heard, or none', async () => {
    const { subscribe, play, credit, received, listeners } = harness()
    await subscribe('builtin')
    play('builtin', ...upTo(AUDIO_CREDITS + 5))
    await subscribe('vice:6502')
    expect([...listeners.keys()]).toEqual(['vice:6502'])
    await credit(AUDIO_CREDITS)
    play('vice:6502', 7)
    await turn()
    expect(received.slice(AUDIO_CREDITS).map(({ machine, dropped }) => [machine, dropped])).toEqual([['vice:6502', 0]])
    await subscribe(null)
    expect(listeners.size).toBe(0)
  })

  it('stops when either side closes it', async () => {
    const first = harness()
    await first.subscribe('builtin')
    first.page.close()
    await turn()
    expect(first.listeners.size).toBe(0)
    const second = harness()
    await second.subscribe('builtin')
    second.port.close()
    expect(second.listeners.size).toBe(0)
  })

  it('ignores messages that are no requests, and says which machine cannot be heard', async () => {
    const { page, logged, listeners, subscribe } = harness()
    for (const message of [null, 7, 'subscribe', {}, { kind: 'subscribe' }, { kind: 'subscribe', machine: '../x' }])
      page.post(message)
    await turn()
    expect(listeners.size).toBe(0)
    await subscribe('vice')
    expect(logged).toEqual(['No sound of vice'])
    await subscribe('builtin')
    expect(listeners.size).toBe(1)
  })
})
