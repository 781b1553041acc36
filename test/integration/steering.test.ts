/** What the person sees of agents and says to them: a bridge of a window, and agents' programs that talk to the built server. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SteeringState } from '@shared/contract/steering'
import { currentAgentCall } from '../../src-main/bridge/agentCall'
import { BridgeClient } from '../../src-main/bridge/client'
import { connect, socketPath } from '../../src-main/bridge/socket'
import { CommandLine } from '../support/commandLine'
import { ask, startAgent, type AgentAnswer } from '../support/mcpClient'
import { dataFolderOf, RealBridge } from '../support/realBridge'

let calls: CommandLine
let bridge: RealBridge
const clients: Client[] = []

beforeAll(async () => {
  calls = new CommandLine()
  mkdirSync(join(calls.folder, 'home'), { recursive: true })
  bridge = await RealBridge.start(calls, { HOME: calls.folder })
  await bridge.call('machine.connect', { machine: 'builtin' })
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await expect.poll(async () => (await state()).agents, { timeout: 20_000 }).toEqual([])
  await bridge.call('steering.handBack', { machine: 'builtin' })
})
afterAll(async () => {
  await bridge.stop()
  await calls.remove()
})

async function agent(...words: string[]): Promise<Client> {
  const client = await startAgent(calls, ...words)
  clients.push(client)
  return client
}

const state = (): Promise<SteeringState> => bridge.call('steering.state', {})

const write = (client: Client, address: string, bytes: string): Promise<AgentAnswer> =>
  ask(client, 'memory', { op: 'write', address, bytes })

const bytesAt = async (address: number, length = 1): Promise<number[]> => [
  ...(await bridge.call('memory.read', { machine: 'builtin', space: 'ram', address, length })).bytes,
]

/** Answers what it asks first. */
async function answer(consent: 'once' | 'session' | 'always' | 'refuse'): Promise<string> {
  await expect.poll(async () => (await state()).questions.length, { timeout: 20_000 }).toBe(1)
  const [asked] = (await state()).questions
  await bridge.call('steering.answer', { question: asked?.question ?? 0, consent })
  return `${asked?.name}, ${asked?.right}: ${asked?.text}`
}

const lastCalls = async (): Promise<string[]> =>
  (await bridge.call('steering.calls', { before: null, name: null })).calls.map(
    ({ name, title, outcome }) => `${name}: ${title} ${outcome}`,
  )

describe('an agent beside the window', () => {
  it('looks at once, and changes something only when the person allows it', async () => {
    const client = await agent()
    expect(await ask(client, 'see', { op: 'screen' })).toMatchObject({ isError: false })
    await client.readResource({ uri: 'bridgedeck://builtin/registers' })
    const first = write(client, '$c000', '01')
    expect(await answer('once')).toBe('test, change: memory write address: $c000, bytes: 01')
    expect(await first).toMatchObject({ isError: false })
    const second = write(client, '$c000', '02')
    await answer('refuse')
    expect(await second).toMatchObject({ isError: true, text: expect.stringContaining('does not allow') as string })
    expect(await write(client, '$c000', '03')).toMatchObject({ isError: true })
    expect(await bytesAt(0xc000)).toEqual([1])
    expect((await state()).agents).toMatchObject([
      { name: 'test', machine: 'builtin', refused: ['change'], granted: [], doing: null, calls: 5 },
    ])
    expect((await lastCalls()).slice(0, 5)).toEqual([
      'test: memory write refused',
      'test: memory write refused',
      'test: memory write done',
      'test: read resource done',
      'test: see screen done',
    ])
  })

  it('may do for the session or always what the person said, until they take it back', async () => {
    const client = await agent()
    const first = write(client, '$c000', '01')
    await answer('always')
    expect(await first).toMatchObject({ isError: false })
    await client.close()
    await expect.poll(async () => (await state()).agents, { timeout: 20_000 }).toEqual([])
    const next = await agent()
    expect(await write(next, '$c000', '04')).toMatchObject({ isError: false })
    const [there] = (await state()).agents
    expect(there?.granted).toEqual([{ right: 'change', for: 'always' }])
    await bridge.call('steering.revoke', { agent: there?.agent ?? 0, right: 'change' })
    const last = write(next, '$c000', '05')
    await answer('refuse')
    expect(await last).toMatchObject({ isError: true })
    expect(await bytesAt(0xc000)).toEqual([4])
  })

  it('waits while the person has paused it', async () => {
    const client = await agent('--allow', 'change')
    await ask(client, 'machine', { op: 'list' })
    const [there] = (await state()).agents
    await bridge.call('steering.pause', { agent: there?.agent ?? 0 })
    let isDone = false
    const written = write(client, '$c000', '11').then((answered) => {
      isDone = true
      return answered
    })
    const looked = ask(client, 'see', { op: 'screen' })
    await expect.poll(async () => (await state()).agents[0]?.calls, { timeout: 20_000 }).toBe(3)
    expect([isDone, (await state()).agents[0]?.paused]).toEqual([false, true])
    await bridge.call('steering.resume', { agent: there?.agent ?? 0 })
    expect([await written, await looked]).toMatchObject([{ isError: false }, { isError: false }])
    expect(await bytesAt(0xc000)).toEqual([0x11])
  })

  it('has the machine alone for a while, and another is told who has it', async () => {
    const [one, other] = await Promise.all([agent('--allow', 'change'), agent('--allow', 'change')])
    await write(one, '$c000', '21')
    expect((await state()).leases).toMatchObject([{ machine: 'builtin', name: 'test' }])
    expect((await write(other, '$c000', '22')).text).toMatch(/builtin is busy: test until \d\d:\d\d:\d\d\./)
    expect(await ask(other, 'memory', { op: 'read', address: '$c000', length: 1 })).toMatchObject({ isError: false })
    await one.close()
    await expect
      .poll(async () => (await write(other, '$c000', '23')).isError, { timeout: 30_000, interval: 200 })
      .toBe(false)
    expect(await bytesAt(0xc000)).toEqual([0x23])
  })

  it('is kept from a machine that the person took over, and gets it back', async () => {
    const client = await agent('--allow', 'change')
    await write(client, '$c000', '31')
    await bridge.call('steering.takeOver', { machine: 'builtin' })
    expect((await write(client, '$c000', '32')).text).toContain('the person took it over')
    expect(await ask(client, 'see', { op: 'screen' })).toMatchObject({ isError: false })
    await bridge.call('steering.handBack', { machine: 'builtin' })
    expect(await write(client, '$c000', '33')).toMatchObject({ isError: false })
  })

  it('has its writes undone to the byte, and what others wrote meanwhile stays', async () => {
    await bridge.call('memory.write', { machine: 'builtin', space: 'ram', address: 0xa000, bytes: filled(64, 0x55) })
    const before = await bytesAt(0xa000, 64)
    const client = await agent('--allow', 'change')
    await write(client, '$a000', '01 02 03 04')
    const first = await newestCall()
    await write(client, '$a002', '05 06 07 08')
    await bridge.call('memory.write', { machine: 'builtin', space: 'ram', address: 0xc100, bytes: filled(4, 0x99) })
    expect(first).toMatchObject({ title: 'memory write', undo: 'bytes', bytes: 4 })
    expect(await bytesAt(0xa000, 6)).toEqual([1, 2, 5, 6, 7, 8])
    expect(await bridge.call('steering.undo', { call: first.call })).toEqual({ text: '6 bytes put back.' })
    expect(await bytesAt(0xa000, 64)).toEqual(before)
    expect(await bytesAt(0xc100, 4)).toEqual([0x99, 0x99, 0x99, 0x99])
    expect((await newestCall()).undo).toBeNull()
  })

  it('has writes to several places at once undone, the bytes of all of them', async () => {
    const opened = await connect(socketPath(dataFolderOf(calls)))
    if (!opened) throw new Error('nobody listens')
    const line = new BridgeClient(opened)
    await bridge.call('machine.pause', { machine: 'builtin' })
    try {
      await line.call('agentLine.join', { name: 'lines', granted: ['change'], folders: [], waits: false })
      const places = [
        { space: 'ram', address: 0xa000, length: 3 },
        { space: 'ram', address: 0x2000, length: 64 },
        { space: 'cpu', address: 0xcffe, length: 3 },
        { space: 'io', address: 0xd020, length: 2 },
        { space: 'colorRam', address: 0xd800, length: 8 },
      ] as const
      const bytesNow = () =>
        Promise.all(
          places.map(async ({ space, address, length }) => {
            const { bytes } = await bridge.call('memory.read', { machine: 'builtin', space, address, length })
            return [...bytes].map((byte) => (space === 'io' || space === 'colorRam' ? byte & 0x0f : byte))
          }),
        )
      const before = await bytesNow()
      const overlapping = { space: 'ram', address: 0x2020, bytes: filled(8, 0x77) } as const
      const runs = [
        ...places.map(({ space, address, length }) => ({ space, address, bytes: filled(length, 0x33) })),
        overlapping,
      ]
      await line.call('agentLine.begin', { call: 1, title: 'write runs', rights: ['change'], text: '' })
      await currentAgentCall.run(1, () => line.call('memory.writeRuns', { machine: 'builtin', runs }))
      await line.call('agentLine.end', { call: 1, outcome: 'done', message: null })
      expect(await bytesAt(0x2020)).toEqual([0x77])
      expect(await bytesNow()).not.toEqual(before)
      const written = await newestCall()
      expect(written).toMatchObject({ title: 'write runs', undo: 'bytes' })
      await bridge.call('steering.undo', { call: written.call })
      expect(await bytesNow()).toEqual(before)
    } finally {
      line.close()
      await bridge.call('machine.resume', { machine: 'builtin' })
    }
  })

  it('has a program that it ran undone: the machine is where it was before', async () => {
    const client = await agent('--allow', 'change')
    await bridge.call('machine.pause', { machine: 'builtin' })
    const before = await bytesAt(0, 0x10000)
    const registers = await bridge.call('memory.registers', { machine: 'builtin' })
    const source = ' ldx #0\nloop inc $0400,x\n inx\n bne loop\n lda #2\n sta $d020\nstay jmp stay'
    expect(await ask(client, 'run', { op: 'assembly', source, wait_for: '!!' })).toBeDefined()
    const ran = await newestCall()
    expect(ran).toMatchObject({ title: 'run assembly', undo: 'time' })
    await bridge.call('steering.undo', { call: ran.call })
    await bridge.call('machine.pause', { machine: 'builtin' })
    const now = await bytesAt(0, 0x10000)
    expect(now.flatMap((byte, address) => (byte === before[address] ? [] : [address]))).toEqual([])
    expect(await bridge.call('memory.registers', { machine: 'builtin' })).toEqual(registers)
    await bridge.call('machine.resume', { machine: 'builtin' })
  })

  it('may undo its own last change, and then the one before, but nothing of others', async () => {
    const client = await agent('--allow', 'change')
    const undo = () => ask(client, 'machine', { op: 'undo' })
    expect(await undo()).toMatchObject({ isError: true, text: 'You have changed nothing that can be undone.' })
    await bridge.call('memory.write', { machine: 'builtin', space: 'ram', address: 0xc100, bytes: filled(4, 1) })
    await write(client, '$c100', '02 02')
    await write(client, '$c101', '03 03')
    expect(await undo()).toMatchObject({ isError: false, text: '2 bytes put back.' })
    expect(await bytesAt(0xc100, 4)).toEqual([2, 2, 1, 1])
    await undo()
    expect(await bytesAt(0xc100, 4)).toEqual([1, 1, 1, 1])
    expect(await undo()).toMatchObject({ isError: true })
  })

  it('is told when the person takes its machine, hands it back, and pauses it', async () => {
    const client = await agent('--allow', 'change')
    const told: unknown[] = []
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void told.push(params.data))
    await write(client, '$c100', '07')
    await bridge.call('steering.takeOver', { machine: 'builtin' })
    await expect.poll(() => told.at(-1)).toBe('The person took builtin over: look, but do not change it.')
    await bridge.call('steering.handBack', { machine: 'builtin' })
    await expect.poll(() => told.at(-1)).toBe('The person handed builtin back.')
    const [self] = (await state()).agents
    await bridge.call('steering.pause', { agent: self?.agent ?? 0 })
    await expect.poll(() => told.at(-1)).toBe('The person has paused you.')
    await bridge.call('steering.resume', { agent: self?.agent ?? 0 })
    await expect.poll(() => told.at(-1)).toBe('The person lets you go on.')
  })

  it('may not undo while the person has the machine', async () => {
    const client = await agent('--allow', 'change')
    await write(client, '$c100', '07')
    await bridge.call('steering.takeOver', { machine: 'builtin' })
    expect((await ask(client, 'machine', { op: 'undo' })).text).toContain('the person took it over')
    expect(await bytesAt(0xc100)).toEqual([7])
  })

  it('leaves a mark in what is recorded of the machine', async () => {
    const { id } = await bridge.call('tasks.start', {
      name: 'film',
      type: 'background',
      operation: 'record',
      machine: 'builtin',
      intervalMs: 50,
      args: {},
    })
    // What was called before its first frame is no part of it.
    const frames = async () =>
      (await bridge.call('recorder.list', {})).recordings.find(({ recording }) => recording === id)?.frames
    await expect.poll(frames).toBeGreaterThan(0)
    const client = await agent('--allow', 'change')
    await write(client, '$c000', '41')
    await expect
      .poll(async () => (await bridge.call('recorder.marks', { recording: id })).marks.map(({ text }) => text))
      .toEqual(['test: memory write address: $c000, bytes: 41'])
  })

  it.each([
    ['a step back', 'debug', { op: 'back', count: 3 }, 'time'],
    ['a profile of a paused machine', 'debug', { op: 'profile', frames: 1 }, 'time'],
    ['a state that it loads', 'snapshot', { op: 'load_state', file: 'other.bdstate' }, 'state'],
    ['another video standard', 'machine', { op: 'standard', standard: 'ntsc' }, 'state'],
    ['warp', 'machine', { op: 'warp', state: 'on' }, 'warp'],
  ])('has %s undone', async (_, tool, given, undo) => {
    const stateOf = async (): Promise<unknown> => {
      const path = join(calls.folder, 'probe.bdstate')
      await bridge.call('machine.saveState', { machine: 'builtin', path, past: 0 })
      const { machines } = await bridge.call('machine.list', {})
      const { execution, warp, standard } = machines.find(({ machine }) => machine === 'builtin') ?? {}
      return { execution, warp, standard, saved: readFileSync(path).toString('base64') }
    }
    const other = join(calls.folder, 'other.bdstate')
    await bridge.call('machine.saveState', { machine: 'builtin', path: other, past: 0 })
    await bridge.call('machine.pause', { machine: 'builtin' })
    await bridge.call('machine.step', { machine: 'builtin', count: 100, over: false })
    const before = await stateOf()
    const client = await agent('--allow', 'change', '--allow', 'files', '--folder', calls.folder)
    expect(await ask(client, tool, given)).toMatchObject({ isError: false })
    expect(await stateOf()).not.toEqual(before)
    const call = await newestCall()
    expect(call).toMatchObject({ right: 'change', undo })
    await bridge.call('steering.undo', { call: call.call })
    expect(await stateOf()).toEqual(before)
    await bridge.call('machine.resume', { machine: 'builtin' })
  })

  it('may neither answer for the person nor stop others, whatever it is', async () => {
    const { code, stderr } = await calls.run('mcp', '--allow', 'everything')
    expect([code, stderr]).toEqual([2, expect.stringContaining('change, power, connect, files, programs')])
  })
})

const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte)

async function newestCall() {
  const { calls: told } = await bridge.call('steering.calls', { before: null, name: null })
  const [newest] = told
  if (!newest) throw new Error('no agent has called yet')
  return newest
}
