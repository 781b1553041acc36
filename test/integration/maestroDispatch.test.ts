/** `maestro dispatch` as a program, with a stand-in for Gemini that behaves badly on demand. It reads like part B of the requirement. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { isAlive } from '../support/agentBench'
import { GeminiProject, type GeminiNote } from '../support/geminiProject'
import { untilSaid } from '../support/untilSaid'

let gemini: GeminiProject
let top: string
let project: string
const batch = '.gemini/parallel/one'
beforeEach(() => {
  gemini = new GeminiProject()
  ;({ top, project } = gemini)
  mkdirSync(join(project, batch, 'prompts'), { recursive: true })
})
afterEach(() => gemini.remove())

const quick = { MAESTRO_STAGGER_DELAY: '0' }

const start = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  gemini.start(['maestro', ...words], environment)
/** To be killed. */
const startProcess = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  gemini.startProcess(['maestro', ...words], environment)
const call = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  gemini.run([...(['agent', 'project', 'setting'].includes(words[0] ?? '') ? [] : ['maestro']), ...words], environment)

/** Agents that hold do not end before they are released. */
const hold = () => writeFileSync(join(project, 'hold'), '')
const release = () => rmSync(join(project, 'hold'))

const dispatch = (environment: NodeJS.ProcessEnv = quick, ...more: readonly string[]) =>
  call(['dispatch', batch, '--trust', ...more], environment)

const prompt = (name: string, text: string | Buffer = `Work as ${name}.`) =>
  writeFileSync(join(project, batch, 'prompts', name), text)
const behaviour = (script: object) => gemini.behave(script)
const result = (name: string) => readFileSync(join(project, batch, 'results', name), 'utf8')
const hasResult = (name: string) => existsSync(join(project, batch, 'results', name))

const jsonSchema = z.object({
  schema: z.literal('bridgedeck.maestro.dispatch/1'),
  ok: z.literal(true),
  data: z.looseObject({}),
})

const callsFile = () => join(project, 'gemini-calls.jsonl')
const calls = (what: GeminiNote['what'] = 'start') => gemini.notes(what)

const summarySchema = z.strictObject({
  batch_status: z.enum(['success', 'partial_failure']),
  total_agents: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  wall_time_seconds: z.int(),
  agents: z.array(
    z.strictObject({ name: z.string(), exit_code: z.int(), status: z.enum(['success', 'failed', 'timeout']) }),
  ),
})
const needsSchema = z.object({
  data: z.object({ needs: z.array(z.object({ need: z.object({ kind: z.string(), title: z.string() }) })) }),
})
const summary = () => summarySchema.parse(JSON.parse(result('summary.json')))

describe('before the first process is started', () => {
  it.each([
    ['no folder is named', ['dispatch'], /^ERROR: Usage: .*maestro dispatch/],
    ['the folder has no prompts', ['dispatch', '.'], /^ERROR: Prompts directory not found: .*\nUsage: /],
  ])('it is wrong usage when %s', async (_what, words, message) => {
    const { code, stdout, stderr } = await call(words)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
  })

  it('a fault in the last prompt keeps the first from its agent', async () => {
    prompt('architect.md')
    prompt('wizard.md')
    const { code, stderr } = await dispatch()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^ERROR: Unknown agent wizard/)
    expect(calls()).toEqual([])
    expect(hasResult('')).toBe(false)
  })

  it.each([
    [
      'a prompt of more than 1,000,000 bytes',
      () => prompt('coder.md', Buffer.alloc(1_000_001, 'x')),
      {},
      /1000001 bytes/,
    ],
    ['an empty prompt', () => prompt('coder.md', ' \n'), {}, /coder\.md is empty/],
    [
      'a folder among the prompts',
      () => mkdirSync(join(project, batch, 'prompts/old')),
      {},
      /prompts\/old is a folder/,
    ],
    [
      'a link among them',
      () => symlinkSync('/etc/passwd', join(project, batch, 'prompts/coder.md')),
      {},
      /symbolic link/,
    ],
    ['no number', () => prompt('coder.md'), { MAESTRO_AGENT_TIMEOUT: 'x' }, /must be a positive integer \(got: x\)/],
  ])('it refuses %s', async (_what, prepare, environment, message) => {
    prompt('architect.md')
    prepare()
    const { code, stderr } = await dispatch({ ...quick, ...environment })
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
    expect(calls()).toEqual([])
  })

  it('it refuses a folder that is not trusted, and a computer without the program', async () => {
    prompt('coder.md')
    const restricted = await call(['dispatch', batch], quick)
    expect(restricted.code).toBe(1)
    expect(restricted.stderr).toMatch(/^ERROR: .* is restricted: .*[Tt]rust/)
    rmSync(join(top, 'bin/gemini'))
    const without = await dispatch()
    expect(without.code).toBe(1)
    expect(without.stderr).toContain('The program of the agent gemini was not found')
    expect(calls()).toEqual([])
  })

  it('it knows the agents of the extension where that is installed', async () => {
    mkdirSync(join(top, '.gemini/extensions/maestro/agents'), { recursive: true })
    writeFileSync(join(top, '.gemini/extensions/maestro/agents/ux-designer.md'), '')
    prompt('ux_designer.md')
    expect(await dispatch()).toMatchObject({ code: 0 })
    prompt('coder.md')
    expect((await dispatch()).stderr).toContain('Unknown agent coder (prompts/coder.md). Agents: ux_designer')
  })

  it('a dry run shows each setting with where it comes from, and starts nothing', async () => {
    prompt('code-reviewer.md')
    writeFileSync(join(project, '.env'), 'MAESTRO_AGENT_TIMEOUT=20\n')
    const { code, stdout } = await dispatch({ MAESTRO_MAX_CONCURRENT: '3' }, '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('MAESTRO_AGENT_TIMEOUT=20  (workspace .env)')
    expect(stdout).toContain('MAESTRO_MAX_CONCURRENT=3  (environment)')
    expect(stdout).toContain('MAESTRO_STAGGER_DELAY=5  (default)')
    expect(stdout).toContain('code-reviewer  code_reviewer  prompts/code-reviewer.md')
    expect(calls()).toEqual([])
  })
})

describe('each agent', () => {
  it('gets its command line, its name, and the folder with its prompt on standard input', async () => {
    prompt('technical-writer.md', 'Write it.\r\n')
    prompt('coder.md', 'Code it.')
    const answer = await dispatch({
      ...quick,
      MAESTRO_DEFAULT_MODEL: 'gemini-2.5-pro',
      MAESTRO_WRITER_MODEL: 'gemini-2.5-flash',
      MAESTRO_GEMINI_EXTRA_ARGS: '--sandbox --policy "my policy.toml" --allowed-tools=Read',
    })
    expect([answer.code, answer.stdout]).toEqual([0, ''])
    const byAgent = new Map(calls().map((call) => [call.agent, call]))
    const argv = byAgent.get('coder')?.argv ?? []
    expect(argv).toContain('--approval-mode=yolo')
    expect(argv.slice(argv.indexOf('--output-format'), argv.indexOf('--output-format') + 2)).toEqual([
      '--output-format',
      'json',
    ])
    expect(argv[argv.indexOf('-m') + 1]).toBe('gemini-2.5-pro')
    expect(argv.slice(-4)).toEqual(['--sandbox', '--policy', 'my policy.toml', '--allowed-tools=Read'])
    const writer = byAgent.get('technical_writer')
    expect(writer?.argv).toContain('gemini-2.5-flash')
    expect(writer?.stdin?.startsWith(`PROJECT ROOT: ${project}\n`)).toBe(true)
    expect(writer?.stdin?.endsWith('\n\nWrite it.\r\n')).toBe(true)
    for (const line of ['Model: gemini-2.5-pro', 'Writer Model: gemini-2.5-flash', 'Stagger Delay: 0s', 'unlimited'])
      expect(answer.stderr).toContain(line)
    expect(answer.stderr.match(/--allowed-tools is deprecated/g)).toHaveLength(1)
    expect(answer.stderr).toContain('technical-writer: SUCCESS (exit 0)')
  })

  it('leaves its output, its errors, and at its end its exit code', async () => {
    behaviour({ code_reviewer: { exit: 2, says: 'it is broken', bytes: 3_000_000 } })
    prompt('code-reviewer.md')
    prompt('architect.md')
    const { code, stderr } = await dispatch()
    expect(code).toBe(1)
    expect(stderr).toContain('code-reviewer: FAILED (exit 2)')
    expect(result('code-reviewer.exit')).toBe('2')
    expect(result('code-reviewer.log')).toBe('it is broken\n')
    expect(result('code-reviewer.json')).toHaveLength(3_000_000 + result('architect.json').length + 4)
    expect(summary()).toMatchObject({
      batch_status: 'partial_failure',
      total_agents: 2,
      succeeded: 1,
      failed: 1,
      agents: [
        { name: 'architect', exit_code: 0, status: 'success' },
        { name: 'code-reviewer', exit_code: 2, status: 'failed' },
      ],
    })
    expect(readdirSync(join(project, batch, 'results')).sort()).toEqual([
      'architect.exit',
      'architect.json',
      'architect.log',
      'code-reviewer.exit',
      'code-reviewer.json',
      'code-reviewer.log',
      'summary.json',
    ])
  })

  it.each([
    ['reads nothing of a long prompt', { readsNothing: true }, 0, '0'],
    ['ends with 124 by itself', { exit: 124 }, 1, '124'],
    ['is ended by a signal', { signal: 'SIGKILL' }, 1, '255'],
  ])('may be one that %s', async (_what, script, code, exit) => {
    behaviour({ coder: script })
    prompt('coder.md', 'x'.repeat(900_000))
    expect(await dispatch()).toMatchObject({ code })
    expect(result('coder.exit')).toBe(exit)
    expect(summary().agents[0]?.exit_code).toBe(Number(exit))
  })

  it('may print 100 MB, all of which is kept', async () => {
    behaviour({ coder: { bytes: 100_000_000 } })
    prompt('coder.md')
    expect(await dispatch()).toMatchObject({ code: 0 })
    const { size } = statSync(join(project, batch, 'results/coder.json'))
    expect(size).toBeGreaterThan(100_000_000)
    expect(size).toBeLessThan(100_001_000)
    expect(result('coder.exit')).toBe('0')
  })

  it('is stopped with its whole tree when it leaves a process behind', async () => {
    behaviour({ coder: { child: true } })
    prompt('coder.md')
    expect(await dispatch()).toMatchObject({ code: 0 })
    const [child] = calls('child')
    expect(child && isAlive(child.pid)).toBe(false)
  })
})

describe('a batch', () => {
  it('runs as many at once as it may', async () => {
    behaviour({ architect: { wait: 200 }, coder: { wait: 200 }, tester: { wait: 200 } })
    for (const name of ['architect', 'coder', 'tester']) prompt(name)
    const { code, stderr } = await dispatch({ ...quick, MAESTRO_MAX_CONCURRENT: '1' })
    expect(code).toBe(0)
    expect(stderr).toContain('Max Concurrent: 1')
    const ends = calls('end')
    for (const [index, { time }] of calls().slice(1).entries())
      expect(time).toBeGreaterThanOrEqual(ends[index]?.time ?? Infinity)
  })

  it('waits between two starts', async () => {
    for (const name of ['architect', 'coder']) prompt(name)
    expect(await dispatch({ MAESTRO_STAGGER_DELAY: '1' })).toMatchObject({ code: 0 })
    const [first, second] = calls()
    // Between the starts of two programs, whose own first line may come late.
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThan(500)
  })

  it('prints an object a line with --json, and nothing beside', async () => {
    prompt('coder.md')
    const { code, stdout, stderr } = await dispatch(quick, '--json')
    expect([code, stderr]).toEqual([0, ''])
    const printed = stdout
      .trim()
      .split('\n')
      .map((line) => jsonSchema.parse(JSON.parse(line)).data)
    expect(printed.at(-1)).toMatchObject({ loop: { outcome: 'done' } })
    expect(printed.slice(0, -1).every((data) => 'line' in data)).toBe(true)
  })

  it('keeps the results of an earlier one apart', async () => {
    prompt('coder.md')
    await dispatch()
    rmSync(join(project, batch, 'prompts/coder.md'))
    prompt('tester.md')
    expect(await dispatch()).toMatchObject({ code: 0 })
    expect(hasResult('coder.json')).toBe(false)
    expect(readdirSync(join(project, batch, 'results.1'))).toContain('coder.json')
    expect(summary().agents.map(({ name }) => name)).toEqual(['tester'])
  })

  it('resumes with those that have no result, and those that failed', async () => {
    behaviour({ coder: { exit: 1 } })
    for (const name of ['architect', 'coder', 'tester']) prompt(name)
    expect(await dispatch()).toMatchObject({ code: 1 })
    rmSync(join(project, batch, 'results/tester.exit'))
    behaviour({})
    rmSync(callsFile())
    expect(await dispatch(quick, '--resume')).toMatchObject({ code: 0 })
    expect(
      calls()
        .map(({ agent }) => agent)
        .sort(),
    ).toEqual(['coder', 'tester'])
    expect(summary()).toMatchObject({ batch_status: 'success', total_agents: 3, succeeded: 3 })
  })

  it.each([
    ['removes its prompts where that is wanted', {}, 0, false],
    ['keeps them when one failed', { tester: { exit: 1 } }, 1, true],
  ])('%s', async (_what, script, code, isKept) => {
    behaviour(script)
    prompt('tester.md')
    expect(await dispatch({ ...quick, MAESTRO_CLEANUP_DISPATCH: 'true' })).toMatchObject({ code })
    expect(existsSync(join(project, batch, 'prompts'))).toBe(isKept)
    expect(summary().total_agents).toBe(1)
  })

  it('takes arguments of the project’s own .env once a person saw them, and again when they changed', async () => {
    prompt('coder.md')
    const env = (text: string) => writeFileSync(join(project, '.env'), text)
    env('MAESTRO_GEMINI_EXTRA_ARGS=--sandbox\n')
    const refused = await dispatch()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('MAESTRO_GEMINI_EXTRA_ARGS=--sandbox')
    expect(calls()).toEqual([])
    expect(await dispatch(quick, '--accept-env')).toMatchObject({ code: 0 })
    expect(await dispatch()).toMatchObject({ code: 0 })
    expect(calls().at(-1)?.argv).toContain('--sandbox')
    env('MAESTRO_GEMINI_EXTRA_ARGS=--yolo\n')
    expect(await dispatch()).toMatchObject({ code: 1 })
  })

  it('is stopped by Ctrl+C with all its trees, and says so in what it leaves', async () => {
    behaviour({ architect: {}, coder: { forever: true, child: true } })
    for (const name of ['architect', 'coder', 'tester']) prompt(name)
    const { child, ended } = startProcess(['dispatch', batch, '--trust'], { MAESTRO_STAGGER_DELAY: '3600' })
    await vi.waitFor(() => expect(hasResult('architect.exit')).toBe(true), 60_000)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    expect(summary().agents).toEqual([{ name: 'architect', exit_code: 0, status: 'success' }])
    rmSync(callsFile())
    const second = start(['dispatch', batch, '--resume'], quick)
    await vi.waitFor(() => expect(calls().map(({ agent }) => agent)).toContain('coder'), 60_000)
    second.interrupt()
    expect((await second.ended).code).toBe(130)
    expect(result('coder.exit')).toBe('130')
    for (const { pid } of [...calls(), ...calls('child')]) expect(isAlive(pid)).toBe(false)
  })

  it('leaves valid files when it is killed, and can be resumed once its agents have ended', async () => {
    behaviour({ coder: { wait: 1_000 } })
    for (const name of ['architect', 'coder']) prompt(name)
    const { child, ended } = startProcess(['dispatch', batch, '--trust'], quick)
    await vi.waitFor(() => expect(calls().map(({ agent }) => agent)).toContain('coder'), 60_000)
    await vi.waitFor(() => expect(hasResult('architect.exit')).toBe(true), 60_000)
    child.kill('SIGKILL')
    await ended
    expect(result('architect.exit')).toBe('0')
    expect(hasResult('summary.json')).toBe(false)
    await vi.waitFor(() => expect(calls('end').map(({ agent }) => agent)).toContain('coder'), 60_000)
    await vi.waitFor(() => expect(calls().some(({ pid }) => isAlive(pid))).toBe(false), 60_000)
    expect(await dispatch(quick, '--resume')).toMatchObject({ code: 0 })
    expect(summary()).toMatchObject({ batch_status: 'success', total_agents: 2 })
  })

  it.each([
    ['still run', false],
    ['ended meanwhile', true],
  ])(
    'takes over agents that %s after it was killed: none is run twice, and each has its own exit code',
    async (_what, haveEnded) => {
      behaviour({ coder: { holds: true, exit: 2, bytes: 100_000 }, tester: { holds: true } })
      hold()
      for (const name of ['architect', 'coder', 'tester', 'refactor']) prompt(name)
      const limited = { ...quick, MAESTRO_MAX_CONCURRENT: '3' }
      const { child, ended } = startProcess(['dispatch', batch, '--trust'], limited)
      await vi.waitFor(() => expect(calls().map(({ agent }) => agent)).toContain('coder'), 60_000)
      await vi.waitFor(() => expect(hasResult('architect.exit')).toBe(true), 60_000)
      child.kill('SIGKILL')
      await ended
      if (haveEnded) {
        release()
        await vi.waitFor(() => expect(calls().some(({ pid }) => isAlive(pid))).toBe(false), 60_000)
      }
      const first = new Set(calls().map(({ agent }) => agent))
      const resumed = start(['dispatch', batch, '--trust', '--resume'], limited)
      if (!haveEnded) {
        await untilSaid(resumed, 'that an earlier Bridgedeck started')
        release()
      }
      const { code, stderr } = await resumed.ended
      expect([code, stderr]).toEqual([1, expect.stringContaining('coder: FAILED (exit 2)')])
      expect(
        calls()
          .map(({ agent }) => agent)
          .filter((agent) => agent !== 'architect')
          .sort(),
      ).toEqual(['coder', 'refactor', 'tester'])
      expect(first).toContain('coder')
      expect(result('coder.exit')).toBe('2')
      expect(result('coder.json')).toHaveLength(100_000 + result('architect.json').length - 'architect'.length + 5)
      expect(summary()).toMatchObject({
        total_agents: 4,
        succeeded: 3,
        failed: 1,
        agents: [{ exit_code: 0 }, { exit_code: 2 }, { exit_code: 0 }, { exit_code: 0 }],
      })
      expect(readdirSync(join(project, batch, 'results')).filter((name) => name.endsWith('.tmp'))).toEqual([])
    },
  )

  it('counts agents that it took over as places, and leaves the others waiting', async () => {
    behaviour({ coder: { holds: true } })
    hold()
    for (const name of ['coder', 'tester']) prompt(name)
    const one = { ...quick, MAESTRO_MAX_CONCURRENT: '1' }
    const { child, ended } = startProcess(['dispatch', batch, '--trust'], one)
    await vi.waitFor(() => expect(calls()).toHaveLength(1), 60_000)
    child.kill('SIGKILL')
    await ended
    const left = calls()[0]?.agent
    const resumed = start(['dispatch', batch, '--trust', '--resume'], one)
    await untilSaid(resumed, '1 of at most 1 run')
    release()
    expect((await resumed.ended).code).toBe(0)
    expect(calls().map(({ agent }) => agent)).toEqual(['coder', 'tester'])
    expect(left).toBe('coder')
    expect(calls()[1]?.time).toBeGreaterThanOrEqual(calls('end')[0]?.time ?? Infinity)
  })

  it('is not begun anew while agents of an earlier one are at work', async () => {
    behaviour({ coder: { forever: true } })
    prompt('coder')
    const { child, ended } = startProcess(['dispatch', batch, '--trust'], quick)
    await vi.waitFor(() => expect(calls()).toHaveLength(1), 60_000)
    child.kill('SIGKILL')
    await ended
    const { code, stderr } = await dispatch()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is still working on this run[^]*--resume/)])
    expect((await call(['agent', 'runs', '--left'])).stdout).toContain('coder')
    expect((await call(['agent', 'stop', '--left'])).stdout).toContain('Stopped ')
    expect((await call(['agent', 'stop', '--left'])).stdout).toContain('No agent is left.')
    behaviour({})
    expect(await dispatch()).toMatchObject({ code: 0 })
    for (const { pid } of calls()) expect(isAlive(pid)).toBe(false)
  })

  it.each([
    [
      'of a session',
      'runHours',
      'of the project’s batches',
      { '.gemini/state/active-session.md': '---\nsession_id: 2026-03-02-a\nstatus: in_progress\nphases: []\n---\n' },
    ],
    ['without a session', 'runHours', 'of the project’s batches', {}],
    ['without a session', 'nightHours', 'of this night', {}],
  ])(
    '%s at a limit (%s) needs the person, and resumes once the limit is raised',
    async (_what, limit, whose, files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(project, path)), { recursive: true })
        writeFileSync(join(project, path), text)
      }
      prompt('coder.md')
      prompt('tester.md')
      const one = { ...quick, MAESTRO_MAX_CONCURRENT: '1' }
      const needs = async () =>
        needsSchema.parse(JSON.parse((await call(['project', 'needs', '.', '--json'])).stdout)).data.needs
      expect(await call(['setting', 'set', `agentLimits.${limit}`, '0.00001'])).toMatchObject({ code: 0 })
      expect(await dispatch(one)).toMatchObject({
        code: 20,
        stderr: expect.stringContaining('project answer') as string,
      })
      expect((await needs()).map(({ need }) => need)).toEqual([
        { kind: 'limit', title: expect.stringContaining(`Time limit ${whose} reached`) as string },
      ])
      expect(await dispatch(one, '--resume')).toMatchObject({ code: 20 })
      const answer = ['project', 'answer', '.', '--action', 'raise-limit', '--set', 'limit=8', '--yes']
      expect(await call(answer)).toMatchObject({ code: 0 })
      expect(await needs()).toEqual([])
      expect(await dispatch(one, '--resume')).toMatchObject({ code: 0 })
      expect(calls().map(({ agent }) => agent)).toEqual(['coder', 'tester'])
      expect(summary()).toMatchObject({ batch_status: 'success', total_agents: 2 })
    },
  )

  it.each([
    ['one after the other, and starts no further one', '1', ['coder'], ['coder', 'coder', 'tester']],
    ['at once', '2', ['coder', 'tester'], ['coder', 'coder', 'tester', 'tester']],
  ])('needs the person where a key is refused, %s', async (_what, concurrency, first, all) => {
    prompt('coder.md')
    prompt('tester.md')
    const environment = { ...quick, MAESTRO_MAX_CONCURRENT: concurrency }
    const keyless = { exit: 41, wait: 200 }
    behaviour({ coder: keyless, tester: keyless })
    const needs = async () =>
      needsSchema.parse(JSON.parse((await call(['project', 'needs', '.', '--json'])).stdout)).data.needs
    const agents = () =>
      calls()
        .map(({ agent }) => agent)
        .toSorted()
    expect(await dispatch(environment)).toMatchObject({
      code: 10,
      stderr: expect.stringMatching(/gemini needs you: .*it is not signed in.*/) as string,
    })
    expect(agents()).toEqual(first)
    expect((await needs()).map(({ need }) => need)).toEqual([
      { kind: 'failure', title: expect.stringContaining('gemini needs you') as string },
    ])
    expect(await dispatch(environment, '--resume')).toMatchObject({ code: 10 })
    expect(agents()).toEqual(first)
    expect(await call(['project', 'answer', '.', '--action', 'continue-run', '--yes'])).toMatchObject({ code: 0 })
    behaviour({})
    expect(await dispatch(environment, '--resume')).toMatchObject({ code: 0 })
    expect(agents()).toEqual(all)
    expect(await needs()).toEqual([])
  })

  it('in a git repository records what each agent committed, and shows it', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args])
    writeFileSync(join(project, '.gitignore'), '.gemini/\ngemini*\n')
    git('init', '--quiet', '--initial-branch=main')
    git('add', '--all')
    git('commit', '--quiet', '-m', 'Begin')
    prompt('coder.md')
    prompt('tester.md')
    behaviour({
      coder: { writes: { 'a.txt': 'a\n' }, commits: 'silent' },
      tester: { writes: { 'b.txt': 'b\n' }, commits: 'silent' },
    })
    expect((await dispatch({ ...quick, MAESTRO_MAX_CONCURRENT: '1' })).code).toBe(0)
    const { runs } = z
      .object({ data: z.object({ runs: z.array(z.object({ run: z.string(), purpose: z.string() })) }) })
      .parse(JSON.parse((await call(['agent', 'runs', '--json'])).stdout)).data
    const turnOf = async (agent: string) => {
      const run = runs.find(({ purpose }) => purpose.endsWith(`: ${agent}`))?.run ?? ''
      return JSON.parse((await call(['project', 'diff', '.', '--turn', run, '--json'])).stdout) as object
    }
    const hashOf = (agent: string) => calls('commit').find((call) => call.agent === agent)?.hash
    expect(await turnOf('coder')).toMatchObject({ data: { commits: [hashOf('coder')], files: [{ path: 'a.txt' }] } })
    expect(await turnOf('tester')).toMatchObject({ data: { commits: [hashOf('tester')], files: [{ path: 'b.txt' }] } })
  })

  it('has files for its owner alone', async () => {
    prompt('coder.md')
    await dispatch()
    for (const name of ['coder.json', 'coder.exit', 'summary.json'])
      expect(statSync(join(project, batch, 'results', name)).mode & 0o777).toBe(0o600)
  })

  it('has the name of Maestro’s own script as well', async () => {
    prompt('coder.md')
    expect(await call(['parallel-dispatch', batch, '--trust'], quick)).toMatchObject({ code: 0 })
  })
})
