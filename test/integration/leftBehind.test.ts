/** What an agent leaves at a machine when it goes: named to the next one, taken back with one action, or by itself. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CommandLine } from '../support/commandLine'
import { ask, startAgent } from '../support/mcpClient'

let calls: CommandLine
const clients: Client[] = []
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await calls.run('clear-left')
})
afterAll(() => calls.remove())

async function agent(): Promise<Client> {
  const client = await startAgent(calls, '--allow', 'change')
  clients.push(client)
  return client
}

async function leaveAll(): Promise<void> {
  const client = await agent()
  for (const [tool, given] of [
    ['debug', { op: 'checkpoint', range: '$c000' }],
    ['memory', { op: 'freeze', address: '$c100', value: 7 }],
    ['machine', { op: 'warp', state: 'on' }],
    ['machine', { op: 'pause' }],
  ] as const)
    expect(await ask(client, tool, given)).toMatchObject({ isError: false })
  await client.close()
  clients.splice(0)
}

const status = async () => (await calls.run('status')).stdout

describe('what an agent leaves at a machine', () => {
  it('is named to the next one, which takes it back in one call', async () => {
    await leaveAll()
    const next = await agent()
    await expect
      .poll(async () => (await ask(next, 'machine', { op: 'state' })).text)
      .toMatch(/left it paused, in warp, with 1 checkpoint \(\d+\), with \$C100 frozen\./)
    expect((await ask(next, 'machine', { op: 'clear_left' })).text).toContain('Taken back: paused, in warp')
    expect((await ask(next, 'machine', { op: 'state' })).text).not.toContain('left it')
    expect(await calls.data('checkpoints')).toMatchObject({ checkpoints: [] })
    expect(await calls.data('value', 'list')).toMatchObject({ frozen: [] })
    expect(await calls.data('status')).toMatchObject({ execution: 'running', warp: false, left: [] })
  })

  it('has the keys and joysticks that it holds, and slow motion', async () => {
    const client = await agent()
    for (const [tool, given] of [
      ['type', { op: 'keys', keys: ['space', 'left_shift'], keep: true }],
      ['type', { op: 'joystick', inputs: ['left', 'fire'], port: 2, keep: true }],
      ['type', { op: 'joystick', inputs: ['up'], port: 1, keep: true }],
      ['machine', { op: 'resume', slow: 1000 }],
    ] as const)
      expect(await ask(client, tool, given)).toMatchObject({ isError: false })
    await client.close()
    clients.splice(0)
    await expect
      .poll(status)
      .toContain(
        'left it in slow motion, with space and left_shift held, with left and fire held in port 2, with up held in port 1.',
      )
    await calls.data('joystick', 'none', '--port', '1')
    expect(await status()).not.toContain('port 1')
    expect((await calls.run('clear-left')).stdout).toContain('Taken back: in slow motion, with space and left_shift')
    expect(await calls.data('status')).toMatchObject({ left: [], execution: 'running' })
    // The KERNAL sees no key: SFDX is 64.
    await expect.poll(() => calls.data('read', '--address', '$CB', '--length', '1')).toMatchObject({ bytes: '40' })
  })

  it('is nothing where it tidied up itself', async () => {
    const client = await agent()
    await ask(client, 'machine', { op: 'pause' })
    await ask(client, 'machine', { op: 'resume' })
    await client.close()
    clients.splice(0)
    await wait(200)
    expect(await status()).not.toContain('left it')
  })

  it('is taken back when it goes, where the person wants that', async () => {
    await calls.data('setting', 'set', 'agentsLeave', 'takeBack')
    await leaveAll()
    await expect.poll(() => calls.data('status')).toMatchObject({ execution: 'running', warp: false, left: [] })
    await calls.data('setting', 'set', 'agentsLeave', 'name')
    expect(await calls.data('checkpoints')).toMatchObject({ checkpoints: [] })
  })

  it('is told where there is nothing to take back', async () => {
    expect((await calls.run('clear-left')).stdout).toContain('No agent left anything at builtin.')
  })
})
