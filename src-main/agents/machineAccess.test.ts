import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Agent } from '@shared/contract/agents'
import { parse } from 'smol-toml'
import { suggestedAgent } from './agentSetups'
import { giveMachines } from './machineAccess'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-access-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const give = (agent: Partial<Agent>) =>
  giveMachines(
    { ...suggestedAgent(agent.preset ?? 'custom'), ...agent },
    { title: 'coder, 02-01', folder: '/a game', file: join(folder, 'machines.json'), home: join(folder, 'home') },
    (options) => ({ command: '/opt/node', args: ['cli.mjs', 'mcp', ...options], env: { BRIDGEDECK_DATA: '/d' } }),
  )
const written = (): unknown => JSON.parse(readFileSync(join(folder, 'machines.json'), 'utf8'))
const args = ['cli.mjs', 'mcp', '--folder', '/a game', '--name', 'coder, 02-01']
const server = { command: '/opt/node', args, env: { BRIDGEDECK_DATA: '/d' } }

describe('an agent that is started', () => {
  it('may look where nothing else was set, and finds the command in its environment', () => {
    expect(give({})).toEqual({
      args: [],
      environment: {
        BRIDGEDECK_DATA: '/d',
        BRIDGEDECK_MCP: "/opt/node cli.mjs mcp --folder '/a game' --name 'coder, 02-01'",
      },
    })
  })

  it('gets nothing where it may have none, and more where it may do more', () => {
    expect(give({ machines: 'none' })).toEqual({ args: [], environment: {} })
    expect(give({ machines: 'change' }).environment['BRIDGEDECK_MCP']).toContain(
      '--allow change --allow files --folder',
    )
    expect(give({ machines: 'power' }).environment['BRIDGEDECK_MCP']).toContain('--allow power')
  })

  it('as Claude Code has a file and may use its tools, unless the person passes settings', () => {
    expect(give({ preset: 'claude' }).args).toEqual([
      '--settings',
      '{"permissions":{"allow":["mcp__bridgedeck"]}}',
      '--mcp-config',
      join(folder, 'machines.json'),
    ])
    expect(written()).toEqual({ mcpServers: { bridgedeck: { type: 'stdio', ...server } } })
    expect(give({ preset: 'claude', args: ['--settings', 'mine.json'] }).args).toEqual([
      '--mcp-config',
      join(folder, 'machines.json'),
    ])
  })

  it('as Gemini CLI has a home of its own, with the person’s settings and ours', () => {
    const own = join(folder, 'own')
    mkdirSync(join(own, '.gemini'), { recursive: true })
    writeFileSync(join(own, '.gemini/settings.json'), '{"ui": {"theme": "Dark"}}')
    vi.stubEnv('GEMINI_CLI_HOME', own)
    const { environment } = give({ preset: 'gemini', environment: ['GEMINI_CLI_HOME'] })
    expect(environment['GEMINI_CLI_HOME']).toBe(join(folder, 'home'))
    expect(JSON.parse(readFileSync(join(folder, 'home/.gemini/settings.json'), 'utf8'))).toEqual({
      ui: { theme: 'Dark' },
      mcpServers: { bridgedeck: { ...server, trust: true } },
    })
  })

  it('as Gemini CLI with settings that cannot be read has no tools, and the reason is told', () => {
    mkdirSync(join(folder, '.gemini'))
    writeFileSync(join(folder, '.gemini/settings.json'), '{"ui": {')
    vi.stubEnv('GEMINI_CLI_HOME', folder)
    const { environment, refusal } = give({ preset: 'gemini', environment: ['GEMINI_CLI_HOME'] })
    expect(environment).not.toHaveProperty('GEMINI_CLI_HOME')
    expect(refusal).toContain(join(folder, '.gemini/settings.json'))
  })

  it('as Codex CLI has settings on its command line', () => {
    const given = give({ preset: 'codex' }).args.filter((word) => word !== '-c')
    expect(parse(given.join('\n'))).toEqual({
      mcp_servers: { bridgedeck: { ...server, default_tools_approval_mode: 'approve' } },
    })
  })

  it('as OpenCode has a configuration in its environment', () => {
    expect(JSON.parse(give({ preset: 'opencode' }).environment['OPENCODE_CONFIG_CONTENT'] ?? '')).toEqual({
      mcp: {
        bridgedeck: { type: 'local', command: ['/opt/node', ...args], environment: server.env, enabled: true },
      },
    })
  })
})
