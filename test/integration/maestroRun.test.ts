/** `maestro run` as a program, from a session's first phase to its archive, with a stand-in for Gemini. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { plain } from '../../src-main/formats/text/located'
import { readFrontMatter } from '../../src-main/formats/text/frontMatter'
import { StateText } from '../../src-main/formats/text/stateFile'
import { newSession, readPhaseLines } from '../../src-main/formats/maestro/session/newSession'
import { turnRecords } from '@shared/turnRecord'
import { openDatabase } from '../../src-main/storage/database'
import { RUN_ID, SidecarStore } from '../../src-main/storage/sidecar'
import { SpendingStore } from '../../src-main/storage/spending'
import { GeminiProject, type GeminiNote } from '../support/geminiProject'
import { untilSaid } from '../support/untilSaid'

let gemini: GeminiProject
let top: string
let project: string
/** Of the environment. */
let more: Record<string, string>
beforeEach(() => {
  more = {}
  gemini = new GeminiProject()
  ;({ top, project } = gemini)
  mkdirSync(join(project, '.gemini/state'), { recursive: true })
})
afterEach(() => gemini.remove())

const environment = () => ({ MAESTRO_STAGGER_DELAY: '0', ...more })
const call = (...words: readonly string[]) => gemini.run(words, environment())
const run = (...words: readonly string[]) => call('maestro', 'run', '--trust', ...words)

const file = () => join(project, '.gemini/state/active-session.md')
const session = (lines: string, task = 'Tapes') => {
  const { id, text } = newSession({
    task,
    design: null,
    plan: null,
    time: '2026-03-02T10:00:00.000Z',
    taken: [],
    phases: readPhaseLines(lines),
  })
  writeFileSync(file(), text)
  return id
}
function repositoryHere() {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args]).toString()
  writeFileSync(join(project, '.gitignore'), '.gemini/\ngemini-calls.jsonl\nhold\n')
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'Begin')
  return git
}
const reportSchema = z.looseObject({
  data: z.looseObject({ projects: z.array(z.looseObject({ runs: z.array(z.looseObject({})) })) }),
})
async function reported() {
  const { stdout } = await call('report', '--since', '1h', '--json')
  return reportSchema.parse(JSON.parse(stdout)).data.projects.flatMap(({ runs }) => runs)
}
/** Whose they are, and how many. */
function recordsOf(place: string) {
  const database = openDatabase(join(top, 'data/bridgedeck.sqlite'))
  try {
    const kept = new SidecarStore(database).all(1, `maestro:${place}`)
    const { milliseconds } = new SpendingStore(database).ofRun(1, `maestro:${place}`)
    return { owner: kept.get(RUN_ID), records: turnRecords(kept).length, isCharged: milliseconds > 0 }
  } finally {
    database.close()
  }
}
const behaviour = (script: object) => gemini.behave(script)
const archived = () =>
  readdirSync(join(project, '.gemini/state/archive')).filter((name) => !name.startsWith('2026-11-02'))

const notes = (what: GeminiNote['what']) => gemini.notes(what)
const calls = () => notes('start')
const promptOf = (agent: string, number = 0) => calls().filter((call) => call.agent === agent)[number]?.stdin ?? ''

const frontSchema = z.looseObject({
  status: z.string(),
  token_usage: z.looseObject({ total_input: z.number(), by_agent: z.record(z.string(), z.looseObject({})) }),
  phases: z.array(
    z.looseObject({
      status: z.string(),
      files_created: z.array(z.string()),
      retry_count: z.number(),
      errors: z.array(z.looseObject({ type: z.string(), resolved: z.boolean() })),
    }),
  ),
})
function front(path = file()) {
  const { root } = readFrontMatter(new StateText('s.md', readFileSync(path, 'utf8'))).document
  return frontSchema.parse(root && plain(root))
}
const statuses = (path?: string) => front(path).phases.map(({ status }) => status)

describe('a session', () => {
  it('of the sample project is led to its end, a phase whose retries are used up included', async () => {
    rmSync(project, { recursive: true })
    cpSync(resolve('resources/sample-project'), project, { recursive: true })
    const stuck = await run()
    expect(stuck.code).toBe(10)
    expect(stuck.stderr).toContain('retries are used up')
    const { code, stderr } = await run('--retry-failed')
    expect([code, stderr]).toEqual([0, expect.stringContaining('Archived the session 2026-11-17-scroller')])
    expect(calls().map(({ agent }) => agent)).toEqual([
      'debugger',
      'devops_engineer',
      'technical_writer',
      'code_reviewer',
    ])
    expect(archived()).toEqual(['2026-11-17-scroller.md'])
    const path = join(project, '.gemini/state/archive/2026-11-17-scroller.md')
    expect(statuses(path)).toEqual(['completed', 'completed', 'completed', 'completed', 'completed'])
    expect(readFileSync(path, 'utf8')).toContain('## Code Review (passed)')
    // What earlier phases handed over, and why the last attempt failed.
    expect(promptOf('debugger')).toContain('font at $3000')
    expect(promptOf('debugger')).toContain('No report after ten minutes')
  })

  it('keeps its turns and its cost in the report once it is archived, and gives none to the next one', async () => {
    repositoryHere()
    const first = session('Reader: coder')
    expect((await run('--mode', 'sequential')).stderr).toContain(`Archived the session ${first}`)
    expect(await reported()).toMatchObject([{ title: 'Tapes', state: 'done', isGone: false, turns: calls().length }])
    const turns = calls().length
    const second = session('Reader: coder\nNotes: technical_writer', 'Disks')
    behaviour({ coder: { exit: 1 } })
    expect((await run('--mode', 'sequential')).code).toBe(10)
    const next = calls().length - turns
    expect(next).toBeGreaterThan(0)
    expect(await reported()).toMatchObject([
      { title: 'Disks', state: 'waiting', turns: next },
      { title: 'Tapes', state: 'done', turns },
    ])
    expect(recordsOf('.gemini/state/active-session.md')).toEqual({ owner: second, records: next, isCharged: true })
    expect(recordsOf(`.gemini/state/archive/${first}.md`)).toEqual({ owner: first, records: turns, isCharged: true })
    rmSync(join(project, '.gemini/state/archive'), { recursive: true })
    expect(await reported()).toMatchObject([
      { title: 'Disks', turns: next },
      { title: 'Tapes', system: 'maestro', state: null, isGone: true, turns },
    ])
  })

  it('of Maestro 1.4 and newer is found and run where that keeps it, without any setting', async () => {
    rmSync(join(project, '.gemini'), { recursive: true })
    const newer = join(project, 'docs/maestro/state')
    mkdirSync(newer, { recursive: true })
    const created = await call('maestro', 'session', 'create', '--task', 'Tapes', '--new-phase', 'Reader: coder')
    expect(created).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(join(newer, 'active-session.md'))).toBe(true)
    expect((await call('maestro', 'session', 'resume')).stdout).toContain('Next: phase 1')
    expect((await call('maestro', 'read-active-session')).stdout).toContain('task: "Tapes"')
    const { code, stderr } = await run('--mode', 'sequential')
    expect([code, stderr]).toEqual([0, expect.stringContaining('Archived the session')])
    expect(readdirSync(join(newer, 'archive'))).toHaveLength(1)
    expect(existsSync(join(project, '.gemini/state'))).toBe(false)
  })

  it('starts no further agent of a batch at a limit of what agents may use, and goes on once it is raised', async () => {
    session('Reader: coder\nLoader: debugger\nNotes: technical_writer')
    more = { MAESTRO_MAX_CONCURRENT: '1', MAESTRO_STAGGER_DELAY: '1' }
    const set = (hours: string) => call('setting', 'set', 'agentLimits.runHours', hours)
    expect(await set('0.00001')).toMatchObject({ code: 0 })
    const { code, stderr } = await run('--mode', 'parallel')
    expect([code, stderr]).toEqual([20, expect.stringContaining('Time limit of this run reached')])
    // On a slow computer the second one waited for its place already.
    expect(calls().length).toBeLessThan(3)
    expect(await set('8')).toMatchObject({ code: 0 })
    expect((await run('--mode', 'parallel')).stderr).toContain('Archived')
    expect(calls().map(({ agent }) => agent)).toContain('technical_writer')
  })

  it('runs independent phases as one batch, and hands over what they report', async () => {
    const id = session('Reader: coder\nLoader: debugger\nNotes: technical_writer, after 1, 2')
    behaviour({
      coder: { writes: { 'reader.md': 'x' }, tokens: { prompt: 100, candidates: 40, cached: 5 } },
      debugger: { writes: { 'loader.md': 'x' }, tokens: { prompt: 10, candidates: 4, cached: 0 } },
    })
    const { code } = await run('--mode', 'parallel')
    expect(code).toBe(0)
    const path = join(project, `.gemini/state/archive/${id}.md`)
    expect(statuses(path)).toEqual(['completed', 'completed', 'completed'])
    expect(front(path)).toMatchObject({
      token_usage: { total_input: 110, by_agent: { coder: { input: 100, output: 40, cached: 5 } } },
      phases: [{ files_created: ['reader.md'] }, { files_created: ['loader.md'] }, {}],
    })
    expect(existsSync(join(project, `.gemini/parallel/${id}-phases-1-2/results/summary.json`))).toBe(true)
    expect(promptOf('technical_writer')).toMatch(/reader\.md[^]*coder was here/)
  })

  it('fails the phases of a batch that claim one file, which only a person resolves', async () => {
    session('Reader: coder\nLoader: debugger')
    const writes = { writes: { 'shared.md': 'x' } }
    behaviour({ coder: writes, debugger: writes })
    const { code, stderr } = await run('--mode', 'parallel')
    expect([code, stderr]).toEqual([10, expect.stringContaining('needs your decision: file_conflict')])
    expect(front().phases.map(({ status, errors }) => [status, errors.map(({ type }) => type)])).toEqual([
      ['failed', ['file_conflict']],
      ['failed', ['file_conflict']],
    ])
  })

  it('holds what the agents of a batch claim against git, each its own and all together', async () => {
    session('Reader: coder\nLoader: debugger')
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args])
    writeFileSync(join(project, 'old.md'), 'as it was')
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '-m', 'Begin')
    const claims = '## Task Report\n- **Status**: success\n- **Files Modified**: `old.md`\n- **Validation**: pass\n'
    behaviour({
      coder: { answer: `${claims}## Downstream Context\n- **Warnings**: none\n`, writes: { 'secret.md': 'x' } },
      debugger: { writes: { 'loader.md': 'x' } },
    })
    more = { MAESTRO_VALIDATION_STRICTNESS: 'strict', MAESTRO_MAX_RETRIES: '0' }
    const { stderr } = await run('--mode', 'parallel')
    expect(stderr).toMatch(/claimed by no agent: .*secret\.md/)
    expect(statuses()).toEqual(['failed', 'completed'])
    expect(readFileSync(file(), 'utf8')).toContain('Claimed, but not changed: old.md.')
  })

  it('runs phases one after the other where no batch can be dispatched, and says so', async () => {
    const id = session('Reader: coder\nLoader: debugger')
    writeFileSync(join(project, '.gemini/parallel'), 'a file where a folder should be')
    const { code, stderr } = await run('--mode', 'parallel')
    expect([code, stderr]).toEqual([0, expect.stringContaining('No parallel dispatch')])
    const { phases } = front(join(project, `.gemini/state/archive/${id}.md`))
    expect(phases.map(({ status, errors }) => [status, errors])).toEqual([
      ['completed', [expect.objectContaining({ type: 'runtime', resolved: true })]],
      ['completed', [expect.objectContaining({ type: 'runtime', resolved: true })]],
    ])
  })

  it('runs phases one after the other where all of a batch failed, and says so', async () => {
    session('Reader: coder\nLoader: debugger')
    behaviour({ coder: { exit: 2 }, debugger: { exit: 2 } })
    const { code, stderr } = await run('--mode', 'parallel')
    expect(code).toBe(10)
    expect(stderr).toContain('one after the other')
    expect(front().phases[0]?.errors[0]).toMatchObject({ type: 'runtime', resolved: true })
  })

  it('starts no further agent of a batch once a key was refused, and needs the person', async () => {
    session('Reader: coder\nLoader: debugger')
    behaviour({ coder: { exit: 41 }, debugger: { exit: 41 } })
    more = { MAESTRO_MAX_CONCURRENT: '1' }
    const { code, stderr } = await run('--mode', 'parallel')
    expect([code, stderr]).toEqual([10, expect.stringContaining('gemini needs you')])
    expect(calls()).toHaveLength(1)
  })

  it('tries a failed phase twice more, each with an error of its own, and then needs a person', async () => {
    session('Reader: coder\nNotes: technical_writer, after 1')
    const failure =
      '## Task Report\n- **Status**: failure\n- **Errors**: no tape\n## Downstream Context\n- **Warnings**: none\n'
    behaviour({ coder: { answer: failure } })
    expect((await run('--mode', 'sequential')).code).toBe(10)
    expect(front().phases[0]).toMatchObject({ status: 'failed', retry_count: 2 })
    expect(front().phases[0]?.errors.map(({ resolved }) => resolved)).toEqual([true, true, false])
    expect(promptOf('coder', 1)).toContain('no tape')
    expect(calls()).toHaveLength(3)
  })

  it('asks once more where an answer has no report', async () => {
    session('Reader: coder')
    const report = '## Task Report\n- **Status**: success\n## Downstream Context\n- **Warnings**: none\n'
    behaviour({ coder: { answer: ['Done!', report] } })
    expect((await run('--mode', 'sequential')).code).toBe(0)
    expect(promptOf('coder', 1)).toContain('no report that can be read')
  })

  it('asks once more, too, where an answer of a batch has no report', async () => {
    const id = session('Reader: coder\nLoader: debugger')
    const report = '## Task Report\n- **Status**: success\n## Downstream Context\n- **Warnings**: none\n'
    behaviour({ coder: { answer: ['Done!', report], tokens: { prompt: 100 } }, debugger: { tokens: { prompt: 10 } } })
    expect((await run('--mode', 'parallel')).code).toBe(0)
    expect(promptOf('coder', 1)).toContain('no report that can be read')
    const { phases, token_usage } = front(join(project, `.gemini/state/archive/${id}.md`))
    expect(phases.map(({ status, retry_count }) => [status, retry_count])).toEqual([
      ['completed', 0],
      ['completed', 0],
    ])
    expect(token_usage.total_input).toBe(210)
  })

  it('stops at what the code review found', async () => {
    session('Reader: coder')
    const found = { findings: [{ severity: 'Critical', file: 'reader.asm', message: 'overwrites the stack' }] }
    behaviour({ coder: { writes: { 'reader.asm': 'x' } }, code_reviewer: { answer: JSON.stringify(found) } })
    expect((await run('--mode', 'sequential')).code).toBe(11)
    expect(readFileSync(file(), 'utf8')).toContain('## Code Review (blocked: 1 critical)')
    // Nothing changed since: it is not reviewed again.
    expect((await run()).code).toBe(11)
    expect(calls().filter(({ agent }) => agent === 'code_reviewer')).toHaveLength(1)
  })

  it('tells the commits of agents that worked at once apart, by what they name, and shows the rest as shared', async () => {
    session('Reader: coder\nLoader: debugger')
    repositoryHere()
    more = { MAESTRO_AUTO_ARCHIVE: 'false' }
    behaviour({
      coder: { writes: { 'reader.md': 'x\n' }, commits: 'told', holds: true },
      debugger: { writes: { 'loader.md': 'x\n' }, commits: 'silent', holds: true },
    })
    writeFileSync(join(project, 'hold'), '')
    const ended = run('--mode', 'parallel')
    await vi.waitFor(() => expect(notes('commit')).toHaveLength(2), 60_000)
    rmSync(join(project, 'hold'))
    expect((await ended).code).toBe(11)
    const hashOf = (agent: string) => notes('commit').find((note) => note.agent === agent)?.hash ?? ''
    const diff = async (...words: string[]) =>
      JSON.parse((await call('project', 'diff', '.', '--json', ...words)).stdout) as { data: object }
    expect((await diff('--task', '1')).data).toMatchObject({
      commits: [hashOf('coder')],
      files: [{ path: 'reader.md' }],
      shared: [{ agents: ['coder', 'debugger'], commits: [hashOf('debugger')] }],
    })
    expect((await diff('--task', '2')).data).toMatchObject({ commits: [], shared: [{ commits: [hashOf('debugger')] }] })
  })

  it('in a worktree has its agents work there, and is not archived before that is merged', async () => {
    session('One: coder')
    const git = repositoryHere()
    const { stderr } = await run('--mode', 'sequential', '--worktree')
    expect(stderr).toContain('All phases are done, in the worktree.')
    expect(statuses()).toEqual(['completed'])
    expect(existsSync(join(project, 'gemini-calls.jsonl'))).toBe(false)
    const [folder = ''] = readdirSync(join(top, 'data/loops'))
    expect(existsSync(join(top, 'data/loops', folder, 'worktree/gemini-calls.jsonl'))).toBe(true)
    expect(git('status', '--porcelain')).toBe('')
    expect(git('branch', '--list', 'bridgedeck/*').trim()).toContain('bridgedeck/maestro-')
  })

  it('asks for its mode first', async () => {
    session('Reader: coder')
    const { code, stderr } = await run()
    expect([code, calls()]).toEqual([11, []])
    expect(stderr).toContain('mode')
  })

  it.each(['sequential', 'parallel'])(
    'takes over %s agents that outlived the host: no phase is done twice, and each token is counted once',
    async (mode) => {
      session('Load tapes: coder\nTest tapes: tester')
      const holding = { holds: true, tokens: { prompt: 100 } }
      behaviour({ coder: holding, tester: holding })
      writeFileSync(join(project, 'hold'), '')
      const words = ['maestro', 'run', '--trust', '--mode', mode]
      const { child, ended } = gemini.startProcess(words, environment())
      await vi.waitFor(() => expect(calls()).toHaveLength(mode === 'parallel' ? 2 : 1), 60_000)
      child.kill('SIGKILL')
      await ended
      const resumed = gemini.start(words, environment())
      await untilSaid(resumed, 'that an earlier Bridgedeck started')
      rmSync(join(project, 'hold'))
      const { code, stderr } = await resumed.ended
      expect([code, stderr]).toEqual([0, expect.stringContaining('Archived the session')])
      expect(
        calls()
          .map(({ agent }) => agent)
          .sort(),
      ).toEqual(['coder', 'tester'])
      const [path = ''] = archived()
      const { token_usage, phases } = front(join(project, '.gemini/state/archive', path))
      expect(phases.map(({ status, retry_count }) => [status, retry_count])).toEqual([
        ['completed', 0],
        ['completed', 0],
      ])
      expect(token_usage.total_input).toBe(200)
    },
  )

  it.each(['sequential', 'parallel'])(
    'counts the tokens of a %s agent that was killed with its host once it had told them, beside those of the next',
    async (mode) => {
      session('Load tapes: coder\nTest tapes: tester')
      const tokens = { prompt: 100, candidates: 10, cached: 5 }
      behaviour({ coder: { lingers: true, tokens }, tester: { tokens } })
      writeFileSync(join(project, 'hold'), '')
      const words = ['maestro', 'run', '--trust', '--mode', mode]
      const { child, ended } = gemini.startProcess(words, environment())
      const [coder] = await vi.waitFor(() => {
        const found = calls().filter(({ agent }) => agent === 'coder')
        expect(found.map(({ run = '' }) => gemini.printedBy(run))).toEqual([expect.stringContaining('stats')])
        return found
      }, 60_000)
      child.kill('SIGKILL')
      await ended
      process.kill(coder?.pid ?? 0, 'SIGKILL')
      rmSync(join(project, 'hold'))
      const { code, stderr } = await call(...words)
      expect([code, stderr]).toEqual([0, expect.stringContaining('Archived the session')])
      const [path = ''] = archived()
      expect(front(join(project, '.gemini/state/archive', path)).token_usage).toMatchObject({
        total_input: 300,
        by_agent: { coder: { input: 200 }, tester: { input: 100 } },
      })
    },
  )

  it('is priced by the person’s prices where the agent tells no cost, which counts for its limit', async () => {
    const price = 'model: "*", input: 1000, output: 10000, cachedRead: 100, date: 2026-11-01, source: ours'
    mkdirSync(join(top, 'data'), { mode: 0o700 })
    writeFileSync(join(top, 'data/prices.yaml'), `- { ${price} }\n`)
    session('Reader: coder\nNotes: technical_writer')
    // 95 from no cache, 10 of an answer and 35 of thoughts, 5 from the cache: $0.095 + $0.45 + $0.0005
    behaviour({ coder: { tokens: { prompt: 100, candidates: 10, cached: 5 } } })
    const held = await run('--mode', 'sequential', '--max-cost', '0.19')
    expect([held.code, held.stderr]).toEqual([21, expect.stringContaining('Cost limit reached: $0.55 of $0.19 spent.')])
    expect(calls().map(({ agent }) => agent)).toEqual(['coder'])
    expect(await reported()).toMatchObject([{ turns: 1, cost: 0.5455, estimated: 0.5455, unpriced: 0 }])
    expect((await call('report', '--since', '1h')).stdout).toContain('≈ $0.55 ($0.55 of it from your prices)')
    expect((await call('agent', 'runs')).stdout).toContain('145 tokens  ≈ $0.55, from prices of 2026-11-01')
  })

  it('that an agent deletes is written back and waits for a person, and then goes on with its answer', async () => {
    session('Reader: coder\nNotes: technical_writer')
    behaviour({ coder: { moves: { '.gemini/state/active-session.md': null } } })
    const held = await run('--mode', 'sequential')
    expect([held.code, held.stderr]).toEqual([
      10,
      expect.stringContaining('active-session.md was deleted during the run'),
    ])
    expect(statuses()).toEqual(['in_progress', 'pending'])
    expect((await run()).code).toBe(10)
    expect((await call('project', 'needs', project)).stdout).toContain('was deleted during the run')
    expect((await call('project', 'answer', project, '--action', 'continue-run', '--yes')).code).toBe(0)
    expect((await run()).stderr).toContain('Archived the session')
    expect(calls().map(({ agent }) => agent)).toEqual(['coder', 'technical_writer'])
  })

  it('that an agent archives is not written back', async () => {
    const id = session('Reader: coder\nNotes: technical_writer')
    mkdirSync(join(project, '.gemini/state/archive'))
    const moves = { '.gemini/state/active-session.md': `.gemini/state/archive/${id}.md` }
    behaviour({ coder: { moves } })
    const { code, stderr } = await run('--mode', 'sequential')
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${id} was archived during the run`)])
    expect(existsSync(file())).toBe(false)
  })

  it('goes on with a phase that was cut off', async () => {
    session('Reader: coder')
    behaviour({ coder: { forever: true } })
    const cutOff = gemini.start(['maestro', 'run', '--trust', '--mode', 'sequential'], environment())
    await vi.waitFor(() => expect(calls()).toHaveLength(1), { timeout: 30_000 })
    cutOff.interrupt()
    expect((await cutOff.ended).code).toBe(130)
    expect(statuses()).toEqual(['in_progress'])
    behaviour({})
    const resumed = await run()
    expect([resumed.code, resumed.stderr]).toEqual([
      0,
      expect.stringContaining('phase 1 (Reader) was started and not finished.'),
    ])
    expect(promptOf('coder', 1)).toContain('was cut off')
  })
})
