import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bridgeStateSchema, type BridgeState } from '@shared/contract/window'
import { PROTOCOL_VERSION, type ToBridge } from '../bridge/messages'
import { memoryLine, type Line } from '../rpc/transport'
import { Supervisor, type RunningBridge } from './supervisor'

/** A bridge in this process, over the in-memory line, which the test makes answer, fall silent or end. */
class FakeBridge implements RunningBridge {
  readonly heard: ToBridge[] = []
  readonly #host: Line
  readonly #own: Line
  readonly #endListeners: ((how: string) => void)[] = []
  answersPings = true
  stopped = false
  killed = false

  constructor() {
    const [host, own] = memoryLine()
    this.#host = host
    this.#own = own
    own.onMessage((message) => {
      const heard = message as ToBridge
      if (heard.kind !== 'ping') this.heard.push(heard)
      else if (this.answersPings) this.say({ kind: 'pong', at: heard.at })
    })
  }

  say(message: unknown): void {
    this.#own.post(message)
  }

  end(how = 'was killed by SIGKILL'): void {
    for (const listener of this.#endListeners) listener(how)
  }

  post(message: ToBridge): void {
    this.#host.post(message)
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#host.onMessage(listener)
  }

  onEnd(listener: (how: string) => void): void {
    this.#endListeners.push(listener)
  }

  isStopped(): boolean {
    return this.stopped
  }

  kill(): void {
    this.killed = true
  }
}

let bridges: FakeBridge[]
let supervisor: Supervisor<FakeBridge>
let states: BridgeState[]
let warnings: string[]

const latest = () => {
  const bridge = bridges.at(-1)
  if (!bridge) throw new Error('no bridge was started')
  return bridge
}
const settle = () => vi.advanceTimersByTimeAsync(0)
const becomeReady = async () => {
  latest().say({ kind: 'ready', protocol: PROTOCOL_VERSION })
  await settle()
}

beforeEach(() => {
  vi.useFakeTimers()
  bridges = []
  states = []
  warnings = []
  const start = () => {
    const bridge = new FakeBridge()
    bridges.push(bridge)
    return bridge
  }
  supervisor = new Supervisor({ start }, { info: () => undefined, warn: (message) => warnings.push(message) })
  supervisor.onState((state) => states.push(state))
  supervisor.start()
})

afterEach(() => void vi.useRealTimers())

describe('starting', () => {
  it('is ready when the bridge says so in the same protocol', async () => {
    await becomeReady()
    expect(states.map(({ state }) => state)).toEqual(['starting', 'ready'])
  })

  it('starts a bridge again that is not ready within twenty seconds', async () => {
    await vi.advanceTimersByTimeAsync(19_999)
    expect(supervisor.state.state).toBe('starting')
    await vi.advanceTimersByTimeAsync(1)
    expect(supervisor.state).toMatchObject({ state: 'restarting', recentEnds: 1 })
    expect(supervisor.state.reason).toContain('not ready within 20 s')
    expect(bridges[0]?.killed).toBe(true)
  })

  it('fails at once when the bridge speaks another protocol, as a restart would not help', async () => {
    latest().say({ kind: 'ready', protocol: PROTOCOL_VERSION + 1 })
    await settle()
    expect(supervisor.state.state).toBe('failed')
    expect(latest().killed).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bridges).toHaveLength(1)
  })

  it('fails at once when the bridge says that it cannot start', async () => {
    latest().say({
      kind: 'failed',
      error: { code: 'CONFLICT', message: 'Another bridge runs here.', hint: 'x'.repeat(1_900) },
    })
    await settle()
    expect(supervisor.state).toMatchObject({ state: 'failed', recentEnds: 0 })
    expect(supervisor.state.reason).toContain('cannot start: Another bridge runs here.')
    expect(bridgeStateSchema.safeParse(supervisor.state).success).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bridges).toHaveLength(1)
  })

  it('holds calls until the bridge is ready', async () => {
    const answer = supervisor.call('machine.list', {}, 5_000)
    await settle()
    expect(latest().heard).toEqual([])
    await becomeReady()
    latest().say({ kind: 'reply', id: 0, result: { ok: true, data: { machines: [] } } })
    expect(await answer).toEqual({ machines: [] })
  })
})

describe('heartbeat', () => {
  it('ends a bridge that is silent for four seconds', async () => {
    await becomeReady()
    latest().answersPings = false
    await vi.advanceTimersByTimeAsync(4_499)
    expect(supervisor.state.state).toBe('ready')
    await vi.advanceTimersByTimeAsync(1)
    expect(supervisor.state.state).toBe('restarting')
    expect(supervisor.state.reason).toContain('did not answer')
    expect(bridges[0]?.killed).toBe(true)
  })

  it('ends one that the system says is stopped after a second, as it is not only slow', async () => {
    await becomeReady()
    latest().answersPings = false
    latest().stopped = true
    await vi.advanceTimersByTimeAsync(1_499)
    expect(supervisor.state.state).toBe('ready')
    await vi.advanceTimersByTimeAsync(1)
    expect(supervisor.state.reason).toContain('was stopped')
  })

  it('keeps a bridge that answers', async () => {
    await becomeReady()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(supervisor.state.state).toBe('ready')
    expect(bridges).toHaveLength(1)
  })

  it('does not count the hours that the computer slept', async () => {
    await becomeReady()
    latest().answersPings = false
    await vi.advanceTimersByTimeAsync(4_000)
    vi.setSystemTime(Date.now() + 8 * 3_600_000)
    supervisor.resumed()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(supervisor.state.state).toBe('ready')
  })

  it('tells the bridge that the computer goes to sleep and wakes up, once it is ready', async () => {
    supervisor.suspended()
    await becomeReady()
    supervisor.suspended()
    supervisor.resumed()
    await settle()
    expect(latest().heard).toEqual([{ kind: 'suspend' }, { kind: 'resume' }])
  })
})

describe('an unexpected end', () => {
  it('rejects what is pending at once, tells the state at once, and starts again without delay', async () => {
    await becomeReady()
    const pending = supervisor.call('memory.read', {}, 5_000)
    const outcome = expect(pending).rejects.toMatchObject({ code: 'BRIDGE_DOWN' })
    latest().end()
    await outcome
    expect(supervisor.state).toMatchObject({ state: 'restarting', recentEnds: 1 })
    expect(supervisor.state.reason).toContain('was killed by SIGKILL')
    expect(bridges).toHaveLength(1)
    await settle()
    expect(bridges).toHaveLength(2)
    await becomeReady()
    expect(supervisor.state).toMatchObject({ state: 'ready', reason: null })
  })

  it('refuses calls until the bridge is back', async () => {
    await becomeReady()
    latest().end()
    await expect(supervisor.call('machine.list', {}, 5_000)).rejects.toMatchObject({ code: 'BRIDGE_DOWN' })
    await expect(supervisor.ready()).rejects.toMatchObject({ code: 'BRIDGE_DOWN' })
  })

  it('is counted once when two signs of it arrive', async () => {
    await becomeReady()
    latest().end('ended (killed, code 9)')
    latest().end('ended with code 0')
    expect(supervisor.state.recentEnds).toBe(1)
  })

  it('waits 0, 0.5 and 1 s, and the fourth within five minutes is not answered with a restart', async () => {
    for (const delay of [0, 500, 1_000]) {
      const before = bridges.length
      latest().end()
      if (delay > 0) await vi.advanceTimersByTimeAsync(delay - 1)
      expect(bridges).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(bridges).toHaveLength(before + 1)
      await becomeReady()
    }
    latest().end()
    expect(supervisor.state).toMatchObject({ state: 'failed', recentEnds: 4 })
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(bridges).toHaveLength(4)
  })

  it('is forgotten after five minutes', async () => {
    await becomeReady()
    for (let end = 0; end < 6; end++) {
      latest().end()
      expect(supervisor.state.state).toBe('restarting')
      await vi.advanceTimersByTimeAsync(2_000)
      await becomeReady()
      await vi.advanceTimersByTimeAsync(98_000)
    }
  })

  it('is forgotten when a person starts the bridge again', async () => {
    for (const delay of [0, 500, 1_000, 0]) {
      latest().end()
      await vi.advanceTimersByTimeAsync(delay)
    }
    expect(supervisor.state.state).toBe('failed')
    supervisor.start()
    expect(supervisor.state).toEqual({ state: 'starting', reason: null, recentEnds: 0 })
    await becomeReady()
    expect(supervisor.state.state).toBe('ready')
  })
})

describe('a call', () => {
  beforeEach(becomeReady)

  it('rejects with the bridge’s own error', async () => {
    const call = supervisor.call('machine.pause', { machine: 'vice' }, 5_000)
    latest().say({
      kind: 'reply',
      id: 0,
      result: { ok: false, error: { code: 'UNREACHABLE', message: 'No VICE answers.', hint: 'Start it.' } },
    })
    await expect(call).rejects.toMatchObject({ code: 'UNREACHABLE', message: 'No VICE answers.', hint: 'Start it.' })
  })

  it('times out on the caller’s side and cancels in the bridge', async () => {
    const outcome = expect(supervisor.call('memory.read', {}, 2_000)).rejects.toMatchObject({ code: 'TIMEOUT' })
    await vi.advanceTimersByTimeAsync(2_000)
    await outcome
    await settle()
    expect(latest().heard).toEqual([
      { kind: 'call', id: 0, command: 'memory.read', input: {} },
      { kind: 'cancel', id: 0 },
    ])
  })

  it('without a deadline waits for a person', async () => {
    const call = supervisor.call('machine.list', {}, 0)
    await vi.advanceTimersByTimeAsync(3_600_000)
    latest().say({ kind: 'reply', id: 0, result: { ok: true, data: 'at last' } })
    expect(await call).toBe('at last')
  })

  it('can be cancelled', async () => {
    const controller = new AbortController()
    const outcome = expect(supervisor.call('memory.read', {}, 2_000, controller.signal)).rejects.toMatchObject({
      code: 'CANCELLED',
    })
    controller.abort()
    await outcome
    await expect(supervisor.call('memory.read', {}, 2_000, controller.signal)).rejects.toMatchObject({
      code: 'CANCELLED',
    })
  })

  it('ignores an answer that comes too late, and messages outside the protocol', async () => {
    latest().say({ kind: 'reply', id: 99, result: { ok: true, data: null } })
    latest().say({ kind: 'nonsense' })
    latest().say(null)
    await settle()
    expect(warnings).toHaveLength(2)
    expect(supervisor.state.state).toBe('ready')
  })
})

describe('stopping', () => {
  it('asks, and is done when the bridge ends', async () => {
    await becomeReady()
    const stopped = supervisor.stop()
    await settle()
    expect(latest().heard).toEqual([{ kind: 'shutdown' }])
    latest().end('ended with code 0')
    await stopped
    expect(supervisor.state).toEqual({ state: 'stopped', reason: null, recentEnds: 0 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bridges).toHaveLength(1)
  })

  it('kills after two seconds', async () => {
    await becomeReady()
    const stopped = supervisor.stop()
    await vi.advanceTimersByTimeAsync(2_000)
    await stopped
    expect(latest().killed).toBe(true)
  })

  it('also stops a restart that was about to happen', async () => {
    latest().end()
    await supervisor.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bridges).toHaveLength(1)
    await expect(supervisor.call('machine.list', {}, 0)).rejects.toMatchObject({ code: 'BRIDGE_DOWN' })
  })
})
