/** What Bridgedeck writes is its user's alone, whatever the umask, and what version 0.1 left open is closed. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BridgeClient } from '../../src-main/bridge/client'
import { createBridge } from '../../src-main/bridge/createBridge'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { listen, socketPath } from '../../src-main/bridge/socket'
import { memoryTransport } from '../../src-main/rpc/transport'

let folder: string
let mask: number
let bridge: Bridge
let client: BridgeClient
const data = () => join(folder, 'data')
const home = () => join(folder, 'home/.c64bridge')

function start(): void {
  bridge = createBridge({
    dataFolder: data(),
    resources: resolve('out/resources/c64'),
    workerPath: resolve('out/main/builtinWorker.cjs'),
    recorderPath: resolve('out/main/recorderWorker.cjs'),
    lifetime: 'window',
    taskFolder: home(),
    log: () => undefined,
    environment: { C64BRIDGE_CONFIG: join(folder, 'none.json') },
  })
  const transport = memoryTransport()
  client = new BridgeClient(transport.control)
  serve(bridge, transport.bridge, () => undefined)
}

async function stop(): Promise<void> {
  client.close()
  await bridge.close()
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-private-'))
  mkdirSync(join(folder, 'home'))
  // What every distribution gives its users, or more.
  mask = process.umask(0)
  start()
})
afterEach(async () => {
  await stop()
  process.umask(mask)
  rmSync(folder, { recursive: true, force: true })
})

/** What others may read, write or open below a folder. */
function openToOthers(root: string): string[] {
  const paths = [root, ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))]
  return paths.filter((path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077)
}

async function work(): Promise<void> {
  const machine = 'builtin'
  await client.call('machine.connect', { machine })
  const recurring = { type: 'background', machine, intervalMs: 100, maxIterations: 3 } as const
  for (const [operation, args] of [
    ['record', {}],
    ['read', { address: '$A0', length: 2 }],
  ] as const) {
    const { id } = await client.call('tasks.start', { ...recurring, operation, name: operation, args })
    await expect
      .poll(async () => (await client.call('tasks.show', { id })).task.status, { timeout: 30_000 })
      .not.toBe('running')
  }
  await client.call('settings.set', { standard: 'ntsc' })
}

describe.runIf(process.platform !== 'win32')('on a fresh home', () => {
  it('all files and folders are private: database, recordings, task folders, locks and socket', async () => {
    const socket = await listen(bridge, socketPath(data()))
    await work()
    expect(openToOthers(data())).toEqual([])
    expect(openToOthers(home())).toEqual([])
    expect(readdirSync(home(), { recursive: true, encoding: 'utf8' }).join()).toMatch(
      /runs\.ndjson.*recording|recording.*runs\.ndjson/,
    )
    await socket.close()
  })
})

describe.runIf(process.platform !== 'win32')('on a home that version 0.1 left open', () => {
  it('what is Bridgedeck’s is closed at the start; what other programs made stays, links too', async () => {
    await work()
    await stop()
    const foreign = join(home(), 'tasks/background/0099_theirs')
    mkdirSync(foreign, { recursive: true })
    writeFileSync(join(foreign, 'task.json'), '{"id":"0099_theirs"}')
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, '')
    for (const root of [data(), home()])
      for (const path of [root, ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((n) => join(root, n))])
        chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
    symlinkSync(elsewhere, join(data(), 'link'))
    start()
    await client.call('tasks.list', { after: null })
    await expect.poll(() => openToOthers(data())).toEqual([join(data(), 'link')])
    const ours = openToOthers(home()).filter((path) => path.includes('background/0001_record'))
    expect(ours).toEqual([])
    expect(statSync(foreign).mode & 0o777).toBe(0o755)
    expect(statSync(join(foreign, 'task.json')).mode & 0o777).toBe(0o644)
    expect(statSync(home()).mode & 0o777).toBe(0o755)
    expect(statSync(elsewhere).mode & 0o777).toBe(0o666)
  })
})
