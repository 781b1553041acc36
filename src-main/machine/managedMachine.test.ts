import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import { ScriptedMachine } from '../../test/support/scriptedMachine'
import { ManagedMachine } from './managedMachine'

const signal = new AbortController().signal

let machine: ScriptedMachine
let sampling: { mode: 'free' | 'off'; rate: number }
let managed: ManagedMachine
beforeEach(() => {
  vi.useFakeTimers()
  sampling = { mode: 'free', rate: 10 }
  machine = new ScriptedMachine()
  let epoch = 100
  managed = new ManagedMachine(machine, {
    defaultSampling: () => sampling,
    nextEpoch: () => epoch++,
    onChange: () => undefined,
    log: () => undefined,
  })
})
afterEach(() => vi.useRealTimers())

describe('a managed machine', () => {
  it('asks for no samples while nobody wants them, then for all that its subscribers want together', async () => {
    await managed.connect(signal)
    expect(machine.requests.at(-1)?.mode).toBe('off')
    const stop = managed.subscribe({ spaces: ['ram'], picture: false }, () => undefined)
    managed.subscribe({ spaces: ['io', 'ram'], picture: true }, () => undefined)
    await vi.advanceTimersByTimeAsync(0)
    expect(machine.requests.at(-1)).toEqual({ mode: 'free', rate: 10, spaces: ['ram', 'io'], picture: true })
    stop()
    await vi.advanceTimersByTimeAsync(0)
    expect(machine.requests.at(-1)).toMatchObject({ spaces: ['ram', 'io'] })
  })

  it('is given its password anew at each connection, also when it connects again by itself', async () => {
    let known: string | undefined = 'first'
    const options = {
      defaultSampling: () => sampling,
      nextEpoch: () => 1,
      onChange: () => undefined,
      log: () => undefined,
    }
    const withPassword = new ManagedMachine(new ScriptedMachine(), {
      ...options,
      password: () => Promise.resolve(known),
    })
    const { machine: scripted } = withPassword
    if (!(scripted instanceof ScriptedMachine)) throw new Error('another machine')
    await withPassword.connect(signal)
    known = 'second'
    scripted.become('lost')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(scripted.passwords).toEqual(['first', 'second'])
    await withPassword.disconnect()
    known = undefined
    await withPassword.connect(signal)
    expect(scripted.passwords).toEqual(['first', 'second', undefined])
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
    expect(machine.requests.at(-1)?.mode).toBe('off')
    await managed.setSampling('free', 5)
    expect(machine.requests.at(-1)).toMatchObject({ mode: 'free', rate: 5 })
  })

  it.each(['by the machine', 'by the user', 'by the settings'])(
    'samples for a recording though sampling is off, as decided %s, and no longer than that',
    async (decider) => {
      machine.samplesOnRequestOnly = decider === 'by the machine'
      if (decider === 'by the settings') sampling = { mode: 'off', rate: 5 }
      await managed.connect(signal)
      if (decider === 'by the user') await managed.setSampling('off', 10)
      managed.subscribe({ spaces: ['ram'], picture: true }, () => undefined)
      await vi.advanceTimersByTimeAsync(0)
      expect(machine.requests.at(-1)?.mode).toBe('off')
      const stop = managed.subscribe({ spaces: ['io'], picture: false, records: true }, () => undefined)
      await vi.advanceTimersByTimeAsync(0)
      expect(machine.requests.at(-1)).toMatchObject({ mode: 'free', rate: sampling.rate, spaces: ['ram', 'io'] })
      expect(managed.state.sampling.mode).toBe('free')
      stop()
      await vi.advanceTimersByTimeAsync(0)
      expect(machine.requests.at(-1)?.mode).toBe('off')
      expect(managed.state.sampling.mode).toBe('off')
    },
  )

  it('does not stop sampling under a recording, but changes its rate', async () => {
    await managed.connect(signal)
    const stop = managed.subscribe({ spaces: ['ram'], picture: false, records: true }, () => undefined)
    await expect(managed.setSampling('off', 10)).rejects.toMatchObject({ code: 'BUSY' })
    await managed.setSampling('free', 25)
    expect(machine.requests.at(-1)).toMatchObject({ mode: 'free', rate: 25 })
    stop()
    await managed.setSampling('off', 25)
    expect(managed.state.sampling.mode).toBe('off')
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

  it('tries again what never answered, and says why and when', async () => {
    machine.refuse = true
    await expect(managed.connect(signal)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(managed.state).toMatchObject({
      connection: 'lost',
      wasLive: false,
      retry: { failures: 1, next: Date.now() + 1_000 },
    })
    machine.wait = new Promise(() => undefined)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(managed.state).toMatchObject({
      connection: 'connecting',
      reason: 'Nobody answers.',
      retry: { failures: 1, next: null },
    })
  })

  it('is live with nothing to retry once it answers', async () => {
    machine.refuse = true
    await managed.connect(signal).catch(() => undefined)
    machine.refuse = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(managed.state).toMatchObject({ connection: 'live', reason: null, wasLive: true, retry: null })
  })

  it.each(['INVALID', 'FORBIDDEN', 'UNSUPPORTED', 'NOT_FOUND'] as const)(
    'waits for the person after %s, which would only be said again',
    async (code) => {
      machine.refuse = true
      machine.refusal = new AppError(code, 'No.')
      await managed.connect(signal).catch(() => undefined)
      expect(managed.state.retry).toBeNull()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(machine.attempts).toBe(1)
    },
  )

  it('says what a checkpoint stopped it for, until it goes on', async () => {
    await managed.connect(signal)
    const stop = {
      checkpoint: 1,
      time: 0,
      pc: 0x0810,
      start: 0xd020,
      end: 0xd020,
      operation: 'store' as const,
      by: { address: 0x080d, text: 'INC $D020' },
      condition: 'X == 5',
      hit: 3,
      pins: 7,
    }
    machine.status = { ...machine.status, execution: 'paused', stop }
    expect(managed.state).toMatchObject({
      stop,
      reason: 'Stopped at $0810 because $D020 (VIC.BORDER) was written by $080D INC $D020 while X == 5, at hit 3.',
    })
    machine.status = { ...machine.status, execution: 'running', stop: null }
    expect(managed.state).toMatchObject({ stop: null, reason: null })
  })

  it('keeps saying why it was lost while it reconnects', async () => {
    await managed.connect(signal)
    machine.status = { ...machine.status, reason: 'The other side hung up.', hint: 'Wait.' }
    machine.become('lost')
    machine.status = { ...machine.status, reason: null, hint: null }
    machine.wait = new Promise(() => undefined)
    await vi.advanceTimersByTimeAsync(500)
    expect(managed.state).toMatchObject({
      connection: 'connecting',
      reason: 'The other side hung up.',
      hint: 'Wait.',
      wasLive: true,
      retry: { failures: 0, next: null },
    })
  })

  it('does not start a program again and again that never came up', async () => {
    machine.afterLoss = 'restarted'
    machine.refuse = true
    await managed.connect(signal).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(machine.attempts).toBe(1)
  })

  it('does not reconnect what ended as it should', async () => {
    await managed.connect(signal)
    machine.become('idle')
    machine.become('lost')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(machine.attempts).toBe(1)
    expect(managed.state).toMatchObject({ wasLive: false, retry: null })
  })

  it('says what a machine that was started again has lost, until a program runs in it', async () => {
    machine.afterLoss = 'restarted'
    await managed.connect(signal)
    const program = { name: 'game.prg', watched: true, startedAt: 1, reruns: 0, problem: null }
    managed.program = program
    expect(managed.state.notices).toEqual([])
    machine.become('lost')
    await vi.advanceTimersByTimeAsync(500)
    expect(managed.state.notices).toEqual([
      expect.stringMatching(/^VICE was restarted at [\d:]{8}; game\.prg no longer runs in it\./),
    ])
    managed.program = { ...program, startedAt: 2, problem: 'It is cut short.' }
    expect(managed.state.notices).toHaveLength(1)
    expect(managed.state.warnings).toEqual(managed.state.notices)
    managed.program = { ...program, startedAt: 3 }
    expect(managed.state.notices).toEqual([])
  })

  it.each([
    [
      'unknown' as const,
      [expect.stringMatching(/^VICE reconnected at [\d:]{8}\. It is unknown whether game\.prg still runs/)],
    ],
    ['resumed' as const, []],
  ])('says no more of the program in a machine that came back than is known (%s)', async (afterLoss, notices) => {
    machine.afterLoss = afterLoss
    await managed.connect(signal)
    managed.program = { name: 'game.prg', watched: true, startedAt: 1, reruns: 0, problem: null }
    machine.become('lost')
    await vi.advanceTimersByTimeAsync(500)
    expect(managed.state.notices).toEqual(notices)
  })

  it('stops trying when the person disconnects', async () => {
    await managed.connect(signal)
    machine.refuse = true
    machine.become('lost')
    await managed.disconnect()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(machine.attempts).toBe(1)
  })

  it('shares one attempt, and one caller’s giving up does not end it for the others', async () => {
    let arrive: () => void = () => undefined
    machine.wait = new Promise((resolve) => (arrive = resolve))
    const hasty = new AbortController()
    const first = managed.connect(hasty.signal)
    const second = managed.connect(signal)
    hasty.abort()
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' })
    arrive()
    await second
    expect(machine.attempts).toBe(1)
    expect(managed.state.connection).toBe('live')
  })

  it('ends an attempt that nobody waits for any more', async () => {
    let arrive: () => void = () => undefined
    machine.wait = new Promise((resolve) => (arrive = resolve))
    const hasty = new AbortController()
    const only = managed.connect(hasty.signal)
    hasty.abort()
    arrive()
    await expect(only).rejects.toMatchObject({ code: 'CANCELLED' })
    await vi.advanceTimersByTimeAsync(0)
    expect(managed.state.connection).toBe('lost')
  })

  it('connects after a disconnection that is still under way, not before', async () => {
    await managed.connect(signal)
    const leaving = managed.disconnect()
    await managed.connect(signal)
    await leaving
    expect(managed.state.connection).toBe('live')
    expect(machine.attempts).toBe(2)
  })

  it('reconnects also when it was lost before its first sampling was settled', async () => {
    vi.spyOn(machine, 'setSampling').mockImplementationOnce(() => {
      machine.become('lost')
      return Promise.reject(new Error('gone'))
    })
    await expect(managed.connect(signal)).rejects.toThrow('gone')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(machine.attempts).toBe(2)
    expect(managed.state.connection).toBe('live')
  })

  it('takes up a changed default with the next connection, and keeps what the person asked for until then', async () => {
    await managed.connect(signal)
    sampling = { mode: 'free', rate: 25 }
    expect(managed.state.sampling.rate).toBe(10)
    await managed.setSampling('free', 5)
    expect(managed.state.sampling.rate).toBe(5)
    await managed.disconnect()
    await managed.connect(signal)
    expect(managed.state.sampling.rate).toBe(25)
  })

  it('gives the machine one request at a time and the last one last', async () => {
    await managed.connect(signal)
    machine.requests.length = 0
    for (const rate of [1, 2, 3, 4]) void managed.setSampling('free', rate)
    await vi.advanceTimersByTimeAsync(0)
    expect(machine.requests.map(({ rate }) => rate)).toEqual([1, 4])
  })
})

describe('a computer that sleeps', () => {
  it('shows nothing as live, and only what answers again is live when it wakes up', async () => {
    let answer: () => void = () => undefined
    machine.wake = () => new Promise((resolve) => (answer = resolve))
    await managed.connect(signal)
    managed.fallAsleep()
    expect(managed.state).toMatchObject({ connection: 'stale', reason: expect.stringContaining('asleep') as string })
    void managed.wakeUp()
    expect(managed.state).toMatchObject({ connection: 'stale', reason: expect.stringContaining('checking') as string })
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(managed.state).toMatchObject({ connection: 'live', reason: null })
  })

  it('keeps nothing of before: frames are of a new epoch', async () => {
    const frames: Frame[] = []
    managed.subscribe({ spaces: [], picture: false }, (frame) => frames.push(frame))
    machine.wake = async () => machine.sample()
    await managed.connect(signal)
    machine.sample()
    await managed.wakeUp()
    expect(new Set(frames.map(({ epoch }) => epoch)).size).toBe(2)
  })

  it('connects at once what is gone, and what waited for its next attempt', async () => {
    machine.wake = () => {
      machine.become('lost')
      return Promise.reject(new AppError('LOST', 'Gone.'))
    }
    await managed.connect(signal)
    await managed.wakeUp()
    expect(managed.state.connection).toBe('lost')
    machine.refuse = true
    await vi.advanceTimersByTimeAsync(30_000)
    const { attempts } = machine
    machine.refuse = false
    await managed.wakeUp()
    expect(machine.attempts).toBe(attempts + 1)
    expect(managed.state).toMatchObject({ connection: 'live', retry: null })
  })

  it('does not wake a machine that is not connected, nor twice at the same time', async () => {
    let wakes = 0
    machine.wake = () => {
      wakes++
      return Promise.resolve()
    }
    await managed.wakeUp()
    expect([wakes, machine.attempts]).toEqual([0, 0])
    await managed.connect(signal)
    await Promise.all([managed.wakeUp(), managed.wakeUp()])
    expect(wakes).toBe(1)
  })

  it('finds a machine live at once that slept with it', async () => {
    await managed.connect(signal)
    managed.fallAsleep()
    expect(managed.state.connection).toBe('stale')
    await managed.wakeUp()
    expect(managed.state).toMatchObject({ connection: 'live', reason: null })
  })
})
