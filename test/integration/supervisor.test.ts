/** The supervisor over the forked-Node driver, with a small real process that is killed, stuck, deaf and stubborn. */
import { resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BridgeState } from '@shared/contract/window'
import { forkBridge, type ForkedBridge } from '../../src-main/electron/forkedBridge'
import { Supervisor } from '../../src-main/electron/supervisor'

const script = resolve('test/fixtures/echoBridge.cjs')

let supervisor: Supervisor<ForkedBridge> | undefined
let states: BridgeState['state'][]
let printed: string

function supervise(environment: Record<string, string> = {}, node = process.execPath) {
  states = []
  printed = ''
  const start = () =>
    forkBridge({
      node,
      script,
      environment,
      output: (stream) => void stream.on('data', (chunk: Buffer) => (printed += chunk.toString())),
    })
  const made = new Supervisor({ start }, { info: () => undefined, warn: () => undefined })
  made.onState(({ state }) => states.push(state))
  made.start()
  supervisor = made
  return made
}

afterEach(() => supervisor?.stop())

const say = (text: string) => supervisor?.call('machine.typeText', { machine: 'builtin', text }, 20_000)

describe('a bridge in its own Node', () => {
  it('answers calls with bytes as they were, and what it prints is passed on', async () => {
    const bridge = supervise()
    const answer = await bridge.call(
      'memory.read',
      { machine: 'builtin', space: 'ram', address: 0, length: 65_536 },
      60_000,
    )
    expect(answer).toMatchObject({ bytes: new Uint8Array(65_536).fill(0x42) })
    // It comes by a pipe of its own.
    await expect.poll(() => printed).toContain('the echo bridge is up')
  })

  it('gets no environment but what is given', async () => {
    process.env.SECRET_OF_A_TEST = 'x'
    const bridge = supervise()
    expect(await bridge.call('machine.typeText', { text: 'environment' }, 20_000)).toEqual({ secret: null })
    delete process.env.SECRET_OF_A_TEST
  })

  it('tells events', async () => {
    const bridge = supervise()
    const heard = new Promise((resolve) => bridge.onEvent((event, payload) => resolve([event, payload])))
    await say('event')
    expect(await heard).toEqual(['machine.states', { machines: [] }])
  })

  it.each([
    ['crash', 'was killed by SIGKILL'],
    ['exit', 'ended with code 7'],
    ['throw', 'ended with code 1'],
  ])('is started again after a %s, and what was pending is told', async (how, reason) => {
    const bridge = supervise()
    await bridge.ready()
    const pending = expect(bridge.call('machine.typeText', { text: 'never' }, 20_000)).rejects.toMatchObject({
      code: 'BRIDGE_DOWN',
    })
    say(how)?.catch(() => undefined)
    await pending
    expect(bridge.state.state).toBe('restarting')
    expect(bridge.state.reason).toContain(reason)
    await expect.poll(() => bridge.state.state).toBe('ready')
    expect(states).toEqual(['starting', 'ready', 'restarting', 'ready'])
  })

  it.each(['hang', 'deaf'])('is killed and started again when it is %s', async (how) => {
    const bridge = supervise()
    const first = (await bridge.ready()).pid
    say(how)?.catch(() => undefined)
    await expect.poll(() => states).toContain('restarting')
    await vi.waitFor(() => expect(() => process.kill(first ?? 0, 0)).toThrow(), 60_000)
    await expect.poll(() => bridge.state.state).toBe('ready')
  })

  it('is not started again after its fourth end', async () => {
    const bridge = supervise({ BRIDGEDECK_ECHO: 'dies' })
    await expect.poll(() => bridge.state.state).toBe('failed')
    expect(states).toEqual(['starting', 'restarting', 'restarting', 'restarting', 'failed'])
  })

  it('fails at once when it is of another version', async () => {
    const bridge = supervise({ BRIDGEDECK_ECHO: 'stranger' })
    await expect.poll(() => bridge.state.state).toBe('failed')
    expect(states).toEqual(['starting', 'failed'])
  })

  it('is reported when there is no such Node', async () => {
    const bridge = supervise({}, '/no/such/node')
    await expect.poll(() => states).toContain('restarting')
    expect(bridge.state.reason).toContain('could not be started')
  })

  it('ends when asked, and by force when it does not listen', async () => {
    for (const mood of ['', 'stubborn']) {
      const bridge = supervise({ BRIDGEDECK_ECHO: mood })
      const { pid } = await bridge.ready()
      await bridge.stop()
      await vi.waitFor(() => expect(() => process.kill(pid ?? 0, 0)).toThrow(), 60_000)
    }
  })
})

describe('a frame line', () => {
  it('carries frames under two credits, and ends with either side', async () => {
    const bridge = await supervise().ready()
    const line = bridge.openLine('frames')
    let frames = 0
    line.onMessage(() => frames++)
    line.post({ kind: 'subscribe', machine: 'builtin', spaces: ['ram'], picture: false })
    await expect.poll(() => frames).toBe(2)
    // Ten times what lies between two frames: nothing tells of one that is not sent.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(frames).toBe(2)
    line.post({ kind: 'credit' })
    await expect.poll(() => frames).toBe(3)
    line.close()
    await expect.poll(() => printed).toContain('a frame port was closed')

    const second = bridge.openLine('frames')
    const closed = new Promise<void>((resolve) => second.onClose(resolve))
    say('crash')?.catch(() => undefined)
    await closed
  })
})
