import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeGeminiHome } from './geminiHome'

const server = { command: '/opt/node', args: ['mcp'], env: {} }
const ours = { mcpServers: { bridgedeck: { ...server, trust: true } } }

let top: string
let own: string
let home: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bridgedeck-gemini-home-'))
  own = join(top, 'own')
  home = join(top, 'run/home')
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function put(name: string, text: string): void {
  const path = join(own, '.gemini', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const read = (name: string) => readFileSync(join(home, '.gemini', name), 'utf8')
const settings = (): unknown => JSON.parse(read('settings.json'))
const make = () => makeGeminiHome(home, server, own)

describe('a home of Gemini CLI for one run', () => {
  it('has our server alone where the person has no settings', () => {
    expect(make()).toEqual({ home })
    expect(settings()).toEqual(ours)
  })

  it('keeps the person’s settings, with comments, and their other servers', () => {
    put(
      'settings.json',
      '{\n  // mine\n  "ui": { "theme": "$THEME" },\n  "mcpServers": { "mine": { "command": "m" } }\n}\n',
    )
    expect(make()).toEqual({ home })
    expect(settings()).toEqual({
      ui: { theme: '$THEME' },
      mcpServers: { mine: { command: 'm' }, ...ours.mcpServers },
    })
  })

  it('leads to the person’s other files, so that what is written there is theirs', () => {
    put('GEMINI.md', 'Write tests.\n')
    put('extensions/one/gemini-extension.json', '{}')
    make()
    expect(read('extensions/one/gemini-extension.json')).toBe('{}')
    writeFileSync(join(home, '.gemini/GEMINI.md'), 'Write more tests.\n')
    expect(readFileSync(join(own, '.gemini/GEMINI.md'), 'utf8')).toBe('Write more tests.\n')
  })

  it('leaves the person’s files where they are when it is removed', () => {
    put('GEMINI.md', 'Write tests.\n')
    put('extensions/one/gemini-extension.json', '{}')
    make()
    rmSync(home, { recursive: true })
    expect(existsSync(join(own, '.gemini/extensions/one/gemini-extension.json'))).toBe(true)
    expect(existsSync(join(own, '.gemini/GEMINI.md'))).toBe(true)
  })

  it.skipIf(process.platform === 'win32')('can be read by the person alone', () => {
    put('settings.json', '{"mcpServers": {"mine": {"env": {"KEY": "secret"}}}}')
    make()
    expect(statSync(join(home, '.gemini')).mode & 0o777).toBe(0o700)
    expect(statSync(join(home, '.gemini/settings.json')).mode & 0o777).toBe(0o600)
  })

  it('allows our server where the person allows some by name', () => {
    put('settings.json', '{"mcp": {"allowed": ["mine"]}}')
    make()
    expect(settings()).toEqual({ mcp: { allowed: ['mine', 'bridgedeck'] }, ...ours })
  })

  it('is not made where the person’s own settings have our server', () => {
    put('settings.json', '{"mcpServers": {"bridgedeck": {"command": "mine"}}}')
    expect(make()).toBe('has one')
    expect(existsSync(home)).toBe(false)
  })

  it.each([
    ['are broken', '{"ui": {', 'cannot be read'],
    ['are none', '[]', 'cannot be read'],
    ['exclude it', '{"mcp": {"excluded": ["bridgedeck"]}}', 'mcp.excluded'],
  ])('is not made where the person’s settings %s', (_, text, words) => {
    put('settings.json', text)
    const made = make()
    expect(typeof made === 'object' && 'refusal' in made ? made.refusal : made).toContain(words)
    expect(existsSync(home)).toBe(false)
  })
})
