/** Disks that are full or read-only, and a home that may not be written: a sentence each, and nothing that was kept is lost. */
import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BridgeClient } from '../../src-main/bridge/client'
import { fromBridgeSchema } from '../../src-main/bridge/messages'
import { connect, socketPath } from '../../src-main/bridge/socket'
import { Recorder } from '../../src-main/recorder/recorder'
import { callHere, type Ended } from '../support/callHere'
import { startProcess } from '../support/callProcess'
import { mayMount, smallDisk, type SmallDisk } from '../support/smallDisk'

const FULL = /disk is full/

let disk: SmallDisk
let bridge: ChildProcess | undefined

const isLinux = process.platform === 'linux'
const hasDisks = isLinux && mayMount()
const inNamespace = process.env['BRIDGEDECK_IN_NAMESPACE'] === '1'
const mustUseNamespace = isLinux && !hasDisks

/** Where a disk needs a namespace, the file runs once more in one, with these. */
const describeOnDisk = mustUseNamespace ? () => undefined : describe.runIf(isLinux)

if (mustUseNamespace)
  it('a user who may not mount a small disk may in a user namespace, where this file runs once more', async () => {
    if (inNamespace) throw new Error('This computer allows no mount, in a user namespace neither.')
    const vitest = resolve('node_modules/vitest/vitest.mjs')
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
    const run = await new Promise<Run>((done) => {
      const child = execFile(
        'unshare',
        ['-Urm', process.execPath, vitest, 'run', '--project', 'integration', 'test/integration/fullDisk.test.ts'],
        { env: { ...Object.fromEntries(own), BRIDGEDECK_IN_NAMESPACE: '1' } },
        (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, text: stdout + stderr }),
      )
    })
    expect(run.text).toMatch(/passed/)
    expect(run.code).toBe(0)
  })

const useSmallDisk = () => {
  beforeEach(() => {
    disk = smallDisk(40)
  })
  afterEach(removeDisk)
}

async function removeDisk(): Promise<void> {
  bridge?.kill('SIGKILL')
  if (bridge && bridge.exitCode === null && bridge.signalCode === null) await once(bridge, 'exit')
  bridge = undefined
  disk.remove()
}

const data = () => join(disk.path, 'data')
const home = () => join(disk.path, 'home')

/** Its first message. */
async function startBridge(): Promise<{ kind: string; text: string }> {
  bridge = fork(resolve('out/main/bridge.cjs'), {
    env: { ...process.env, BRIDGEDECK_DATA: data(), C64_TASK_STATE_FILE: join(home(), 'tasks.json') },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const [raw] = (await once(bridge, 'message')) as [{ message: unknown }]
  const message = fromBridgeSchema.parse(raw.message)
  return {
    kind: message.kind,
    text: message.kind === 'failed' ? `${message.error.message} ${message.error.hint ?? ''}` : '',
  }
}

async function client(): Promise<BridgeClient> {
  const line = await connect(socketPath(data()))
  if (!line) throw new Error('nobody listens')
  return new BridgeClient(line)
}

interface Run {
  readonly code: number
  readonly text: string
}

const machines = (dataFolder: string): Promise<Ended> =>
  callHere(['machines'], { environment: { ...process.env, BRIDGEDECK_DATA: dataFolder } })

describeOnDisk('a disk without space', () => {
  useSmallDisk()

  it('keeps the bridge from starting with a sentence about the disk', async () => {
    mkdirSync(data(), { mode: 0o700 })
    disk.fill()
    const { kind, text } = await startBridge()
    expect(kind).toBe('failed')
    expect(text).toMatch(FULL)
    expect(text).toContain('Free some space')
  })

  it('is named by the command line', async () => {
    mkdirSync(data(), { mode: 0o700 })
    disk.fill()
    expect(await machines(data())).toMatchObject({ code: 1, stderr: expect.stringMatching(FULL) as string })
  })

  it('still lets the command line list and delete', async () => {
    const call = (...words: readonly string[]) =>
      callHere(words, { environment: { ...process.env, BRIDGEDECK_DATA: data(), HOME: home(), INIT_CWD: disk.path } })
    mkdirSync(home(), { mode: 0o700 })
    mkdirSync(join(disk.path, 'project'))
    writeFileSync(join(disk.path, 'memory.prg'), Uint8Array.of(0, 0xc0, 1, 2, 3))
    for (const name of ['one', 'two'])
      expect(await call('snapshot', 'import', 'memory.prg', name)).toMatchObject({ code: 0 })
    expect(await call('project', 'trust', 'project', '--yes')).toMatchObject({ code: 0 })
    disk.fill()
    expect(await call('snapshot', 'delete', 'one')).toMatchObject({ code: 0, stderr: '' })
    const { stdout, code } = await call('snapshot', 'list')
    expect(code).toBe(0)
    expect(stdout).toContain('two')
    expect(stdout).not.toContain('one')
    for (const list of [
      ['project', 'needs', 'project'],
      ['recording', 'list'],
      ['task', 'list'],
      ['machine', 'list'],
    ])
      expect(await call(...list), list.join(' ')).toMatchObject({ code: 0, stderr: '' })
    disk.free()
    expect(await call('snapshot', 'import', 'memory.prg', 'three')).toMatchObject({ code: 0 })
  })

  it('is survived by a running bridge, which says so in each answer and goes on when there is space again', async () => {
    expect((await startBridge()).kind).toBe('ready')
    const caller = await client()
    const machine = 'builtin'
    await caller.call('machine.connect', { machine })
    const watching = await caller.call('tasks.start', {
      name: 'watch',
      type: 'background',
      operation: 'read',
      machine,
      intervalMs: 50,
      args: { address: '$0400' },
    })
    disk.fill()
    await expect(caller.call('settings.set', { standard: 'ntsc' })).rejects.toThrow(FULL)
    await expect(
      caller.call('tasks.start', {
        name: 'more',
        type: 'foreground',
        operation: 'read',
        machine,
        args: { address: '$0400' },
      }),
    ).rejects.toThrow(FULL)
    const runs = async () => (await caller.call('tasks.show', { id: watching.id })).task.iterations ?? 0
    const before = await runs()
    await expect.poll(runs).toBeGreaterThan(before + 5)
    disk.free()
    expect(await caller.call('settings.set', { standard: 'ntsc' })).toMatchObject({ standard: 'ntsc' })
    await caller.call('tasks.stop', { id: watching.id })
    expect(readFileSync(join(home(), 'tasks/background', watching.id, 'task.json'), 'utf8')).toContain('"stopped"')
    caller.close()
    expect(bridge?.exitCode).toBeNull()
  })

  it('ends a task that records with the reason, and its frames are kept', async () => {
    expect((await startBridge()).kind).toBe('ready')
    const caller = await client()
    const machine = 'builtin'
    await caller.call('machine.connect', { machine })
    const { id } = await caller.call('tasks.start', {
      name: 'film',
      type: 'background',
      operation: 'record',
      machine,
      intervalMs: 50,
      args: {},
    })
    const task = async () => (await caller.call('tasks.show', { id })).task
    await expect.poll(async () => (await task()).iterations).toBeGreaterThan(3)
    const { recordings } = await caller.call('recorder.list', {})
    const recording = recordings.find(({ name }) => name.includes('film'))?.recording
    expect(recording).toBeDefined()
    if (recording === undefined) return
    const { frames } = await caller.call('recorder.info', { recording })
    expect(frames).toBeGreaterThan(0)
    disk.fill()
    await expect.poll(async () => (await task()).status, { timeout: 60_000 }).toBe('error')
    expect((await task()).lastError).toMatch(FULL)
    disk.free()
    expect((await caller.call('recorder.info', { recording })).frames).toBeGreaterThanOrEqual(frames)
    await expect
      .poll(() => readFileSync(join(home(), 'tasks/background', id, 'task.json'), 'utf8'), { timeout: 15_000 })
      .toContain('"error"')
    caller.close()
  })

  it('ends a recording, which keeps what it has and says why', async () => {
    const recorder = new Recorder(resolve('out/main/recorderWorker.cjs'))
    const file = join(disk.path, 'recording.sqlite')
    const recording = await recorder.open(file)
    const append = (seq: number) =>
      recording.append({
        machine: 'builtin',
        epoch: 1,
        seq,
        time: seq * 20,
        segments: [
          { space: 'ram', address: 0, bytes: Uint8Array.from({ length: 4096 }, (_, at) => (at * 31 + seq * seq) >> 3) },
        ],
      })
    for (let seq = 1; seq <= 20; seq++) append(seq)
    await recorder.query('info', { path: file })
    disk.fill(256 * 1024)
    let seq = 20
    await expect
      .poll(
        () => {
          for (let count = 0; count < 20; count++) append(++seq)
          return recording.state.failure?.message
        },
        { timeout: 30_000 },
      )
      .toMatch(FULL)
    expect(recording.state.failure?.hint).toContain('kept')
    const { frames } = recording.state
    expect(frames).toBeGreaterThanOrEqual(20)
    expect(frames).toBeLessThan(seq)
    await recording.close()
    disk.free()
    expect(await recorder.query('info', { path: file })).toMatchObject({ frames })
    await recorder.close()
  })
})

describeOnDisk('a disk that is read-only', () => {
  useSmallDisk()

  it('keeps the bridge from starting with a sentence, and the command line too', async () => {
    mkdirSync(data(), { mode: 0o700 })
    disk.remount('ro')
    const { kind, text } = await startBridge()
    expect(kind).toBe('failed')
    expect(text).toMatch(/read-only|cannot be opened/)
    expect(await machines(data())).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/read-only|cannot be opened/) as string,
    })
  })
})

// The root of a namespace may write everywhere, and be nobody else.
describe.runIf(process.platform !== 'win32' && !inNamespace)('a home that may not be written', () => {
  it('is named with what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-home-'))
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(folder, 0, 0)
    chmodSync(folder, 0o555)
    const { code, stderr } = await startProcess(['machines'], {
      environment: { ...process.env, BRIDGEDECK_DATA: join(folder, 'data') },
      user: isRoot ? 65_534 : undefined,
    }).ended
    rmSync(folder, { recursive: true, force: true })
    expect(stderr).toMatch(/no permission/)
    expect(code).toBe(8)
  })
})

describe.runIf(process.platform !== 'win32')('a command that may open few files', () => {
  it('says so, or works', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-descriptors-'))
    try {
      const environment = { PATH: process.env.PATH, HOME: folder, BRIDGEDECK_DATA: join(folder, 'data') }
      const listing = [process.execPath, resolve('out/main/cli.cjs'), 'task', 'list']
      let refused = 0
      for (const files of ['22', '24', '26', '28', '64']) {
        const { code, text } = await new Promise<Run>((done) => {
          const child = execFile(
            'sh',
            ['-c', 'ulimit -n "$1"; shift; exec "$@"', 'sh', files, ...listing],
            { env: environment },
            (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, text: stdout + stderr }),
          )
        })
        if (code !== 0) {
          refused++
          expect(text).toMatch(/^[^\n]+ulimit -n[^\n]+\n$/)
        } else expect(text).toContain('There are no tasks')
      }
      expect(refused).toBeGreaterThan(0)
      expect(refused).toBeLessThan(5)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
