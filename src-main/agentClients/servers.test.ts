import { parse as parseJson } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { clientFiles } from './clientFiles'
import { withServer } from './servers'

const server = { command: '/opt/node', args: ['/opt/cli.mjs', 'mcp', '--allow', 'change'], env: {} }
const moved = { ...server, env: { BRIDGEDECK_DATA: '/home/me/a "b"' } }
const { claude, gemini, codex, vscode, cursor } = clientFiles
const add = (client: typeof claude, before: string | null, entry = server) => withServer(client, before, entry, 'FILE')
const remove = (client: typeof claude, before: string | null) => withServer(client, before, null, 'FILE')

describe('our server in JSON', () => {
  it.each([
    ['Claude Code', claude, { mcpServers: { bridgedeck: { type: 'stdio', command: '/opt/node', args: server.args } } }],
    ['Gemini CLI', gemini, { mcpServers: { bridgedeck: { command: '/opt/node', args: server.args } } }],
    ['VS Code', vscode, { servers: { bridgedeck: { type: 'stdio', command: '/opt/node', args: server.args } } }],
    ['Cursor', cursor, { mcpServers: { bridgedeck: { type: 'stdio', command: '/opt/node', args: server.args } } }],
  ])('is put into a new file of %s as it reads it', (_, client, expected) => {
    expect(JSON.parse(add(client, null) ?? '')).toEqual(expected)
    expect(add(client, ' \n')).toBe(add(client, null))
  })

  const commented =
    '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, // keep\n\t},\n\t"theme": "dark"\n}\n'

  it('comes beside other servers, whose lines and comments stay', () => {
    const after = add(gemini, commented) ?? ''
    for (const kept of ['\t// mine\n', '\t\t"other": { "command": "x" }, // keep\n', '\t},\n\t"theme": "dark"\n}\n'])
      expect(after).toContain(kept)
    expect(parseJson(after)).toMatchObject({
      mcpServers: { other: { command: 'x' }, bridgedeck: { args: server.args } },
    })
    expect(after).toContain('\t\t"bridgedeck"')
  })

  it('keeps byte order mark and line ends', () => {
    const after = add(cursor, '\uFEFF{\r\n  "a": 1\r\n}\r\n') ?? ''
    expect(after).toMatch(/^\uFEFF\{\r\n {2}"a": 1,\r\n/)
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('is changed in place: what the person added to it stays, and nothing is written twice', () => {
    const mine = add(
      gemini,
      '{"mcpServers": {"bridgedeck": {"trust": true, "command": "old", "args": [], "env": {"A": "1"}}}}',
      moved,
    )
    expect(parseJson(mine ?? '')).toEqual({
      mcpServers: {
        bridgedeck: { trust: true, command: '/opt/node', args: server.args, env: { A: '1', ...moved.env } },
      },
    })
    expect(add(gemini, mine, moved)).toBe(mine)
    expect(parseJson(add(gemini, mine) ?? '')).toMatchObject({ mcpServers: { bridgedeck: { env: { A: '1' } } } })
  })

  it('takes the place of one that was reached by an address', () => {
    const after = add(vscode, '{"servers": {"bridgedeck": {"type": "http", "url": "http://127.0.0.1:1"}}}')
    expect(JSON.parse(after ?? '')).toEqual(JSON.parse(add(vscode, null) ?? ''))
  })

  it('is taken out again, and nothing else', () => {
    const before = '{\n  // mine\n  "mcpServers": {\n    "other": {} // keep\n  }\n}\n'
    const after = remove(gemini, add(gemini, before)) ?? ''
    expect(after).toBe(before)
    expect(remove(gemini, before)).toBe(before)
    expect(remove(gemini, null)).toBeNull()
  })

  it.each([
    ['it is no JSON', claude, '{"mcpServers": {'],
    ['comments that its program does not read', claude, '{ /* x */ }'],
    ['a list', claude, '[]'],
    ['servers that are no table', claude, '{"mcpServers": []}'],
    ['an entry that is no table', gemini, '{"mcpServers": {"bridgedeck": "x"}}'],
    ['a key twice', cursor, '{"mcpServers": {}, "mcpServers": {}}'],
  ])('is not put into a file with %s', (_, client, before) => {
    expect(() => add(client, before)).toThrow(/^FILE was not changed/)
  })
})

describe('our server in TOML', () => {
  const others = '# mine\nmodel = "o3" # keep\n\n[mcp_servers.other]\ncommand = "x"\n\n[profiles.a]\nmodel = "m"\n'

  it('comes at the end, and goes again to the byte', () => {
    const after = add(codex, others) ?? ''
    expect(after).toBe(
      `${others}\n[mcp_servers.bridgedeck]\ncommand = "/opt/node"\nargs = [ "/opt/cli.mjs", "mcp", "--allow", "change" ]\n`,
    )
    expect(remove(codex, after)).toBe(others)
    expect(add(codex, after)).toBe(after)
  })

  it('is put into a new file', () => {
    expect(parseToml(add(codex, null, moved) ?? '')).toEqual({
      mcp_servers: { bridgedeck: { command: '/opt/node', args: server.args, env: moved.env } },
    })
  })

  const mine = [
    '[ mcp_servers . "bridgedeck" ] # ours',
    'args = [',
    '  "old", # first',
    '] # of mine',
    "command = 'old'",
    'startup_timeout_sec = 20',
    '',
    '[mcp_servers.bridgedeck.env]',
    '# for me',
    'A = "1"',
    '',
    '# about the next',
    '[profiles.a]',
    'model = "m"',
    '',
  ].join('\r\n')

  it('is changed in place: settings and comments of the person stay', () => {
    const after = add(codex, mine, moved) ?? ''
    for (const kept of ['# ours\r\n', '] # of mine\r\n', 'startup_timeout_sec = 20\r\n', '# for me\r\n', 'A = "1"\r\n'])
      expect(after).toContain(kept)
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
    expect(parseToml(after)).toEqual({
      mcp_servers: {
        bridgedeck: { command: '/opt/node', args: server.args, startup_timeout_sec: 20, env: { A: '1', ...moved.env } },
      },
      profiles: { a: { model: 'm' } },
    })
    expect(parseToml(add(codex, after) ?? '')).toMatchObject({ mcp_servers: { bridgedeck: { env: { A: '1' } } } })
  })

  it('is taken out with the tables in it, and not with the comment on what follows', () => {
    expect(remove(codex, mine)).toBe('\r\n# about the next\r\n[profiles.a]\r\nmodel = "m"\r\n')
  })

  it.each([
    ['is no TOML', 'model = "o3'],
    ['has a list of servers', 'mcp_servers = []'],
    ['has servers in one line', 'mcp_servers = { other = { command = "x" } }'],
    ['has ours with dots in its keys', '[mcp_servers]\nbridgedeck.command = "old"\n'],
    [
      'has our head in a text of many lines',
      'a = """\n[mcp_servers.bridgedeck]\n"""\n[mcp_servers.bridgedeck]\ncommand = "old"\n',
    ],
  ])('is not put into a file that %s', (_, before) => {
    expect(() => add(codex, before)).toThrow(/^FILE was not changed/)
  })
})
