/** `bridgedeck mcp install`: what it writes is what starts the server, from anywhere. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CommandLine } from '../support/commandLine'
import { ask } from '../support/mcpClient'

let calls: CommandLine
beforeEach(() => {
  calls = new CommandLine()
  calls.environment['GEMINI_CLI_HOME'] = ''
})
afterEach(() => calls.remove())

const configuration = z.object({
  mcpServers: z.object({
    bridgedeck: z.object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  }),
})
const file = () => join(calls.folder, '.gemini', 'settings.json')

describe('bridgedeck mcp install', () => {
  it('only shows the change where nobody can be asked', async () => {
    const { code, stdout } = await calls.run('mcp', 'install', 'gemini', '--allow', 'change')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\+.*"bridgedeck": \{$/m)
    expect(stdout).toContain('--yes')
    expect(existsSync(file())).toBe(false)
  })

  it('writes an entry that starts the server from any folder, with nothing on the PATH and the same data', async () => {
    await calls.data('mcp', 'install', 'gemini', '--allow', 'change', '--yes')
    const { command, args, env } = configuration.parse(JSON.parse(readFileSync(file(), 'utf8'))).mcpServers.bridgedeck
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...env, HOME: calls.folder, PATH: '/nowhere' }, cwd: tmpdir() }),
    )
    try {
      const written = await ask(client, 'memory', { op: 'write', address: '$c000', bytes: '2a' })
      expect(written).toMatchObject({ isError: false })
      expect(await calls.data('bridge', 'status')).toMatchObject({ running: true })
    } finally {
      await client.close()
    }
  })

  it('says so where the entry is there already, and takes it out again', async () => {
    await calls.run('mcp', 'install', 'gemini', '--yes')
    expect(await calls.data('mcp', 'install', 'gemini')).toMatchObject({ preview: { files: [] }, written: false })
    expect(await calls.data('mcp', 'install', 'gemini', '--remove', '--yes')).toMatchObject({ written: true })
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ mcpServers: {} })
  })

  it('leaves a broken file alone, and says where the fault is', async () => {
    await calls.run('mcp', 'install', 'gemini', '--yes')
    writeFileSync(file(), '{\n  "mcpServers": {{}\n}')
    const { code, stderr } = await calls.run('mcp', 'install', 'gemini', '--yes')
    expect([code, stderr]).toEqual([1, expect.stringContaining('line 2')])
    expect(readFileSync(file(), 'utf8')).toBe('{\n  "mcpServers": {{}\n}')
  })
})
