import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClientConfiguration } from './clientConfiguration'

let home: string
let configuration: ClientConfiguration
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bridgedeck-home-'))
  configuration = new ClientConfiguration({}, home)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const server = { command: '/opt/node', args: ['mcp'], env: {} }
const file = () => join(home, '.claude.json')
const read = (path = file()): unknown => JSON.parse(readFileSync(path, 'utf8'))

describe('the configuration of a client', () => {
  it('is shown before it is written, and written for its owner alone where it is new', async () => {
    const change = { client: 'claude', server } as const
    const { file: shown, preview } = await configuration.preview(change)
    expect(shown).toBe('~/.claude.json')
    expect(preview.files).toMatchObject([{ file: '~/.claude.json', kind: 'created' }])
    expect(() => statSync(file())).toThrow()
    await configuration.write(change, preview.token)
    expect(read()).toEqual({ mcpServers: { bridgedeck: { type: 'stdio', command: '/opt/node', args: ['mcp'] } } })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect((await configuration.preview(change)).preview.files).toEqual([])
  })

  it('is reached through links, which stay, as its permissions do', async () => {
    mkdirSync(join(home, 'dotfiles'))
    writeFileSync(join(home, 'dotfiles', 'claude.json'), '{"theme": "dark"}')
    chmodSync(join(home, 'dotfiles', 'claude.json'), 0o640)
    symlinkSync('dotfiles/claude.json', file())
    symlinkSync('dotfiles', join(home, '.codex'))
    for (const client of ['claude', 'codex'] as const) {
      const { preview } = await configuration.preview({ client, server })
      await configuration.write({ client, server }, preview.token)
    }
    expect(lstatSync(file()).isSymbolicLink()).toBe(true)
    expect(statSync(file()).mode & 0o777).toBe(0o640)
    expect(read()).toMatchObject({ theme: 'dark', mcpServers: { bridgedeck: {} } })
    expect(readFileSync(join(home, 'dotfiles', 'config.toml'), 'utf8')).toContain('[mcp_servers.bridgedeck]')
  })

  it('may have changed elsewhere since it was shown', async () => {
    writeFileSync(file(), '{\n  "numStartups": 1\n}\n')
    const { preview } = await configuration.preview({ client: 'claude', server })
    writeFileSync(file(), '{\n  "tips": {},\n  "numStartups": 2\n}\n')
    await configuration.write({ client: 'claude', server }, preview.token)
    expect(read()).toMatchObject({ tips: {}, numStartups: 2, mcpServers: { bridgedeck: {} } })
  })

  it('is left alone where the change would be another one by now', async () => {
    const { preview } = await configuration.preview({ client: 'claude', server })
    const theirs = '{"mcpServers": {"bridgedeck": {"command": "theirs", "args": []}}}'
    writeFileSync(file(), theirs)
    await expect(configuration.write({ client: 'claude', server }, preview.token)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(readFileSync(file(), 'utf8')).toBe(theirs)
  })

  it.each([
    ['is broken', () => writeFileSync(file(), '{"a": ')],
    ['is a folder', () => mkdirSync(file())],
    ['is a link that leads nowhere', () => symlinkSync('nowhere', file())],
    ['is no text', () => writeFileSync(file(), Buffer.from([0x7b, 0xff, 0x7d]))],
  ])('is left alone where it %s', async (_, make) => {
    make()
    await expect(configuration.preview({ client: 'claude', server })).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('of a project stays in it, and says that its paths are of this computer', async () => {
    const project = join(home, 'game')
    mkdirSync(project)
    const change = { client: 'vscode', project, server } as const
    const { file: shown, preview } = await configuration.preview(change)
    expect([shown, preview.warnings.length]).toEqual(['.vscode/mcp.json', 1])
    await configuration.write(change, preview.token)
    expect(read(join(project, '.vscode/mcp.json'))).toMatchObject({ servers: { bridgedeck: {} } })
    symlinkSync(home, join(project, '.cursor'))
    await expect(configuration.preview({ client: 'cursor', project, server })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  it('is where the environment says', async () => {
    const moved = new ClientConfiguration(
      { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', GEMINI_CLI_HOME: '/g', XDG_CONFIG_HOME: '/s', APPDATA: '/s' },
      home,
    )
    const shown = await Promise.all(
      (['claude', 'gemini', 'codex'] as const).map(async (client) => (await moved.preview({ client, server })).file),
    )
    expect(shown).toEqual(['/c/.claude.json', '/g/.gemini/settings.json', '/x/config.toml'])
  })
})
