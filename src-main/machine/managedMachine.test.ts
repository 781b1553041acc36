import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { Machine, MachineStatus, Sample, SampleWish } from './machine'
import { ManagedMachine } from './managedMachine'

/** A machine whose connection is decided by the test. */
class ScriptedMachine implements Machine {
  readonly name = 'vice:6502'
  readonly kind = 'vice'
  readonly limits = {}
  samplesOnRequestOnly = false
  status: MachineStatus = {
    title: 'VICE',
    connection: 'idle',
    reason: null,
    hint: null,
    execution: 'unknown',
    standard: null,
    speed: null,
    warp: false,
    version: null,
    notices: [],
  }
  readonly wishes: SampleWish[] = []
  attempts = 0
  refuse = false
  #status: () => void = () => undefined
  #sample: (sample: Sample) => void = () => undefined

  onStatus(listener: () => void) {
    this.#status = listener
    return () => undefined
  }
  onSample(listener: (sample: Sample) => void) {
    this.#sample = listener
    return () => undefined
  }
  async connect() {
    this.attempts++
    if (this.refuse) throw new AppError('UNREACHABLE', 'Nobody answers.')
    this.become('live')
  }
  async disconnect() {
    this.become('idle')
  }
  async setSampling(wish: SampleWish) {
    this.wishes.push(wish)
  }
  readMemory = () => Promise.resolve(new Uint8Array())
  writeMemory = () => Promise.resolve()

  become(connection: MachineStatus['connection']) {
    this.status = { ...this.status, connection }
    this.#status()
  }
  sample(cost?: number) {
    this.#sample({ time: 1, segments: [], ...(cost === undefined ? {} : { cost }) })
  }
}

const signal = new AbortController().signal

let machine: ScriptedMachine
let managed: ManagedMachine
beforeEach(() => {
  vi.useFakeTimers()
  machine = new ScriptedMachine()
  managed = new ManagedMachine(machine, { mode: 'free', rate: 10 }, 100, () => undefined)
})
afterEach(() => vi.useRealTimers())

describe('a managed machine', () => {
  it('asks for no samples while nobody wants them, then for all that its subscribers want together', async () => {
    await managed.connect(signal)
    expect(machine.wishes.at(-1)?.mode).toBe('off')
    const stop = managed.subscribe({ spaces: ['ram'], picture: false }, () => undefined)
    managed.subscribe({ spaces: ['io', 'ram'], picture: true }, () => undefined)
    expect(machine.wishes.at(-1)).toEqual({ mode: 'free', rate: 10, spaces: ['ram', 'io'], picture: true })
    stop()
    expect(machine.wishes.at(-1)).toMatchObject({ spaces: ['ram', 'io'] })
  })

  it('numbers its frames and starts a new epoch with each connection', async () => {
    const frames: Frame[] = []
    managed.subscribe({ spaces: [], picture: false }, (frame) => frames.push(frame))
    await managed.connect(signal)
    machine.sample()
    machine.sample()
    await managed.disconnect()
    await managed.connect(signal)
    machine.sample()
    expect(frames.map(({ epoch, seq }) => [epoch, seq])).toEqual([
      [101, 0],
      [101, 1],
      [102, 2],
    ])
  })

  it('measures the samples of the last second and their cost', async () => {
    await managed.connect(signal)
    for (let n = 0; n < 10; n++) {
      machine.sample(0.02)
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(managed.state.sampling.measured).toBe(10)
    expect(managed.state.cost).toBe(0.02)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(managed.state.sampling.measured).toBe(0)
    expect(managed.state.cost).toBeNull()
  })

  it('waits for a request where sampling can disturb the program', async () => {
    machine.samplesOnRequestOnly = true
    managed.subscribe({ spaces: ['ram'], picture: true }, () => undefined)
    await managed.connect(signal)
    expect(machine.wishes.at(-1)?.mode).toBe('off')
    await managed.setSampling('free', 5)
    expect(machine.wishes.at(-1)).toMatchObject({ mode: 'free', rate: 5 })
  })

  it('reconnects by itself with growing waits after it was live and got lost', async () => {
    await managed.connect(signal)
    machine.refuse = true
    machine.become('lost')
    await vi.advanceTimersByTimeAsync(499)
    expect(machine.attempts).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(machine.attempts).toBe(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(machine.attempts).toBe(3)
    machine.refuse = false
    await vi.advanceTimersByTimeAsync(2_000)
    expect(machine.attempts).toBe(4)
    expect(managed.state.connection).toBe('live')
  })

  it('does not reconnect what never answered, was disconnected, or ended as it should', async () => {
    machine.refuse = true
    await expect(managed.connect(signal)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    machine.become('lost')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(machine.attempts).toBe(1)
    machine.refuse = false
    await managed.connect(signal)
    machine.become('idle')
    machine.become('lost')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(machine.attempts).toBe(2)
  })

  it('stops trying when the person disconnects', async () => {
    await managed.connect(signal)
    machine.refuse = true
    machine.become('lost')
    await managed.disconnect()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(machine.attempts).toBe(1)
  })
})
