import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Frame } from '@shared/contract/frames'
import type { MachineState } from '@shared/contract/machine'
import { ScriptedMachine } from '../../test/support/scriptedMachine'
import { Listeners } from './listeners'
import type { AudioBlock } from './facets'
import { MachineManager } from './manager'

class SoundingMachine extends ScriptedMachine {
  readonly audio = new Listeners<AudioBlock>()
  readonly streams = { set: () => Promise.resolve(), onAudio: this.audio.add }
}

const signal = new AbortController().signal
const names = (states: readonly MachineState[]) => states.map(({ machine }) => machine)

let made: SoundingMachine[]
let said: string[][]
let manager: MachineManager
beforeEach(() => {
  vi.useFakeTimers()
  made = []
  said = []
  manager = new MachineManager({
    create: (name) => {
      const machine = new SoundingMachine(name)
      made.push(machine)
      return machine
    },
    defaultSampling: () => ({ mode: 'free', rate: 10 }),
    onStates: (states) => said.push(names(states)),
    log: () => undefined,
  })
})
afterEach(async () => {
  await manager.close()
  vi.useRealTimers()
})

describe('the machines of a bridge', () => {
  it('are the built-in one and a VICE to start, and those that somebody asked for', async () => {
    expect(names(manager.states)).toEqual(['builtin', 'vice'])
    await manager.connect('vice:6502', signal)
    expect(names(manager.states)).toEqual(['builtin', 'vice', 'vice:6502'])
    await manager.disconnect('vice:6502')
    expect(names(manager.states)).toEqual(['builtin', 'vice'])
  })

  it('have one name each, however it is written', async () => {
    await manager.connect('vice:localhost', signal)
    await manager.connect('vice:127.0.0.1:6502', signal)
    expect(names(manager.states)).toEqual(['builtin', 'vice', 'vice:6502'])
    expect(made.filter(({ name }) => name === 'vice:6502')).toHaveLength(1)
  })

  it('do not come into being by being asked about', () => {
    expect(() => manager.live('vice:1')).toThrow('vice:1 is not connected.')
    expect(() => manager.live('amiga')).toThrow('not a machine name')
    expect(made).toHaveLength(2)
  })

  it('are heard also after a disconnection and a new connection, and stay as long as somebody hears them', async () => {
    const blocks: number[] = []
    const stop = manager.subscribeAudio('vice:6502', ({ seq }) => blocks.push(seq))
    const machine = made.find(({ name }) => name === 'vice:6502')
    const play = (seq: number) => machine?.audio.notify({ seq, rate: 48_000, samples: new Int16Array(2) })
    await manager.connect('vice:6502', signal)
    play(1)
    await manager.disconnect('vice:6502')
    await manager.connect('vice:6502', signal)
    play(2)
    expect(blocks).toEqual([1, 2])
    expect(await manager.release('vice:6502')).toBe(false)
    stop()
    play(3)
    expect(blocks).toEqual([1, 2])
    expect(await manager.release('vice:6502')).toBe(true)
  })

  it('go on with their frames, in a new epoch, after a disconnection and a new connection', async () => {
    const frames: Frame[] = []
    manager.subscribe('vice:6502', { spaces: ['ram'], picture: true }, (frame) => frames.push(frame))
    await manager.connect('vice:6502', signal)
    const machine = made.find(({ name }) => name === 'vice:6502')
    machine?.sample()
    await manager.disconnect('vice:6502')
    await manager.connect('vice:6502', signal)
    machine?.sample()
    expect(frames).toHaveLength(2)
    expect(frames[1]?.epoch).toBeGreaterThan(frames[0]?.epoch ?? Infinity)
  })

  it('are forgotten when nobody asks for them and nobody looks', async () => {
    const stop = manager.subscribe('vice:6502', { spaces: [], picture: false }, () => undefined)
    stop()
    expect(() => manager.managed('vice:6502')).toThrow('not connected')
    expect(names(manager.states)).toEqual(['builtin', 'vice'])
  })

  it('are bounded in number', async () => {
    for (let port = 1; port <= 30; port++) await manager.connect(`vice:${port}`, signal)
    await expect(manager.connect('vice:99', signal)).rejects.toMatchObject({ code: 'BUSY' })
  })

  it('stay connected when they are released while somebody looks', async () => {
    await manager.connect('vice:6502', signal)
    const stop = manager.subscribe('vice:6502', { spaces: [], picture: false }, () => undefined)
    await manager.release('vice:6502')
    expect(manager.live('vice:6502').status.connection).toBe('live')
    stop()
    await manager.release('vice:6502')
    expect(() => manager.live('vice:6502')).toThrow('not connected')
  })

  it('stay when they are released, where the bridge started them and keeps them for later calls', async () => {
    const keeping = new MachineManager({
      create: (name) => new SoundingMachine(name),
      defaultSampling: () => ({ mode: 'free', rate: 10 }),
      keepsStarted: true,
      onStates: () => undefined,
      log: () => undefined,
    })
    await keeping.connect('builtin', signal)
    await keeping.connect('vice:6502', signal)
    expect([await keeping.release('builtin'), await keeping.release('vice:6502')]).toEqual([false, true])
    expect(keeping.live('builtin').status.connection).toBe('live')
    await keeping.close()
  })

  it('are told of together, and not again while nothing changes', async () => {
    await manager.connect('vice:6502', signal)
    await manager.connect('builtin', signal)
    await vi.advanceTimersByTimeAsync(200)
    expect(said).toEqual([['builtin', 'vice', 'vice:6502']])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(said).toHaveLength(1)
  })

  it('are live again where the computer was to sleep and did not', async () => {
    const state = () => manager.states.find(({ machine }) => machine === 'vice:6502')?.connection
    await manager.connect('vice:6502', signal)
    manager.fallAsleep()
    expect(state()).toBe('stale')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(state()).toBe('live')
  })
})
