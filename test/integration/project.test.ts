/** Folders on disk as they come: nested runs, links, pipes, files that are too big; and the command line that shows them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inspectProject, validateProject } from '../../src-main/projects/read/inspectProject'
import { callHere, startHere } from '../support/callHere'
import { nothingRemembered } from '../support/projectFiles'

let top: string
let project: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bridgedeck-project-'))
  project = join(top, 'project')
  mkdirSync(project)
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const example = (path: string) => readFileSync(resolve('test/fixtures', path))

function put(path: string, content: string | Uint8Array): void {
  const file = join(project, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function putMetaShell(folder: string): void {
  put(join(folder, '.meta/context.md'), example('spec000/context.md'))
  put(join(folder, '.meta/session.json'), example('spec000/session.json'))
}

function putNcrew(folder: string): void {
  put(join(folder, 'INDEX.md'), example('spec002/INDEX.md'))
  put(join(folder, 'tasks.md'), example('spec002/tasks.md'))
}

const signal = new AbortController().signal
const inspect = () => inspectProject(project, nothingRemembered, signal)

describe('A project', () => {
  it('has all its runs found, of several formats, nested and archived', async () => {
    putMetaShell('.')
    putNcrew('.')
    putMetaShell('apps/shop')
    putNcrew('archive/2025/crew')
    putMetaShell('node_modules/other')
    const { runs, findings } = await inspect()
    expect(runs.map(({ view }) => [view.key, view.archived])).toEqual([
      ['metashell:', false],
      ['metashell:apps/shop', false],
      ['ncrew:', false],
      ['ncrew:archive/2025/crew', true],
    ])
    expect(findings).toEqual([])
  })

  it('without any run is one without runs', async () => {
    put('README.md', '# Nothing')
    expect(await inspect()).toMatchObject({ runs: [], findings: [] })
  })

  it('that is not there, or no folder, is said so', async () => {
    put('file', '')
    await expect(inspectProject(join(top, 'gone'), nothingRemembered, signal)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(inspectProject(join(project, 'file'), nothingRemembered, signal)).rejects.toMatchObject({
      code: 'INVALID',
    })
  })

  it('may have links that go round in circles or lead nowhere', async () => {
    putMetaShell('one')
    symlinkSync('..', join(project, 'one/up'))
    symlinkSync('nowhere', join(project, 'one/gone'))
    symlinkSync('self', join(project, 'one/self'))
    const { runs, findings } = await inspect()
    expect(runs).toHaveLength(1)
    expect(findings.map(({ file, rule }) => [file, rule])).toEqual([
      ['one/gone', 'project/link'],
      ['one/self', 'project/link'],
      ['one/up', 'project/link'],
    ])
  })

  it('is read inside its folder only: a file behind a link out of it is refused and said', async () => {
    writeFileSync(join(top, 'secret.json'), '{"sessionId": "secret"}')
    putMetaShell('.')
    rmSync(join(project, '.meta/session.json'))
    symlinkSync(join(top, 'secret.json'), join(project, '.meta/session.json'))
    const { runs, findings } = await inspect()
    expect(JSON.stringify(runs)).not.toContain('"secret"')
    expect(findings).toMatchObject([{ file: '.meta/session.json', rule: 'project/outside' }])
  })

  it('may have a link to one of its own files where a file is expected', async () => {
    putMetaShell('.')
    put('state/real.json', example('spec000/session.json'))
    rmSync(join(project, '.meta/session.json'))
    symlinkSync('../state/real.json', join(project, '.meta/session.json'))
    expect((await inspect()).runs[0]?.view.state.value).toBe('running')
  })

  it('may have a pipe where a file is expected: nothing waits for it', async () => {
    putMetaShell('.')
    rmSync(join(project, '.meta/session.json'))
    execFileSync('mkfifo', [join(project, '.meta/session.json')])
    expect((await inspect()).runs[0]?.view.state.value).toBe(null)
  })

  it('may have files that are too big, binary, cut off or not UTF-8: each is a finding, and the others are read', async () => {
    putMetaShell('big')
    truncateSync(join(project, 'big/.meta/session.json'), 50 * 1024 * 1024)
    putMetaShell('binary')
    put('binary/.meta/session.json', Uint8Array.of(0x7b, 0, 0xff))
    putMetaShell('cut')
    put('cut/.meta/session.json', example('spec000/session.json').subarray(0, 300))
    putMetaShell('latin')
    put('latin/.meta/context.md', Buffer.from('# Project: caf\xe9', 'latin1'))
    const { runs } = await inspect()
    expect(runs.map(({ view, findings }) => [view.folder, view.title.value, findings.map(({ rule }) => rule)])).toEqual(
      [
        ['big', 'SuperTasker CLI', ['file/size']],
        ['binary', 'SuperTasker CLI', ['file/text']],
        ['cut', 'SuperTasker CLI', ['file/json']],
        ['latin', 'caf\uFFFD', ['file/encoding']],
      ],
    )
  })

  it('is validated with the place of everything that is wrong', async () => {
    putMetaShell('.')
    put('.meta/session.json', example('spec000/session.json').toString().replace('executing', 'done'))
    const { findings, runs } = await validateProject(project, nothingRemembered, signal)
    expect(runs).toEqual([{ system: 'metashell', folder: '', marker: '.meta/session.json' }])
    expect(findings).toMatchObject([
      { file: '.meta/session.json', line: 3, column: 13, rule: 'metashell/status', severity: 'error' },
    ])
  })

  it('is searched to a depth that no project has', async () => {
    putMetaShell('a/'.repeat(30))
    putMetaShell('b/'.repeat(60))
    const { runs, findings } = await inspect()
    expect(runs.map(({ view }) => view.folder)).toEqual([Array(30).fill('a').join('/')])
    expect(findings).toMatchObject([{ rule: 'project/depth' }])
  })

  it('may break a rule a hundred thousand times: the first two thousand are told, and how many more there are', async () => {
    putMetaShell('.')
    const tasks = Array.from({ length: 50_000 }, () => '{"id":"1","dependencies":["2"]}').join(',')
    put('.meta/session.json', `{"plan":{"tasks":[${tasks}]},${'"a":1,'.repeat(1000)}"variables":{}}`)
    const { findings } = await validateProject(project, nothingRemembered, signal)
    expect(findings).toHaveLength(2001)
    expect(findings.find(({ rule }) => rule === 'project/findings')?.found).toMatch(/^\d{6} more findings$/)
  })

  it('stops being searched when the caller no longer wants it', async () => {
    putMetaShell('.')
    await expect(inspectProject(project, nothingRemembered, AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

/** Of `project watch`. */
interface Line {
  readonly data: { runs?: string[]; field?: string; from?: string; to?: string; file?: string }
}

describe('The command line', () => {
  const environment = () => ({ ...process.env, BRIDGEDECK_DATA: join(top, 'data'), INIT_CWD: top })
  const bridgedeck = (...words: string[]) => callHere(words, { environment: environment() })

  it('shows each run with its state, its meters and what it needs', async () => {
    putNcrew('crew')
    put('crew/questions/software-architect-001-auth.md', example('spec002/question.md'))
    const { code, stdout } = await bridgedeck('project', 'inspect', 'project')
    expect(code).toBe(0)
    expect(stdout).toContain(
      'state     waiting (written: in_progress): A question needs an answer: Authentication Strategy',
    )
    expect(stdout).toContain('meter     Iterations: 42 of 100 iterations')
    expect(stdout).toContain(
      'needs     question: Authentication Strategy (crew/questions/software-architect-001-auth.md:28)',
    )
    expect(stdout).toContain('crew/INDEX.md:3:9: warning ncrew/contradiction')
  })

  it('shows the sample project: runs of all four formats in which every rule is kept', async () => {
    const sample = resolve('resources/sample-project')
    const { stdout } = await bridgedeck('project', 'inspect', sample)
    expect(
      [...stdout.matchAll(/^(\w+) {2}\S|^ {2}(?:state|needs) +(\w+)/gm)].map(([, system, word]) => system ?? word),
    ).toEqual([
      'metashell',
      'waiting',
      'question',
      'ncrew',
      'waiting',
      'question',
      'maestro',
      'waiting',
      'failure',
      'maestro',
      'done',
      'tuning',
      'gate',
      'approval',
    ])
    expect(await bridgedeck('project', 'validate', sample)).toEqual({
      code: 0,
      stdout: '5 runs: 0 errors, 0 warnings, 0 notes.\n',
      stderr: '',
    })
  })

  it('prints the whole of it as one object', async () => {
    putMetaShell('.')
    const { stdout } = await bridgedeck('project', 'inspect', 'project', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'bridgedeck.project.inspect/1',
      ok: true,
      data: { runs: [{ marker: '.meta/session.json', view: { system: 'metashell', state: { value: 'running' } } }] },
    })
  })

  it('validates: 0 when no rule is broken, 1 when one is', async () => {
    putMetaShell('.')
    expect(await bridgedeck('project', 'validate', 'project')).toMatchObject({
      code: 0,
      stdout: '1 run: 0 errors, 0 warnings, 0 notes.\n',
    })
    put('.meta/session.json', '{"sessionId": 7,')
    const { code, stdout } = await bridgedeck('project', 'validate', 'project', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      data: {
        valid: false,
        findings: [
          { file: '.meta/session.json', rule: 'metashell/required' },
          { rule: 'metashell/required' },
          { rule: 'metashell/required' },
          { rule: 'metashell/required' },
          // What is meant in a file that is cut off is not certain.
          { rule: 'metashell/session-id' },
          { rule: 'file/json' },
        ],
      },
    })
    putMetaShell('.')
    const whole = readFileSync(join(project, '.meta/session.json'), 'utf8')
    put('.meta/session.json', whole.replace(/"sessionId": *"[^"]*"/, '"sessionId": 7'))
    expect(JSON.parse((await bridgedeck('project', 'validate', 'project', '--json')).stdout)).toMatchObject({
      data: { findings: [{ rule: 'metashell/session-id', repair: { title: 'Write "7"' } }] },
    })
  })

  it('lists what waits for a person, oldest first, with what goes on then; of an archive nothing', async () => {
    const { stdout } = await bridgedeck('project', 'needs', resolve('resources/sample-project'), '--json')
    const { data } = JSON.parse(stdout) as {
      data: { needs: { system: string; need: { kind: string; since: { value: number }; unblocks: string[] } }[] }
    }
    expect(data.needs.map(({ need }) => need.kind).sort()).toEqual(['approval', 'failure', 'question', 'question'])
    expect(data.needs.map(({ need }) => need.since.value)).toEqual(
      data.needs.map(({ need }) => need.since.value).sort((a, b) => a - b),
    )
    expect(data.needs.find(({ system }) => system === 'maestro')?.need.unblocks).toEqual(['3', '4', '5'])
    expect((await bridgedeck('project', 'needs', resolve('resources/sample-project'))).stdout).toContain(
      'in maestro A scroller over colour bars, on a disk image; blocks: 3, 4, 5',
    )
    expect((await bridgedeck('project', 'needs', 'project')).stdout).toBe('Nothing needs you.\n')
  })

  it('watches: each change a line, until it is interrupted', async () => {
    putMetaShell('.')
    const watching = startHere(['project', 'watch', 'project', '--json'], { environment: environment() })
    const seen = () =>
      watching
        .output()
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as Line).data)
    try {
      await expect.poll(() => seen()[0]?.runs).toEqual(['metashell:.meta/session.json'])
      const session = example('spec000/session.json').toString()
      put('.meta/session.json', session.replace('"gapCount": 0', '"gapCount": 1'))
      await expect
        .poll(seen)
        .toContainEqual(expect.objectContaining({ file: '.meta/session.json', field: '/gapCount', from: '0', to: '1' }))
    } finally {
      watching.interrupt()
    }
    expect(await watching.ended).toMatchObject({ code: 130 })
  })

  it('lists what can be answered, shows what an answer would write, and writes it when told to', async () => {
    const question = 'questions/software-architect-001-auth.md'
    putNcrew('crew')
    put(`crew/${question}`, example('spec002/question.md'))
    const listed = await bridgedeck('project', 'answer', 'project')
    expect(listed.stdout).toMatch(
      /--action answer --target crew\/questions\/software-architect-001-auth\.md: Answer.*\n {4}decision: /,
    )
    const words = [
      'project',
      'answer',
      'project',
      '--action',
      'answer',
      '--set',
      '{"decision":"JWT","reason":"No server keeps state."}',
    ]
    const shown = await bridgedeck(...words)
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(
      /^-\*\*Decision:\*\* ___$[^]*^\+\*\*Decision:\*\* JWT$[^]*Nothing was written\. Add --yes.*$/m,
    )
    const before = readFileSync(join(project, 'crew', question), 'utf8')
    expect(before).toBe(example('spec002/question.md').toString())
    expect(await bridgedeck(...words, '--yes')).toMatchObject({ code: 0 })
    const after = readFileSync(join(project, 'crew', question), 'utf8')
    expect(after).toBe(
      before
        .replace('status: pending', 'status: resolved')
        .replace('**Decision:** ___', '**Decision:** JWT')
        .replace('**Reason:** ___', '**Reason:** No server keeps state.'),
    )
    expect(await bridgedeck(...words, '--yes')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('No such action for this run.') as string,
    })
    expect(await bridgedeck('project', 'act', 'project', '--run', 'ncrew:elsewhere')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('There is no run ncrew:elsewhere.') as string,
    })
  })

  it('takes the values of an answer as they are typed, and says which there are', async () => {
    putNcrew('crew')
    put('crew/questions/software-architect-001-auth.md', example('spec002/question.md'))
    const words = ['project', 'answer', 'project', '--action', 'answer']
    expect((await bridgedeck(...words, '--set', 'decision=Yes, go on', '--set', 'reason=1=1')).stdout).toMatch(
      /^\+\*\*Decision:\*\* Yes, go on$[^]*^\+\*\*Reason:\*\* 1=1$/m,
    )
    expect(await bridgedeck(...words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--set is missing for decision: Decision.') as string,
    })
    expect(await bridgedeck(...words, '--set', 'answer=Yes')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/no value “answer”.* decision, reason\./) as string,
    })
    put('crew/.noodlecrew.yml', 'execution:\n  max_iterations: 100\n  max_cost: 30.00\n')
    const limits = ['project', 'act', 'project', '--action', 'set-limits']
    expect(await bridgedeck(...limits, '--set', 'iterations=many')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('iterations takes a number, not “many”.') as string,
    })
    expect((await bridgedeck(...limits, '--set', 'iterations=120')).stdout).toMatch(/^\+.*120/m)
  })

  it('says what is wrong with its words: usage is 2, a folder that is not there is 7', async () => {
    expect(await bridgedeck('project', 'validate')).toMatchObject({ code: 2, stdout: '' })
    expect(await bridgedeck('project', 'inspect', 'nowhere')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('There is no folder') as string,
    })
  })

  it('prints what others wrote without letting it command the terminal', async () => {
    put('.meta/context.md', '# Project: \u001b]0;owned\u0007\u001b[31mred\u202e\n')
    const { stdout } = await bridgedeck('project', 'inspect', 'project')
    expect(stdout).toContain('\\u001b]0;owned\\u0007\\u001b[31mred\\u202e')
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})
