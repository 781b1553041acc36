/** Specification 003, section by section. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applyEdits } from '../../src-main/formats/finding'
import { maestro as format } from '../../src-main/formats/maestro/format'
import { CHOOSE_MODE } from '../../src-main/formats/maestro/needs'
import { callHere, type Ended } from '../support/callHere'
import { startProcess } from '../support/callProcess'
import { damaged, onlyRun, runsIn, told, type ProjectFiles } from '../support/projectFiles'

let parent: string
let project: string
let home: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'bridgedeck-spec003-'))
  project = join(parent, 'project')
  home = join(parent, 'home')
  mkdirSync(project)
  mkdirSync(home)
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** `bridgedeck maestro …` in the project, with nothing of Maestro's in the environment but what is given. */
function maestro(
  words: readonly string[],
  {
    stdin = '',
    env = {},
    folder = project,
  }: { stdin?: string | Buffer; env?: Record<string, string>; folder?: string } = {},
): Promise<Ended> {
  return callHere(['maestro', ...words], { environment: { ...environment(folder), ...env }, input: stdin })
}

const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MAESTRO_'))),
  INIT_CWD: folder,
  HOME: home,
  USERPROFILE: home,
})

const said = (message: string): Ended => ({ code: 1, stdout: '', stderr: `ERROR: ${message}\n` })
const nothing: Ended = { code: 0, stdout: '', stderr: '' }
const noSession: Ended = { code: 0, stdout: 'No active session\n', stderr: '' }

describe('State Directory Layout: ensure-workspace prepares it', () => {
  it('makes the folders below .gemini unless another is named', async () => {
    expect(await maestro(['ensure-workspace'])).toEqual(nothing)
    expect(await maestro(['ensure-workspace', 'docs/maestro'])).toEqual(nothing)
    for (const stateDir of ['.gemini', 'docs/maestro']) {
      expect(readdirSync(join(project, stateDir)).sort()).toEqual(['parallel', 'plans', 'state'])
      for (const folder of ['state/archive', 'plans/archive'])
        expect(statSync(join(project, stateDir, folder)).isDirectory()).toBe(true)
    }
  })

  it('keeps what is there', async () => {
    put(join(project, '.gemini/state/active-session.md'), 'kept')
    expect(await maestro(['ensure-workspace'])).toEqual(nothing)
    expect(readFileSync(join(project, '.gemini/state/active-session.md'), 'utf8')).toBe('kept')
  })

  it('rejects an absolute state folder', async () => {
    expect(await maestro(['ensure-workspace', '/srv/state'])).toEqual(said('Path must be relative (got: /srv/state)'))
  })

  it.each(['../state', 'a/../../b', 'a\\..\\b'])('rejects traversal: %s', async (path) => {
    expect(await maestro(['ensure-workspace', path])).toEqual(said(`Path traversal not allowed (got: ${path})`))
    expect(readdirSync(parent).sort()).toEqual(['home', 'project'])
  })

  it('rejects a state folder that is a symlink, or below one', async () => {
    mkdirSync(join(parent, 'elsewhere'))
    symlinkSync(join(parent, 'elsewhere'), join(project, 'linked'))
    expect(await maestro(['ensure-workspace', 'linked'])).toEqual(said('STATE_DIR must not be a symlink (got: linked)'))
    expect(await maestro(['ensure-workspace', 'linked/deeper'])).toEqual(
      said('STATE_DIR must not be a symlink (got: linked/deeper)'),
    )
    expect(readdirSync(join(parent, 'elsewhere'))).toEqual([])
  })

  it('says which folder it could not make', async () => {
    put(join(project, '.gemini/plans'), 'a file where a folder should be')
    expect(await maestro(['ensure-workspace'])).toEqual(said('Failed to create directory: .gemini/plans'))
  })
})

describe('State File Access: read-state', () => {
  it('writes the content to standard output, byte by byte', async () => {
    put(join(project, 'state.md'), '\uFEFFa\r\nb')
    expect(await maestro(['read-state', 'state.md'])).toEqual({ code: 0, stdout: '\uFEFFa\r\nb', stderr: '' })
  })

  it('takes relative paths only', async () => {
    put(join(parent, 'secret'), 'secret')
    expect(await maestro(['read-state', join(parent, 'secret')])).toEqual(
      said(`Path must be relative (got: ${join(parent, 'secret')})`),
    )
    expect(await maestro(['read-state', '../secret'])).toEqual(said('Path traversal not allowed (got: ../secret)'))
  })

  it('takes a name that only begins with two dots', async () => {
    put(join(project, '..notes'), 'x')
    expect(await maestro(['read-state', '..notes'])).toMatchObject({ code: 0, stdout: 'x' })
  })

  it('does not follow a link out of the project', async () => {
    put(join(parent, 'outside/secret'), 'secret')
    symlinkSync(join(parent, 'outside'), join(project, 'linked'))
    expect(await maestro(['read-state', 'linked/secret'])).toEqual(
      said('Path must stay inside the project (got: linked/secret)'),
    )
  })

  it('says explicitly that a file is missing', async () => {
    const { code, stdout, stderr } = await maestro(['read-state', '.gemini/state/active-session.md'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^ERROR: ENOENT: no such file or directory.*active-session\.md'\n$/)
  })

  it('says how it is used when no path is given', async () => {
    expect(await maestro(['read-state'])).toEqual(
      said('Usage: bridgedeck maestro read-state <relative-path>\nSee bridgedeck maestro read-state --help.'),
    )
  })
})

describe('State File Access: write-state', () => {
  it('ends with 130 at Ctrl+C, and leaves the file as it was', async () => {
    put(join(project, 'state.md'), 'old')
    const { child, ended } = startProcess(['maestro', 'write-state', 'state.md'], {
      environment: environment(project),
      input: 'open',
    })
    // More than the pipe holds: once it is written, the command is reading.
    await new Promise((done) => child.stdin.write(Buffer.alloc(4 << 20, 'x'), done))
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'ERROR: Interrupted.\n' })
    expect(readFileSync(join(project, 'state.md'), 'utf8')).toBe('old')
  })

  it('writes standard input to a new file, for its owner only, and makes its folder', async () => {
    expect(await maestro(['write-state', '.gemini/state/active-session.md'], { stdin: 'new\n' })).toEqual(nothing)
    const path = join(project, '.gemini/state/active-session.md')
    expect(readFileSync(path, 'utf8')).toBe('new\n')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('replaces a file atomically: a new file under the old name, nothing left beside it', async () => {
    put(join(project, 'state.md'), 'old')
    chmodSync(join(project, 'state.md'), 0o664)
    const before = statSync(join(project, 'state.md'))
    expect(
      await maestro(['write-state', 'state.md'], { stdin: Buffer.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0xff]) }),
    ).toEqual(nothing)
    const after = statSync(join(project, 'state.md'))
    expect(readFileSync(join(project, 'state.md'))).toEqual(Buffer.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0xff]))
    expect(after.ino).not.toBe(before.ino)
    expect(after.mode).toBe(before.mode)
    expect(readdirSync(project)).toEqual(['state.md'])
  })

  it.each([
    ['an absolute path', '/tmp/x', 'Path must be relative (got: /tmp/x)'],
    ['traversal', 'a/../../x', 'Path traversal not allowed (got: a/../../x)'],
  ])('rejects %s', async (_, path, message) =>
    expect(await maestro(['write-state', path], { stdin: 'x' })).toEqual(said(message)),
  )

  it('rejects empty input and leaves the file', async () => {
    put(join(project, 'state.md'), 'old')
    expect(await maestro(['write-state', 'state.md'])).toEqual(said('stdin content is empty'))
    expect(readFileSync(join(project, 'state.md'), 'utf8')).toBe('old')
  })

  it('does not write through a symlink anywhere below the project', async () => {
    put(join(parent, 'outside/file'), 'theirs')
    symlinkSync(join(parent, 'outside'), join(project, 'linked'))
    symlinkSync(join(parent, 'outside/file'), join(project, 'file'))
    expect(await maestro(['write-state', 'linked/file'], { stdin: 'x' })).toEqual(
      said('Path must not go through a symlink (got: linked/file)'),
    )
    expect(await maestro(['write-state', 'file'], { stdin: 'x' })).toEqual(
      said('Path must not go through a symlink (got: file)'),
    )
    expect(readFileSync(join(parent, 'outside/file'), 'utf8')).toBe('theirs')
  })

  it('says how it is used when no path is given', async () => {
    expect(await maestro(['write-state'], { stdin: 'x' })).toEqual(
      said('Usage: bridgedeck maestro write-state <relative-path>\nSee bridgedeck maestro write-state --help.'),
    )
  })
})

describe('Resolution Precedence: read-active-session', () => {
  const putSession = (stateDir: string, text: string) => put(join(stateDir, 'state/active-session.md'), text)
  const found = (text: string): Ended => ({ code: 0, stdout: text, stderr: '' })
  const refused = (why: string) => ({ ...noSession, stderr: expect.stringContaining(why) as string })

  it('falls back to No active session, without an error', async () => {
    expect(await maestro(['read-active-session'])).toEqual(noSession)
  })

  it('reads the session below the default folder', async () => {
    putSession(join(project, '.gemini'), 'default')
    expect(await maestro(['read-active-session'])).toEqual(found('default'))
  })

  it('prefers the environment to the workspace’s .env, that to the extension’s, and that to the default', async () => {
    for (const name of ['env', 'workspace', 'extension', '.gemini']) putSession(join(project, name), name)
    expect(await maestro(['read-active-session'])).toEqual(found('.gemini'))
    put(join(home, '.gemini/extensions/maestro/.env'), 'MAESTRO_STATE_DIR=extension')
    expect(await maestro(['read-active-session'])).toEqual(found('extension'))
    put(join(project, '.env'), 'export MAESTRO_STATE_DIR="workspace" # for now\r\n')
    expect(await maestro(['read-active-session'])).toEqual(found('workspace'))
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: 'env' } })).toEqual(found('env'))
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: '' } })).toEqual(found('workspace'))
  })

  it('finds the extension where MAESTRO_EXTENSION_PATH says', async () => {
    putSession(join(project, 'there'), 'there')
    put(join(parent, 'extension/.env'), 'MAESTRO_STATE_DIR=there')
    expect(
      await maestro(['read-active-session'], { env: { MAESTRO_EXTENSION_PATH: join(parent, 'extension') } }),
    ).toEqual(found('there'))
  })

  it('resolves a relative folder from the repository’s root', async () => {
    execFileSync('git', ['init', '--quiet', project])
    mkdirSync(join(project, 'src/deep'), { recursive: true })
    putSession(join(project, '.gemini'), 'root')
    expect(await maestro(['read-active-session'], { folder: join(project, 'src/deep') })).toEqual(found('root'))
  })

  it('accepts an absolute folder from the environment, and from .env inside the project only', async () => {
    putSession(join(parent, 'elsewhere'), 'elsewhere')
    putSession(join(project, 'inside'), 'inside')
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: join(parent, 'elsewhere') } })).toEqual(
      found('elsewhere'),
    )
    put(join(project, '.env'), `MAESTRO_STATE_DIR=${join(project, 'inside')}`)
    expect(await maestro(['read-active-session'])).toEqual(found('inside'))
    put(join(project, '.env'), `MAESTRO_STATE_DIR=${join(parent, 'elsewhere')}`)
    expect(await maestro(['read-active-session'])).toEqual(refused('workspace .env is not read: it is outside'))
  })

  it('accepts an absolute folder from the extension’s own .env', async () => {
    putSession(join(parent, 'elsewhere'), 'elsewhere')
    put(join(home, '.gemini/extensions/maestro/.env'), `MAESTRO_STATE_DIR=${join(parent, 'elsewhere')}`)
    expect(await maestro(['read-active-session'])).toEqual(found('elsewhere'))
  })

  it('ends well, too, when the folder is invalid, and says why on standard error', async () => {
    putSession(join(parent, 'elsewhere'), 'elsewhere')
    symlinkSync(join(parent, 'elsewhere'), join(project, 'linked'))
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: '../elsewhere' } })).toEqual(
      refused('path traversal is not allowed'),
    )
    expect(await maestro(['read-active-session'], { env: { MAESTRO_STATE_DIR: 'linked' } })).toEqual(
      refused('a symbolic link leads out of the project'),
    )
  })
})

describe('the helpers as one command', () => {
  it('names them when it knows none of that name, and starts nothing', async () => {
    expect(await maestro(['write'])).toEqual(
      said(
        'Usage: bridgedeck maestro dispatch|session|run|read-state|write-state|read-active-session|ensure-workspace|hook|hooks|sync-version\nSee bridgedeck maestro --help.',
      ),
    )
    expect(existsSync(join(home, '.c64bridge'))).toBe(false)
  })
})

const example = (name: string) => readFileSync(resolve('test/fixtures/spec003', name), 'utf8')
const session = example('active-session.md')
const sessionJson = example('active-session-1.6.md')
const archived = example('archived-1.4.md')

const active = '.gemini/state/active-session.md'
const designPath = '.gemini/plans/2026-02-24-webhook-retries-design.md'
const planPath = '.gemini/plans/2026-02-24-webhook-retries-impl-plan.md'
const plans: ProjectFiles = {
  [designPath]: '---\ntitle: "Webhook retries"\ncreated: "2026-02-24"\nstatus: draft\ntype: design\n---\n',
  [planPath]: '# Plan of the retries\n',
}
const read = (text: string, others: ProjectFiles = plans) => onlyRun(format, { [active]: text, ...others })
const rules = (text: string, others?: ProjectFiles) =>
  read(text, others).problems.map(
    ({ severity, rule, found, expected }) => `${severity} ${rule}: ${found}, not ${expected}`,
  )
const edited = (from: string, to: string, text = session) => {
  expect(text).toContain(from)
  return text.replace(from, () => to)
}

describe('Front matter with a line of dots', () => {
  const dotted = edited('  - id: 3', '...\n  - id: 3')

  it('is read as a whole where it is one map, and says so', () => {
    const { reading, problems } = read(dotted)
    expect(reading.view.phases.map(({ key }) => key)).toEqual(['1', '2', '3'])
    expect(problems.map(({ rule, severity, line }) => [rule, severity, line])).toEqual([
      ['file/second-document', 'warning', session.slice(0, session.indexOf('  - id: 3')).split('\n').length],
    ])
    expect(reading.view.phases[2]?.title.source?.line).toBe(
      dotted.slice(0, dotted.indexOf('name: "Docs"')).split('\n').length,
    )
  })

  it('is an error where it is none, and no repair is made from a part', () => {
    const { reading, problems } = read(edited('  - id: 3', '...\n- id: 3'))
    expect(reading.view.phases.map(({ key }) => key)).toEqual(['1', '2'])
    expect(problems.map(({ rule, severity, repair }) => [rule, severity, repair])).toContainEqual([
      'file/second-document',
      'error',
      undefined,
    ])
    expect(problems.filter(({ repair }) => repair)).toEqual([])
  })

  it('ends there where Markdown follows, as some write it', () => {
    const ended = session.replace(/\n---\n(?=\n# )/, '\n...\n')
    expect(ended).not.toBe(session)
    const { reading, problems } = read(`${ended}\n---\n\nMore.\n`)
    expect(reading.view.phases).toHaveLength(3)
    expect(problems).toEqual([])
  })
})

describe('One cause is told once', () => {
  it('phases without ids', () => {
    const text = session.replaceAll(/- id: \d/g, '- id: null').replaceAll('blocked_by: [1]', 'blocked_by: [null]')
    expect(rules(text).filter((rule) => !rule.includes('maestro/type'))).toEqual([])
  })

  it('plans with an empty path are none', () => {
    const text = session
      .replace(/^design_document: .*$/m, 'design_document: ""')
      .replace(/^implementation_plan: .*$/m, "implementation_plan: ' '")
    expect(rules(text, {})).toEqual([])
    expect(read(text, {}).reading.details.plans).toEqual([])
  })

  it('agents of later versions are known, and one that no version has is noted once', () => {
    const text = session
      .replace('["coder"]', '[design-system-engineer, ux_designer, copywriter, wizard]')
      .replace('["technical_writer"]', '[wizard, WIZARD]')
    expect(rules(text)).toEqual(['info maestro/agent: "wizard", not an agent of Maestro'])
  })
})

describe('State Directory Layout: where sessions are found', () => {
  it.each([
    ['the default', '.gemini', ''],
    ['that of later versions', 'docs/maestro', ''],
    ['a package of its own', 'packages/web/.gemini', 'packages/web'],
    ['any folder that a .env names', 'var/agents/state-of-maestro', ''],
  ])('in %s', (_, stateDir, folder) => {
    const { candidate, reading } = onlyRun(format, { '.env': '', [`${stateDir}/state/active-session.md`]: session })
    expect(candidate).toMatchObject({ folder, marker: `${stateDir}/state/active-session.md`, archived: false })
    expect(reading.details.stateDir).toBe(stateDir)
  })

  it('each archived session is a run of its own', () => {
    const runs = runsIn(format, { [active]: session, '.gemini/state/archive/cache-layer.md': archived })
    expect(runs.map(({ reading: { view } }) => [view.id.value, view.archived])).toEqual([
      ['2026-02-24-webhook-retries', false],
      ['cache-layer', true],
    ])
  })

  it('other Markdown files in folders of such a name are none', () => {
    expect(
      runsIn(format, {
        'game/state/archive/ideas.md': '# Ideas',
        'game/state/archive/more.md': '---\ntitle: x\n---\n',
        'plans/house-design.md': '',
      }),
    ).toEqual([])
  })

  it('archives without front matter are runs of which nothing is known', () => {
    for (const files of [
      { '.gemini/state/archive/cache-layer.md': '# Cache Layer\n\nDone.\n' },
      { 'game/state/archive/cache-layer.md': '# Cache Layer Orchestration Log\n' },
    ]) {
      const { reading, problems } = onlyRun(format, files)
      expect(reading.view).toMatchObject({ archived: true, id: { value: 'cache-layer' }, state: { value: null } })
      expect(problems.map(({ rule }) => rule)).toContain('maestro/front-matter')
    }
    expect(runsIn(format, { '.gemini/state/archive/README.md': '# What is in here\n' })).toEqual([])
  })

  it('a template of a session is none', () => {
    expect(runsIn(format, { [active]: session.replace(/^session_id: .*$/m, 'session_id: "{{session_id}}"') })).toEqual(
      [],
    )
    expect(runsIn(format, { [`{{project_name}}/${active}`]: session })).toEqual([])
    expect(
      runsIn(format, { [active]: session.replace(/^task: .*$/m, 'task: "{{name}} is not filled in"') }),
    ).toHaveLength(1)
  })

  it('plans without a session are a run in planning', () => {
    const { reading } = onlyRun(format, plans)
    expect(reading.view).toMatchObject({
      state: { value: 'planning', source: { file: designPath } },
      title: { value: 'Webhook retries' },
      id: { value: null },
    })
    expect(reading.details.plans.map(({ kind, title }) => [kind, title.value])).toEqual([
      ['design', 'Webhook retries'],
      ['implementation', 'Plan of the retries'],
    ])
  })

  it('says when .env names another folder, and that hooks do not read it', () => {
    expect(rules(session, { ...plans, '.env': 'A=1\nMAESTRO_STATE_DIR=docs/maestro\n' })).toEqual([
      'warning maestro/state-dir: "docs/maestro", not .gemini, where this run is: Maestro’s scripts look elsewhere',
    ])
    const [finding] = read(session, { ...plans, '.env': 'A=1\nMAESTRO_STATE_DIR=.gemini\n' }).problems
    expect(finding).toMatchObject({ file: '.env', line: 2, severity: 'info', rule: 'maestro/state-dir' })
  })
})

describe('Session State Lifecycle: an active session', () => {
  it('is valid as the template has it', () => expect(told(read(session).problems)).toEqual([]))

  it('waits for a person because a phase failed', () => {
    const { view } = read(session).reading
    expect(view).toMatchObject({
      id: { value: '2026-02-24-webhook-retries', source: { file: active, pointer: '/session_id', line: 2 } },
      title: { value: 'Add retry with backoff to webhook delivery' },
      state: { value: 'waiting', written: 'in_progress' },
      reason: { value: 'Phase “Retry worker” failed.' },
      currentPhase: { value: '2' },
      updatedAt: { value: Date.parse('2026-02-24T10:03:05.771Z') },
    })
    expect(view.needs).toMatchObject([
      {
        kind: 'failure',
        detail: 'coder, timeout: agent exceeded 10m\nAll 2 retries are used up.',
        options: ['Fix and retry', 'Skip', 'Abort', 'Adjust the plan'],
        since: { value: Date.parse('2026-02-24T09:42:00.000Z') },
        unblocks: ['2'],
      },
    ])
  })

  it('has its phases with their states, owners and what they wait for', () => {
    expect(
      read(session).reading.view.phases.map(({ key, title, state, owner, dependencies }) => [
        key,
        title.value,
        state.value,
        owner?.value,
        dependencies.map(({ value }) => value),
      ]),
    ).toEqual([
      ['1', 'Queue schema', 'done', 'data_engineer', []],
      ['2', 'Retry worker', 'failed', 'coder', ['1']],
      ['3', 'Docs', 'todo', 'technical_writer', ['1']],
    ])
  })

  it('has meters of retries and tokens', () => {
    expect(
      read(session).reading.view.meters.map(({ name, unit, used, limit }) => [name, unit, used.value, limit.value]),
    ).toEqual([
      ['Retries of Retry worker', 'retries', 2, 2],
      ['Tokens read', 'tokens', 48210, null],
      ['Tokens written', 'tokens', 9120, null],
      ['Tokens from the cache', 'tokens', 20110, null],
      ['Tokens of coder', 'tokens', 37100, null],
    ])
    const limit = read(session, { ...plans, '.env': 'MAESTRO_MAX_RETRIES=4' }).reading.view.meters[0]?.limit
    expect(limit).toEqual({ value: 4, source: { file: '.env' } })
  })

  it('has errors, claimed files, downstream context and the headings of its log', () => {
    const { view, details } = read(session, { ...plans, 'src/worker.ts': '' }).reading
    expect(view.errors).toMatchObject([{ message: { value: 'agent exceeded 10m' }, at: '2', resolved: false }])
    expect(view.artefacts.map(({ kind, path, exists }) => [kind, path, exists])).toEqual([
      ['design plan', designPath, true],
      ['implementation plan', planPath, true],
      ['created', 'migrations/014_delivery.sql', false],
      ['modified', 'src/worker.ts', true],
    ])
    expect(
      details.phases[0]?.downstream.map(({ name, entries }) => [name, entries.map(({ value }) => value)]),
    ).toContainEqual(['warnings', ['attempt_no is 1-based']])
    expect(details.session?.log.map(({ title, line }) => [title, line])).toContainEqual([
      'Phase 2: Retry worker (failed)',
      91,
    ])
  })

  it.each([
    [
      'without a mode',
      edited('execution_mode: "parallel"', 'execution_mode: null').replaceAll('"failed"', '"pending"'),
      'gate',
      CHOOSE_MODE,
    ],
    [
      'with an error that is not resolved',
      edited('status: "failed"', 'status: "in_progress"'),
      'waiting',
      'Unresolved error in “Retry worker”',
    ],
    [
      'with all phases done',
      session
        .replaceAll(/status: "(failed|pending)"/g, 'status: "skipped"')
        .replace('resolved: false', 'resolved: true'),
      'gate',
      'Review and archive the session',
    ],
  ])('waits %s', (_, text, state, title) => {
    const { view } = read(text).reading
    expect([view.state.value, view.needs[0]?.title]).toEqual([state, title])
  })

  it('waits for the approval of a design', () => {
    const gate = {
      'docs/maestro/state/2026-05-04-export.design-gate.json':
        '{"session_id":"2026-05-04-export","entered_at":"2026-05-04T06:00:00Z","approved_at":null,"design_document_path":"docs/maestro/plans/x.md"}',
    }
    const { view } = onlyRun(format, gate).reading
    expect(view).toMatchObject({
      state: { value: 'gate' },
      id: { value: '2026-05-04-export' },
      needs: [{ kind: 'gate', title: 'Approve the design of 2026-05-04-export', detail: 'docs/maestro/plans/x.md' }],
    })
    const both = onlyRun(format, { 'docs/maestro/state/active-session.md': sessionJson, ...gate })
    expect(both.problems.map(({ rule }) => rule)).toContain('maestro/design-gate')
  })
})

describe('Session State Lifecycle: what later versions and real sessions write', () => {
  it('JSON between the lines, ids that are words, fields of 1.6', () => {
    const { reading, problems } = onlyRun(format, { 'docs/maestro/state/active-session.md': sessionJson })
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(reading.details.session).toMatchObject({ syntax: 'json', workflowMode: { value: 'standard' } })
    expect(reading.view.currentPhase.value).toBe('writer')
    expect(reading.view.needs).toMatchObject([
      {
        kind: 'question',
        title: 'List the files that phase “CSV writer” changed',
        detail: "The agent's report names no files.",
        unblocks: ['writer', 'docs'],
      },
    ])
  })

  it('JSON with CR LF, which its own server does not read', () => {
    const { reading, problems } = onlyRun(format, { [active]: sessionJson.replaceAll('\n', '\r\n') })
    expect(reading.view.id.value).toBe('2026-05-04-export')
    expect(problems.find(({ rule }) => rule === 'maestro/line-ends')).toMatchObject({ line: 1, severity: 'warning' })
  })

  it('an archive that says completed while phases are open', () => {
    const { reading, problems } = onlyRun(format, {
      '.gemini/state/archive/cache-layer.md': archived,
      '.gemini/plans/archive/cache-layer-design.md': '',
    })
    expect(reading.view).toMatchObject({
      archived: true,
      state: { value: 'done' },
      needs: [],
      title: { value: 'Cache Layer Orchestration Log' },
    })
    expect(reading.view.phases.map(({ title, state }) => [title.value, state.value, state.written])).toEqual([
      ['Storage ✅', 'done', 'completed'],
      ['Eviction', 'active', 'in_progress'],
      ['Metrics', null, 'on_hold'],
    ])
    expect(reading.details.plans).toMatchObject([
      { kind: 'design', path: '.gemini/plans/archive/cache-layer-design.md' },
    ])
    expect(
      reading.details.phases[0]?.downstream.map(({ name, entries }) => [name, entries.map(({ value }) => value)]),
    ).toEqual([
      ['backend_build', ['success']],
      ['interfaces', ['{"file":"src/cache.ts","signature":"get(key: string): Entry | undefined"}']],
      ['warnings', []],
    ])
    expect(problems.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(
      expect.arrayContaining([
        'warning maestro/completed-early',
        'warning maestro/phase-count',
        'error maestro/enum',
        'info maestro/session-id',
        'info maestro/plan-moved',
        'info maestro/agent',
        'info maestro/phase-times',
      ]),
    )
  })

  it('a session of a fork with a status of its own', () => {
    expect(read(edited('status: "in_progress"', 'status: "pending"')).reading.view.state).toEqual({
      value: null,
      source: { file: active, pointer: '/status', line: 6 },
      written: 'pending',
    })
  })

  it('errors that are sentences: nobody says whether they are resolved', () => {
    const text = session.replace(
      /errors:\n {6}- agent[^]*?retry_count: 2/,
      'errors: ["the worker stalled"]\n    retry_count: 2',
    )
    expect(read(text).reading.view.errors).toMatchObject([
      { message: { value: 'the worker stalled' }, at: '2', resolved: null },
    ])
    expect(read(text).reading.view.needs.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['failure', 'unknown agent: the worker stalled\nAll 2 retries are used up.'],
    ])
    expect(read(text.replace('status: "failed"', 'status: "completed"')).reading.view.needs).toEqual([])
  })

  it('an error of which nothing is said is open until its phase is done', () => {
    const text = session.replace('        resolution: "pending"\n        resolved: false\n', '')
    const titles = (status: string) =>
      read(text.replace('status: "failed"', `status: "${status}"`)).reading.view.needs.map(({ title }) => title)
    expect(titles('in_progress')).toContain('Unresolved error in “Retry worker”')
    expect(titles('completed')).not.toContain('Unresolved error in “Retry worker”')
  })

  it('half a session is not ready for the archive', () => {
    const half = session.slice(0, session.indexOf('  - id: 2'))
    expect(read(half).reading.view.needs.map(({ title }) => title)).not.toContain('Review and archive the session')
    expect(read(half).reading.view.state.value).not.toBe('gate')
  })

  it('an archive that is broken is still one', () => {
    const runs = runsIn(format, {
      '.gemini/state/archive/cache-layer.md': archived.slice(0, 40) + '\n"\n',
      'notes/state/archive/x.md': '---\n"\n---\n',
    })
    expect(runs.map(({ reading: { view } }) => view.id.value)).toEqual(['cache-layer'])
  })

  it('no front matter at all', () => {
    const { reading, problems } = read('# Webhook Retries Orchestration Log\n')
    expect(reading.view).toMatchObject({
      title: { value: 'Webhook Retries Orchestration Log' },
      state: { value: null },
      phases: [],
    })
    expect(told(problems)).toEqual([
      '1:1 error maestro/front-matter: a file that does not start with a line of ---, not front matter',
    ])
  })
})

describe('Session State Lifecycle: structure', () => {
  it.each([
    [
      'a phase that waits for one that is not there',
      edited('blocked_by: [1]', 'blocked_by: [7]'),
      'error maestro/dependency-exists: 7, not the id of a phase',
    ],
    [
      'phases that wait for each other',
      edited('blocked_by: []', 'blocked_by: [2]'),
      'error maestro/dependency-cycle: 1 → 2 → 1, not no dependency cycle',
    ],
    [
      'a phase that waits for itself',
      edited('blocked_by: []', 'blocked_by: [1]'),
      'error maestro/dependency-cycle: 1 → 1, not no dependency cycle',
    ],
    ['two phases of one id', edited('id: 3', 'id: 2'), 'error maestro/unique-id: 2, not an id that no other phase has'],
    [
      'a phase started before what it waits for',
      edited('status: "pending"', 'status: "in_progress"').replace(
        'blocked_by: [1]\n    files_created: []\n    files_modified: []',
        'blocked_by: [2]\n    files_created: []\n    files_modified: []',
      ),
      'error maestro/started-early: "in_progress", not pending: phase 2 is failed',
    ],
    [
      'a current phase that is not there',
      edited('current_phase: 2', 'current_phase: 9'),
      'error maestro/current-phase: 9, not the id of a phase',
    ],
    [
      'a count that disagrees',
      edited('total_phases: 3', 'total_phases: 5'),
      'warning maestro/phase-count: 5, not 3, the number of phases',
    ],
    [
      'totals below the sum of the agents',
      edited('total_input: 48210', 'total_input: 7'),
      'warning maestro/token-count: 7, not at least 31000, the sum of all agents',
    ],
    [
      'a completed session with open phases',
      edited('status: "in_progress"', 'status: "completed"'),
      'warning maestro/completed-early: "completed", not in_progress: 2 of 3 phases are not completed',
    ],
    [
      'a mode that was never chosen',
      edited('execution_mode: "parallel"', 'execution_mode: null'),
      'warning maestro/execution-mode: null, not a mode, as phases were started',
    ],
    [
      'a failure without a reason',
      session.replace(/errors:\n {6}- agent[^]*?retry_count: 2/, 'errors: []\n    retry_count: 2'),
      'warning maestro/failed-why: "failed", not a failed phase with an error that says why',
    ],
    [
      'a phase completed before it was started',
      edited('completed: "2026-02-24T09:31:10.000Z"', 'completed: "2026-02-24T09:00:00.000Z"'),
      'warning maestro/time-order: "2026-02-24T09:00:00.000Z", not a time after “started”',
    ],
    [
      'a resolution that is still pending',
      edited('resolved: false', 'resolved: true'),
      'warning maestro/resolution: "pending", not how it was resolved',
    ],
    [
      'a plan that is not there',
      edited('webhook-retries-design.md', 'other-design.md'),
      'warning maestro/plan-exists: ".gemini/plans/2026-02-24-other-design.md", not the path of a file that is there',
    ],
    [
      'files outside the project',
      edited('"src/worker.ts"', '"../../etc/passwd"'),
      'warning maestro/path: "../../etc/passwd", not a path relative to the project, without “..”',
    ],
    [
      'a status that nobody knows',
      edited('status: "pending"', 'status: "paused"'),
      'error maestro/enum: "paused", not pending, in_progress, completed, failed or skipped',
    ],
    [
      'an id with a slash',
      edited('session_id: "2026-02-24-webhook', 'session_id: "2026-02-24/webhook'),
      'error maestro/form: "2026-02-24/webhook-retries", not letters, digits, _ and - only',
    ],
  ])('%s', (_, text, expected) => expect(rules(text)).toContain(expected))

  it('phases that run side by side and change the same file', () => {
    const text = session
      .replace('status: "failed"', 'status: "in_progress"')
      .replace('status: "pending"', 'status: "in_progress"')
      .replace(/files_modified: \[\](?![^]*files_modified)/, 'files_modified: ["src/worker.ts"]')
    expect(rules(text)).toContain(
      'error maestro/file-conflict: "src/worker.ts", not a file that phase 2 does not change at the same time',
    )
  })

  it('repairs a count where it stands, and nothing else', () => {
    const wrong = edited('total_phases: 3', 'total_phases: 5  # for now')
    const finding = read(wrong).problems.find(({ rule }) => rule === 'maestro/phase-count')
    expect(finding).toMatchObject({ file: active, line: 10, column: 15 })
    expect(applyEdits(wrong, finding?.repair?.edits ?? [])).toBe(
      edited('total_phases: 3', 'total_phases: 3  # for now'),
    )
  })

  it.each([
    ['empty', ''],
    ['only the first line', '---'],
    ['cut off in the front matter', session.slice(0, 900)],
    ['with a byte order mark and CR LF', `\uFEFF${session.replaceAll('\n', '\r\n')}`],
    ['a list', '---\n- a\n---\n'],
    [
      'phases under their ids',
      '---\nsession_id: a\nphases:\n  "1": {status: completed}\n  "2": {status: pending}\n---\n',
    ],
    ['aliases of aliases', '---\na: &a [x, x]\nb: &b [*a, *a]\nphases: [*b, *b]\n---\n'],
    ['binary', '\u0000\u0001'],
  ])('a file that is %s is read', (_, text) => expect(read(text).reading.view.system).toBe('maestro'))

  it('nothing that is in the files makes the reader throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(damaged(session), damaged(sessionJson), damaged(archived)),
        damaged('{"batch_status":"success","agents":[{"name":"coder","exit_code":0}]}'),
        damaged('MAESTRO_STATE_DIR=".gemini" # x\n'),
        (text, summary, env) => {
          const { reading, problems } = onlyRun(format, {
            [active]: text,
            '.env': env,
            '.gemini/parallel/b/results/summary.json': summary,
            '.gemini/parallel/b/results/coder.exit': summary,
            '.gemini/state/x.design-gate.json': summary,
          })
          expect(reading.view.key).toBe(`maestro:${active}`)
          for (const problem of problems) expect(problem.line).toBeGreaterThan(0)
        },
      ),
    )
  })
})

describe('Parallel Dispatch Runtime Contract: what is left of a dispatch', () => {
  const batch = '.gemini/parallel/phase-2-and-3'
  const summary =
    '{"batch_status":"partial_failure","total_agents":3,"succeeded":2,"failed":1,"wall_time_seconds":41,"agents":[{"name":"coder","exit_code":0,"status":"success"},{"name":"technical-writer","exit_code":0,"status":"success"},{"name":"tester","exit_code":124,"status":"timeout"}]}\n'
  const answer =
    '{"response":"done","stats":{"models":{"a":{"tokens":{"prompt":10,"candidates":3,"thoughts":2,"cached":4}},"b":{"tokens":{"prompt":1,"candidates":1}}}}}'
  const results: ProjectFiles = {
    [`${batch}/prompts/coder.md`]: '',
    [`${batch}/prompts/technical-writer.txt`]: '',
    [`${batch}/prompts/tester.md`]: '',
    [`${batch}/results/coder.json`]: answer,
    [`${batch}/results/coder.log`]: '',
    [`${batch}/results/coder.exit`]: '0',
    [`${batch}/results/technical-writer.json`]: '{"respon',
    [`${batch}/results/technical-writer.log`]: '',
    [`${batch}/results/technical-writer.exit`]: '0\n',
    [`${batch}/results/tester.json`]: '',
    [`${batch}/results/tester.log`]: '',
    [`${batch}/results/tester.exit`]: '124',
    [`${batch}/results/summary.json`]: summary,
  }
  const batches = (others: ProjectFiles) => read(session, { ...plans, ...others })
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(results).filter(([path]) => !names.some((name) => path.endsWith(name))))

  describe('whose session is archived', () => {
    const archive = '.gemini/state/archive/2026-02-24-webhook-retries.md'
    const later = '.gemini/state/archive/2026-02-24-z-later.md'
    const at = (time: string) =>
      Object.fromEntries(Object.keys(results).map((file) => [file, Date.parse(time)] as const))
    const runs = (project: ProjectFiles, modified: Readonly<Record<string, number>>) =>
      Object.fromEntries(
        runsIn(format, project, modified).map(({ candidate, reading }) => [
          candidate.marker,
          reading.details.batches.map(({ id }) => id),
        ]),
      )
    const written = { [archive]: Date.parse('2026-02-24T10:05:00Z'), [later]: Date.parse('2026-02-24T18:00:00Z') }
    const next = session.replace('2026-02-24T09:12:44.120Z', '2026-02-24T17:00:00Z').replace('"updated"', 'updated')

    it('goes with it, and leaves no run without a session', () => {
      const archivedRuns = { [archive]: session, ...results }
      expect(runs(archivedRuns, { ...written, ...at('2026-02-24T10:00:00Z') })).toEqual({
        [archive]: ['phase-2-and-3'],
      })
      const { [archive]: run } = Object.fromEntries(
        runsIn(format, archivedRuns, { ...written, ...at('2026-02-24T10:00:00Z') }).map((found) => [
          found.candidate.marker,
          found,
        ]),
      )
      expect(run?.reading.view.artefacts.some(({ path }) => path.endsWith('coder.log'))).toBe(true)
    })

    it('stays with the one of its time when others follow, archived or under way', () => {
      const two = { [archive]: session, [later]: next, ...results }
      expect(runs(two, { ...written, ...at('2026-02-24T10:00:00Z') })).toEqual({
        [archive]: ['phase-2-and-3'],
        [later]: [],
      })
      expect(runs(two, { ...written, ...at('2026-02-24T17:30:00Z') })).toEqual({
        [archive]: [],
        [later]: ['phase-2-and-3'],
      })
      expect(
        runs({ [archive]: session, [active]: next, ...results }, { ...written, ...at('2026-02-24T10:00:00Z') }),
      ).toEqual({
        [active]: [],
        [archive]: ['phase-2-and-3'],
      })
    })

    it('is that of the last one in a copy whose files are all of one time', () => {
      expect(runs({ [archive]: session, [later]: next, ...results }, {})).toEqual({
        [archive]: [],
        [later]: ['phase-2-and-3'],
      })
    })

    it('does not take along what is dispatched after it', () => {
      expect(runs({ [archive]: session, ...results }, { ...written, ...at('2026-02-25T10:00:00Z') })).toEqual({
        '.gemini': ['phase-2-and-3'],
        [archive]: [],
      })
    })
  })

  it('has each agent with its exit code, log and tokens', () => {
    const { reading, problems } = batches(results)
    expect(told(problems)).toEqual([])
    const [found] = reading.details.batches
    expect(found).toMatchObject({ id: 'phase-2-and-3', status: { value: 'partial_failure' }, seconds: { value: 41 } })
    expect(
      found?.agents.map(({ name, state, exitCode, log, tokens }) => [
        name,
        state,
        exitCode.value,
        log?.split('/').at(-1),
        tokens.input.value,
        tokens.output.value,
        tokens.cached.value,
      ]),
    ).toEqual([
      ['coder', 'success', 0, 'coder.log', 11, 6, 4],
      ['technical-writer', 'success', 0, 'technical-writer.log', null, null, null],
      ['tester', 'timeout', 124, 'tester.log', null, null, null],
    ])
  })

  it('the exit code marks an agent’s end; without it the agent was started, without output it waits', () => {
    const agents = batches(without('summary.json', 'coder.exit', 'tester.exit', 'tester.json')).reading.details
      .batches[0]?.agents
    expect(agents?.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'coder started',
      'technical-writer success',
      'tester waiting',
    ])
  })

  it.each([
    ['a real exit code', '42', 'failed'],
    ['a spawn that failed', '255', 'failed'],
    ['no digits', 'killed', 'unknown'],
  ])('%s', (_, code, state) => {
    const { reading } = batches({ ...without('summary.json'), [`${batch}/results/coder.exit`]: code })
    expect(reading.details.batches[0]?.agents[0]?.state).toBe(state)
  })

  it.each([
    [
      'a summary that disagrees with an exit code',
      { [`${batch}/results/coder.exit`]: '1' },
      '1:138 warning maestro/exit-code: 0, not 1, as coder.exit says',
    ],
    [
      'a summary that miscounts',
      { [`${batch}/results/summary.json`]: summary.replace('"succeeded":2', '"succeeded":3') },
      '1:64 warning maestro/agent-count: 3, not 2, the count of its agents',
    ],
    [
      'an agent that nobody knows',
      { [`${batch}/prompts/technical-writer.v2.txt`]: '' },
      '1:1 warning maestro/prompt: the agent “technical-writerv2”, not one of the twelve agents of version 1.2.1',
    ],
    [
      'two prompts for one agent',
      { [`${batch}/prompts/coder.txt`]: '' },
      '1:1 error maestro/prompt: the agent “coder”, like coder.md, not one prompt for each agent: both write the same results',
    ],
    [
      'a folder among the prompts',
      { [`${batch}/prompts/more/coder.txt`]: '' },
      '1:1 error maestro/prompt: a folder among the prompts, not files only: the dispatcher stops here',
    ],
  ])('%s', (_, files, expected) => expect(told(batches({ ...results, ...files }).problems)).toContain(expected))

  it('a summary of an earlier dispatch in the same folder', () => {
    const late = { [`${batch}/results/tester.exit`]: Date.parse('2026-03-01T01:00:00Z') }
    expect(onlyRun(format, { [active]: session, ...plans, ...results }, late).problems.map(({ rule }) => rule)).toEqual(
      ['maestro/stale-summary'],
    )
  })

  it('batches that no session claims are shown on their own', () => {
    const { view } = onlyRun(format, results).reading
    expect(view).toMatchObject({
      title: { value: 'No session in .gemini' },
      state: { value: null },
      phases: [{ title: { value: 'Batch phase-2-and-3' }, state: { value: 'failed' } }],
    })
  })
})
