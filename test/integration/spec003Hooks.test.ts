/** Specification 003, Hook Runtime Contract and sync-version: the same input, output, exit codes and files. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HookEvent } from '../../src-main/formats/maestro/hooks/hooksFile'
import { printAnswer } from '../../src-main/loops/maestro/hooks/hookEvents'
import { runHook } from '../../src-main/loops/maestro/hooks/runHook'
import { callHere, type Ended } from '../support/callHere'

let parent: string
let project: string
let hooks: string
beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-hooks-')))
  project = join(parent, 'project')
  hooks = join(parent, 'hooks')
  mkdirSync(project)
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const maestro = (words: readonly string[], input = '', env: Record<string, string> = {}): Promise<Ended> =>
  callHere(['maestro', ...words], {
    environment: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MAESTRO_'))),
      INIT_CWD: project,
      HOME: parent,
      USERPROFILE: parent,
      MAESTRO_HOOKS_DIR: hooks,
      ...env,
    },
    input,
  })

let log: string[]
beforeEach(() => {
  log = []
})

/** What the hook answers, without the command around it. */
async function hook(event: HookEvent, input: object | string, env: Record<string, string> = {}): Promise<unknown> {
  const answer = await runHook(event, typeof input === 'string' ? input : JSON.stringify({ cwd: project, ...input }), {
    folder: project,
    environment: { MAESTRO_EXTENSION_PATH: parent, MAESTRO_HOOKS_DIR: hooks, ...env },
    now: Date.now(),
    log: (level, message) => log.push(`${level} ${message}`),
  })
  return JSON.parse(printAnswer(event, answer, '1.2'))
}

const allow = { decision: 'allow' }
const report = '## Task Report\nStatus: success\n## Downstream Context\nnone\n'
const putSession = (stateDir = '.gemini') =>
  put(join(project, stateDir, 'state/active-session.md'), '---\ncurrent_phase: 2\nstatus: "in_progress"\n---\n')
const note = (session: string, name = 'active-agent') => join(hooks, session, name)

function putOld(session: string): void {
  put(note(session), 'coder')
  const past = new Date(Date.now() - 3 * 60 * 60 * 1000)
  utimesSync(join(hooks, session), past, past)
}

describe.each(['session-start', 'before-agent', 'after-agent', 'session-end'] as const)('%s', (event) => {
  const otherwise = event.startsWith('session') ? {} : allow

  it.each([
    ['no input', ''],
    ['broken input', '{"session_id":'],
    ['another value', '[]'],
    ['an unsafe id', '{"session_id":"../../up"}'],
  ])('answers %s as an empty one', async (_, input) => {
    expect(await hook(event, input)).toEqual(otherwise)
    expect(readdirSync(hooks)).toEqual([])
  })

  it('is a command that exits with 0 and prints one line, also for more than 1 MB', async () => {
    const input = JSON.stringify({ session_id: 's1', prompt: `delegate to coder${' '.repeat(1 << 20)}` })
    const ended = await maestro(['hook', event], input)
    expect(ended).toMatchObject({ code: 0, stdout: `${JSON.stringify(otherwise)}\n` })
    expect(ended.stderr).toContain('[WARN] maestro: The input counts as empty')
    expect(readdirSync(hooks)).toEqual([])
  })

  it('writes nothing into a folder that others may write into, or that is a link', async () => {
    mkdirSync(hooks)
    chmodSync(hooks, 0o777)
    const input = { session_id: 's1', prompt: 'delegate to coder' }
    expect(await hook(event, input)).toEqual(otherwise)
    expect(readdirSync(hooks)).toEqual([])
    symlinkSync(project, join(parent, 'linked'))
    expect(await hook(event, input, { MAESTRO_HOOKS_DIR: join(parent, 'linked') })).toEqual(otherwise)
    expect(readdirSync(project)).toEqual([])
  })
})

describe('SessionStart: prunes stale state, and prepares a folder where a session is active', () => {
  it('makes the folder, for this user only', async () => {
    putSession()
    expect(await hook('session-start', { session_id: 's1', source: 'startup' })).toEqual({})
    expect([statSync(hooks).mode & 0o777, statSync(join(hooks, 's1')).mode & 0o777]).toEqual([0o700, 0o700])
  })

  it('makes none without an active session', async () => {
    expect(await hook('session-start', { session_id: 's1' })).toEqual({})
    expect(readdirSync(hooks)).toEqual([])
  })

  it('removes what was not touched for two hours, and nothing that is not its own', async () => {
    putOld('old')
    put(note('new'), 'coder')
    putOld('theirs')
    put(join(hooks, 'theirs/letter.txt'), 'kept')
    putOld('theirs')
    expect(await hook('session-start', {})).toEqual({})
    expect(readdirSync(hooks).sort()).toEqual(['new', 'theirs'])
    expect(readFileSync(join(hooks, 'theirs/letter.txt'), 'utf8')).toBe('kept')
  })
})

describe('BeforeAgent: tracks the agent, and tells it of the session', () => {
  it('notes the agent to whom the prompt delegates', async () => {
    expect(await hook('before-agent', { session_id: 's1', prompt: 'Hand off to the technical-writer.' })).toEqual(allow)
    expect(readFileSync(note('s1'), 'utf8')).toBe('technical_writer')
    expect(statSync(note('s1')).mode & 0o777).toBe(0o600)
  })

  it('prefers MAESTRO_CURRENT_AGENT', async () => {
    await hook('before-agent', { session_id: 's1', prompt: '@coder' }, { MAESTRO_CURRENT_AGENT: 'Tester' })
    expect(readFileSync(note('s1'), 'utf8')).toBe('tester')
  })

  it('removes stale state too', async () => {
    putOld('old')
    expect(await hook('before-agent', { session_id: 's1', prompt: 'You are the tester agent' })).toEqual(allow)
    expect(readdirSync(hooks)).toEqual([])
  })

  it('adds phase and status', async () => {
    putSession()
    expect(await hook('before-agent', { session_id: 's1', prompt: '' })).toEqual({
      ...allow,
      hookSpecificOutput: {
        hookEventName: 'BeforeAgent',
        additionalContext: 'Active session: current_phase=2, status=in_progress',
      },
    })
  })

  it.each(['state', 'absolute'])('finds the %s folder that the environment names', async (name) => {
    putSession('state')
    const stateDir = name === 'state' ? 'state' : join(project, 'state')
    expect(await hook('before-agent', {}, { MAESTRO_STATE_DIR: stateDir })).toHaveProperty('hookSpecificOutput')
  })

  it('reads .env too, and says that Maestro’s own hooks do not', async () => {
    putSession('state')
    put(join(project, '.env'), 'MAESTRO_STATE_DIR=state\n')
    expect(await hook('before-agent', {})).toHaveProperty('hookSpecificOutput')
    expect(log).toEqual([expect.stringMatching(/^WARN MAESTRO_STATE_DIR is that of the workspace .env/)])
    put(join(project, '.env'), `MAESTRO_STATE_DIR=${parent}\n`)
    put(join(parent, 'state/active-session.md'), '---\nstatus: secret\n---\n')
    expect(await hook('before-agent', {})).toEqual(allow)
  })
})

describe('AfterAgent: validates the report of a delegated agent, and requests one retry', () => {
  const after = (input: object) => hook('after-agent', { session_id: 's1', ...input })

  it.each([
    ['a whole report', 'coder', report],
    ['no agent', '', 'done'],
    ['the tech lead', 'TechLead', 'done'],
    ['the orchestrator', 'orchestrator', 'done'],
  ])('allows %s, and clears the note', async (_, agent, prompt_response) => {
    if (agent !== '') put(note('s1'), agent)
    expect(await after({ prompt_response })).toEqual(allow)
    expect(existsSync(note('s1'))).toBe(false)
  })

  it('denies a malformed one once, with what is missing', async () => {
    put(note('s1'), 'coder')
    expect(await after({ prompt_response: '## Task Report' })).toEqual({
      decision: 'deny',
      reason: expect.stringMatching(/^Handoff report validation failed: Missing Downstream Context/) as string,
    })
    expect(existsSync(note('s1'))).toBe(false)
    expect(await after({ prompt_response: 'still none', stop_hook_active: 'true' })).toEqual(allow)
    expect(readdirSync(join(hooks, 's1'))).toEqual([])
  })

  it('checks the retry, although nothing announced it', async () => {
    put(note('s1'), 'coder')
    await after({ prompt_response: '' })
    expect(await after({ prompt_response: 'still none', stop_hook_active: true })).toEqual(allow)
    expect(log.at(-1)).toContain('retry still malformed')
  })

  it('allows a malformed retry', async () => {
    put(note('s1'), 'coder')
    expect(await after({ prompt_response: '', stop_hook_active: true })).toEqual(allow)
    expect(existsSync(note('s1'))).toBe(false)
  })

  it('does not follow a link in the place of the note', async () => {
    put(join(parent, 'secret'), 'coder')
    mkdirSync(join(hooks, 's1'), { recursive: true })
    symlinkSync(join(parent, 'secret'), note('s1'))
    expect(await after({ prompt_response: '' })).toEqual(allow)
    expect(readFileSync(join(parent, 'secret'), 'utf8')).toBe('coder')
  })
})

describe('SessionEnd: removes the state of the session', () => {
  it('and that of no other', async () => {
    put(note('s1'), 'coder')
    put(note('s2'), 'coder')
    expect(await hook('session-end', { session_id: 's1', reason: 'exit' })).toEqual({})
    expect(readdirSync(hooks)).toEqual(['s2'])
  })
})

it('An event that there is not is a usage error', async () => {
  expect(await maestro(['hook', 'before-model'])).toMatchObject({ code: 1, stdout: '' })
})

describe('hooks.json', () => {
  it('is printed', async () => {
    const { code, stdout } = await maestro(['hooks', 'print'])
    expect([code, Object.keys((JSON.parse(stdout) as { hooks: object }).hooks)]).toEqual([
      0,
      ['SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd'],
    ])
  })

  it('is shown before it is written, and never written silently', async () => {
    const shown = await maestro(['hooks', 'install'])
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('+++ b/.gemini/settings.json') as string])
    expect(readdirSync(project)).toEqual([])
    expect((await maestro(['hooks', 'install', '--yes'])).code).toBe(0)
    const path = join(project, '.gemini/settings.json')
    expect(readFileSync(path, 'utf8')).toBe((await maestro(['hooks', 'print'])).stdout)
    const again = await maestro(['hooks', 'install', '--yes'])
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to change') as string])
  })

  it('is written for all projects where the person wants that, and removed again', async () => {
    mkdirSync(join(project, '.gemini'))
    const { code, stderr } = await maestro(['hooks', 'install', '--user', '--yes'])
    expect([code, stderr]).toEqual([0, 'Added the hooks to ~/.gemini/settings.json.\n'])
    expect(readdirSync(join(project, '.gemini'))).toEqual([])
    const path = join(parent, '.gemini/settings.json')
    expect(readFileSync(path, 'utf8')).toBe((await maestro(['hooks', 'print'])).stdout)
    expect((await maestro(['hooks', 'remove', '--user', '--yes'])).code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe('{}\n')
    expect((await maestro(['hooks', 'install', '--user', '--file', 'x.json'])).code).toBe(1)
  })

  it.each(['../outside.json', 'linked/settings.json'])('is not written outside the folder: %s', async (file) => {
    symlinkSync(parent, join(project, 'linked'))
    const { code, stderr } = await maestro(['hooks', 'install', '--file', file, '--yes'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^ERROR: .*is not written/) as string])
    expect(readdirSync(parent)).toEqual(['project'])
  })
})

describe('sync-version', () => {
  const extension = '{\n  "name": "maestro",\n  "version": "1.2.0",\n  "contextFileName": "GEMINI.md"\n}\n'

  it('copies the version of the package into the extension', async () => {
    put(join(project, 'package.json'), '{"name":"x","version":"1.2.1"}')
    put(join(project, 'gemini-extension.json'), extension)
    const shown = await maestro(['sync-version'])
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('+  "version": "1.2.1",') as string])
    expect(readFileSync(join(project, 'gemini-extension.json'), 'utf8')).toBe(extension)
    const written = await maestro(['sync-version', '.', '--yes'])
    expect(written).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining('version') as string })
    expect(readFileSync(join(project, 'gemini-extension.json'), 'utf8')).toBe(extension.replace('1.2.0', '1.2.1'))
  })

  it.each([
    ['no package', undefined, extension, 'package.json'],
    ['a package without a version', '{}', extension, 'package.json'],
    ['no extension', '{"version":"1"}', undefined, 'gemini-extension.json'],
    ['a broken extension', '{"version":"1"}', '[', 'gemini-extension.json'],
  ])('fails with %s, and changes nothing', async (_, packageText, extensionText, named) => {
    if (packageText !== undefined) put(join(project, 'package.json'), packageText)
    if (extensionText !== undefined) put(join(project, 'gemini-extension.json'), extensionText)
    const { code, stdout, stderr } = await maestro(['sync-version', '--yes'])
    expect([code, stdout, stderr.startsWith('ERROR: '), stderr.includes(named)]).toEqual([1, '', true, true])
    if (extensionText !== undefined)
      expect(readFileSync(join(project, 'gemini-extension.json'), 'utf8')).toBe(extensionText)
  })
})
