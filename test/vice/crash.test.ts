import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BridgeClient } from '../../src-main/bridge/client'
import { connect, socketPath } from '../../src-main/bridge/socket'
import { openDatabase } from '../../src-main/storage/database'
import { ChildStore } from '../../src-main/storage/children'
import { lacks } from '../support/parts'

let data: string
let bridge: ChildProcess | undefined
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'bridgedeck-crash-'))
})
afterEach(async () => {
  await end('SIGTERM')
  rmSync(data, { recursive: true, force: true })
})

async function startBridge(): Promise<BridgeClient> {
  bridge = fork(resolve('out/main/bridge.cjs'), {
    env: { ...process.env, BRIDGEDECK_DATA: data },
    serialization: 'advanced',
  })
  // Its first message says that it is ready, and by then it listens.
  await once(bridge, 'message')
  const line = await connect(socketPath(data))
  if (!line) throw new Error('the bridge does not listen')
  return new BridgeClient(line)
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!bridge || bridge.exitCode !== null || bridge.signalCode !== null) return
  bridge.kill(signal)
  await once(bridge, 'exit')
}

function runningVices(): number[] {
  const database = openDatabase(join(data, 'bridgedeck.sqlite'))
  const pids = new ChildStore(database).reconcile().map(({ pid }) => pid)
  database.close()
  return pids
}

describe.skipIf(lacks('vice', 'xvfb'))('a VICE of ours and a bridge that is killed', () => {
  it('is attached again by the next bridge, with what runs in it, and ends with that one', async () => {
    const first = await startBridge()
    await first.call('machine.connect', { machine: 'vice' })
    await first.call('memory.write', { machine: 'vice', space: 'ram', address: 0xc000, bytes: Uint8Array.of(0xa5) })
    const [pid] = runningVices()
    expect(pid).toBeGreaterThan(0)
    await end('SIGKILL')
    expect(runningVices()).toEqual([pid])

    const second = await startBridge()
    await second.call('machine.connect', { machine: 'vice' })
    const { bytes } = await second.call('memory.read', { machine: 'vice', space: 'ram', address: 0xc000, length: 1 })
    expect(bytes[0]).toBe(0xa5)
    expect(runningVices()).toEqual([pid])
    await end('SIGTERM')
    expect(runningVices()).toEqual([])
  })
})
