/** What agents change on VICE, undone: a bridge of a window, a real VICE, and the built server. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'
import { ask, startAgent } from '../support/mcpClient'
import { lacks } from '../support/parts'
import { RealBridge } from '../support/realBridge'
import { startVice, type RunningVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('an agent at VICE', () => {
  let calls: CommandLine
  let bridge: RealBridge
  let client: Client
  let vice: RunningVice
  let machine: string
  beforeAll(async () => {
    vice = await startVice()
    machine = `vice:${vice.port}`
    calls = new CommandLine()
    mkdirSync(join(calls.folder, 'home'), { recursive: true })
    bridge = await RealBridge.start(calls, { HOME: calls.folder })
    await bridge.call('machine.connect', { machine })
    client = await startAgent(calls, '--allow', 'change')
    await ask(client, 'see', { op: 'screen', machine, wait_for: 'READY.' })
  })
  afterAll(async () => {
    await client.close()
    await bridge.stop()
    await calls.remove()
    await vice.stop()
  })

  const ram = async (): Promise<Uint8Array> =>
    (await bridge.call('memory.read', { machine, space: 'ram', address: 0, length: 0x10000 })).bytes

  async function undoNewest(): Promise<string> {
    const [newest] = (await bridge.call('steering.calls', { before: null, name: null })).calls
    return (await bridge.call('steering.undo', { call: newest?.call ?? 0 })).text
  }

  it('has its writes undone to the byte', async () => {
    await bridge.call('machine.pause', { machine })
    const before = await ram()
    await ask(client, 'memory', { op: 'write', machine, address: '$0400', bytes: '01 02 03' })
    await ask(client, 'memory', { op: 'write', machine, address: '$e000', bytes: '04 05' })
    expect(Buffer.from(await ram()).equals(before)).toBe(false)
    const [, first] = (await bridge.call('steering.calls', { before: null, name: null })).calls
    expect((await bridge.call('steering.undo', { call: first?.call ?? 0 })).text).toBe('5 bytes put back.')
    expect(Buffer.from(await ram()).equals(before)).toBe(true)
    await bridge.call('machine.resume', { machine })
  })

  it('has the RAM put back under a program that it ran', async () => {
    await bridge.call('memory.write', { machine, space: 'ram', address: 0xc000, bytes: Uint8Array.of(1, 2, 3) })
    const source = '* = $c000\n lda #9\n sta $c100\nstay jmp stay'
    expect(await ask(client, 'run', { op: 'assembly', machine, source })).toMatchObject({ isError: false })
    await expect
      .poll(async () => [...(await ram()).subarray(0xc000, 0xc002)], { timeout: 30_000, interval: 100 })
      .toEqual([0xa9, 9])
    expect(await undoNewest()).toMatch(/^\d+ bytes put back\.$/)
    expect([...(await ram()).subarray(0xc000, 0xc003)]).toEqual([1, 2, 3])
  })
})
