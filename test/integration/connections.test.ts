/** The ways to a machine, through the bridge's own commands, with the stand-in Ultimate at the other end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SelfTestStep } from '@shared/contract/connections'
import { BridgeClient } from '../../src-main/bridge/client'
import { createBridge } from '../../src-main/bridge/createBridge'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { memoryTransport } from '../../src-main/rpc/transport'
import type { UltimateOptions } from '../peers/ultimateOptions'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { callHere } from '../support/callHere'

let folder: string
let peer: UltimatePeer
let bridge: Bridge
let client: BridgeClient
/** The peer's name as a machine. */
let machine: string

const log: string[] = []
const configFile = () => join(folder, 'c64bridge.json')

function startBridge(): void {
  bridge = createBridge({
    dataFolder: join(folder, 'data'),
    resources: resolve('out/resources/c64'),
    workerPath: resolve('out/main/builtinWorker.cjs'),
    recorderPath: resolve('out/main/recorderWorker.cjs'),
    lifetime: 'window',
    log: (message, error) => log.push(`${message} ${String(error)}`),
    search: { targets: ['127.0.0.1'], port: peer.ports.ident },
    environment: { C64BRIDGE_CONFIG: configFile() },
  })
  const transport = memoryTransport()
  client = new BridgeClient(transport.control)
  serve(bridge, transport.bridge, () => undefined)
}

async function stopBridge(): Promise<void> {
  client.close()
  await bridge.close()
}

async function start(options: Partial<UltimateOptions> = {}): Promise<void> {
  peer = await startUltimate(options)
  machine = `ultimate:127.0.0.1:${peer.ports.rest}`
  startBridge()
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-connections-'))
  log.length = 0
})
afterEach(async () => {
  await stopBridge()
  await peer.stop()
  rmSync(folder, { recursive: true, force: true })
})

const passwordsSeen = () => [...new Set(peer.logOf('rest').map(({ password }) => password))]

describe('a machine with a password', () => {
  it('says that it wants one, and connects with the right one', async () => {
    await start({ password: 'secret' })
    await expect(client.call('machine.connect', { machine })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await client.call('connections.usePassword', { machine, password: 'wrong', onlyFor: null })
    await expect(client.call('machine.connect', { machine })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await client.call('connections.usePassword', { machine, password: 'secret', onlyFor: null })
    expect((await client.call('machine.connect', { machine })).connection).toBe('live')
    expect(log.join()).not.toMatch(/secret|wrong/)
  })

  it('gets it again when it was lost, and not any more once it was disconnected', async () => {
    await start({ password: 'secret' })
    await client.call('connections.usePassword', { machine, password: 'secret', onlyFor: null })
    await client.call('machine.connect', { machine })
    const state = async () =>
      (await client.call('machine.list', {})).machines.find((other) => other.machine === machine)?.connection
    await peer.away(3)
    // Nobody looks at it, so that nothing would be missed by itself.
    const look = () =>
      client.call('memory.read', { machine, space: 'cpu', address: 0xc000, length: 1 }).catch(() => undefined)
    await expect.poll(() => look().then(state), { timeout: 60_000 }).not.toBe('live')
    await expect.poll(state, { timeout: 60_000 }).toBe('live')
    await client.call('machine.disconnect', { machine })
    await expect(client.call('machine.connect', { machine })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is sent a saved one only while the device tells that it is the one that it is for', async () => {
    await start({ password: 'secret' })
    const { uniqueId } = await client.call('connections.identity', { machine })
    expect(uniqueId).toEqual(expect.any(String))
    await client.call('connections.usePassword', { machine, password: 'secret', onlyFor: `not ${uniqueId ?? ''}` })
    await expect(client.call('machine.connect', { machine })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/another device answers/) as string,
    })
    await peer.change({ ident: false })
    await client.call('connections.usePassword', { machine, password: 'secret', onlyFor: uniqueId })
    await expect(client.call('machine.connect', { machine })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/did not identify itself/) as string,
    })
    expect(passwordsSeen()).not.toContain('right')
    await peer.change({ ident: true })
    expect((await client.call('machine.connect', { machine })).connection).toBe('live')
  })

  it('takes the one of c64bridge’s configuration, which is for that address alone', async () => {
    await start({ password: 'secret' })
    const write = (host: string) =>
      writeFileSync(configFile(), JSON.stringify({ c64u: { host, port: peer.ports.rest, networkPassword: 'secret' } }))
    write('localhost')
    expect((await client.call('machine.connect', { machine })).connection).toBe('live')
    await client.call('machine.disconnect', { machine })
    write('127.0.0.2')
    await expect(client.call('machine.connect', { machine })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('the command line', () => {
  const read = (environment: NodeJS.ProcessEnv) =>
    callHere(['read', '--machine', machine, '--address', '$C000', '--length', '4', '--bank', 'cpu'], {
      environment: { PATH: process.env.PATH, HOME: folder, BRIDGEDECK_DATA: join(folder, 'cli'), ...environment },
    })

  it('takes an Ultimate’s password from C64U_PASSWORD', async () => {
    await start({ password: 'secret' })
    expect(await read({ C64U_PASSWORD: 'secret' })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^C000 /) as string,
    })
    expect(await read({ C64U_PASSWORD: 'wrong' })).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/rejected the password/) as string,
    })
  })

  it('takes it from .c64bridge.json, and says where it could stand when it is nowhere', async () => {
    await start({ password: 'secret' })
    expect(await read({})).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/password.*Set C64U_PASSWORD/) as string,
    })
    writeFileSync(
      join(folder, '.c64bridge.json'),
      JSON.stringify({ c64u: { host: '127.0.0.1', port: peer.ports.rest, networkPassword: 'secret' } }),
    )
    expect(await read({})).toMatchObject({ code: 0 })
  })

  it('gives it no other host than the one that C64U_HOST names', async () => {
    await start({ password: 'secret' })
    expect(await read({ C64U_PASSWORD: 'secret', C64U_HOST: 'c64u' })).toMatchObject({ code: 8 })
    expect(passwordsSeen()).toEqual(['none'])
  })
})

describe('the list of connections', () => {
  it('has what answers on the network, and says whether it asks for a password', async () => {
    await start({ password: 'secret', hostname: 'Desk' })
    expect((await client.call('connections.list', {})).network).toMatchObject({ searched: null, found: [] })
    const { network } = await client.call('connections.search', {})
    expect(network).toMatchObject({
      searching: false,
      problem: null,
      found: [
        {
          machine: 'ultimate:127.0.0.1',
          title: 'Desk',
          about: expect.stringMatching(/^Ultimate 64 Elite, firmware /) as string,
          asksForPassword: true,
        },
      ],
    })
    expect(passwordsSeen()).toEqual([])
  })

  it('has kept machines over a restart, and drops them with their password', async () => {
    await start()
    await client.call('connections.save', { machine, title: 'The one on the desk' })
    const sealed = Uint8Array.of(1, 2, 3)
    await client.call('connections.keepPassword', { machine, kept: { sealed, uniqueId: 'A1' } })
    await stopBridge()
    startBridge()
    const { profiles } = await client.call('connections.list', {})
    expect(profiles).toEqual([{ machine, title: 'The one on the desk', hasPassword: true }])
    expect(await client.call('connections.sealedPassword', { machine })).toEqual({ kept: { sealed, uniqueId: 'A1' } })
    await client.call('connections.remove', { machine })
    expect((await client.call('connections.list', {})).profiles).toEqual([])
    expect(await client.call('connections.sealedPassword', { machine })).toEqual({ kept: null })
  })

  it('has what c64bridge’s configuration names, without its password', async () => {
    await start()
    writeFileSync(
      configFile(),
      JSON.stringify({ c64u: { host: 'c64u', networkPassword: 'secret' }, vice: { host: 'bad host' } }),
    )
    const connections = await client.call('connections.list', {})
    expect(connections.configured).toEqual({
      machines: [{ machine: 'ultimate:c64u', title: 'C64 Ultimate', source: 'c64bridge.json', hasPassword: true }],
      problems: ['“VICE” in c64bridge.json has no usable address.'],
    })
    expect(JSON.stringify(connections)).not.toContain('secret')
  })

  it('is told to the window whenever it changes', async () => {
    await start()
    const titles: string[][] = []
    bridge.onEvent((event, payload) => {
      if (event === 'connections.changed' && 'profiles' in payload)
        titles.push(payload.profiles.map(({ title }) => title))
    })
    await client.call('connections.save', { machine, title: 'Desk' })
    await client.call('connections.save', { machine, title: 'Workshop' })
    await client.call('connections.remove', { machine })
    expect(titles).toEqual([['Desk'], ['Workshop'], []])
  })
})

describe('the self-test', () => {
  async function test(signal?: AbortSignal) {
    const told: { steps: SelfTestStep[]; running: boolean }[] = []
    const stop = bridge.onEvent((event, payload) => {
      if (event === 'connections.selfTest' && 'steps' in payload)
        told.push({ steps: payload.steps, running: payload.running })
    })
    try {
      const { steps } = await client.call('connections.selfTest', { machine }, signal)
      return { steps, told, outcomes: steps.map(({ title, outcome }) => `${title}: ${outcome}`) }
    } finally {
      stop()
    }
  }
  const connection = async () =>
    (await client.call('machine.list', {})).machines.find((other) => other.machine === machine)?.connection

  it('goes through all that an Ultimate 64 can do, and leaves it as it was', async () => {
    await start({ password: 'secret' })
    await client.call('connections.usePassword', { machine, password: 'secret', onlyFor: null })
    const { outcomes, steps, told } = await test()
    expect(outcomes, JSON.stringify(steps)).toEqual([
      'Reach the machine: ok',
      'Password: ok',
      'Read memory: ok',
      'Video stream: ok',
      'Audio stream: ok',
      'Debug stream: ok',
    ])
    expect(steps.find(({ title }) => title === 'Password')?.text).toBe('The password is correct.')
    expect(told.at(-1)).toEqual({ steps, running: false })
    expect(told[0]).toMatchObject({ running: true, steps: [{ outcome: 'running' }] })
    expect(await connection()).toBeUndefined()
    const { streams } = await peer.state()
    expect([streams.video.on, streams.audio.on, streams.debug.on]).toEqual([false, false, false])
  })

  it('says that streams need a cable where there is none', async () => {
    await start({ wired: false })
    const { steps, outcomes } = await test()
    expect(outcomes.slice(0, 3)).toEqual(['Reach the machine: ok', 'Password: ok', 'Read memory: ok'])
    expect(steps.find(({ title }) => title === 'Password')?.text).toMatch(/No password is set/)
    expect(steps.find(({ title }) => title === 'Video stream')).toMatchObject({
      outcome: 'failed',
      text: expect.stringMatching(/cable|wired/i) as string,
    })
  })

  it('names what a cartridge has not', async () => {
    await start({ product: 'Ultimate II+' })
    const { steps } = await test()
    expect(steps.filter(({ outcome }) => outcome === 'skipped').map(({ text }) => text)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/Ultimate 64/) as string),
    )
  })

  it.each([
    ['a password that was not given', { password: 'secret' }, ['Reach the machine: ok', 'Password: failed']],
    ['something else at the address', { restFault: 'notAnUltimate' }, ['Reach the machine: failed']],
    ['a device that hangs up', { restFault: 'refuse' }, ['Reach the machine: failed']],
  ] as const)('ends at %s', async (_, options, expected) => {
    await start(options)
    expect((await test()).outcomes).toEqual(expected)
  })

  it('can be stopped, and the machine is let go', async () => {
    await start({ restFault: 'wedged' })
    const stop = new AbortController()
    const tested = test(stop.signal)
    await expect.poll(connection).toBe('connecting')
    stop.abort()
    await expect(tested).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(connection).toBeUndefined()
  })

  it('leaves a connected machine connected', async () => {
    await start()
    await client.call('machine.connect', { machine })
    expect((await test()).outcomes[0]).toBe('Reach the machine: ok')
    expect(await connection()).toBe('live')
  })
})
