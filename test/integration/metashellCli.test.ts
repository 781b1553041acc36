/** The command line's `metashell …`, with agents that are processes: interrupted, killed at random, and going on. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { agentSchema, type AgentRun } from '@shared/contract/agents'
import { validateProject } from '../../src-main/projects/read/inspectProject'
import { AgentRunStore } from '../../src-main/storage/agentRuns'
import { openDatabase } from '../../src-main/storage/database'
import { SettingsStore } from '../../src-main/storage/settings'
import { callHere, startHere, type Ended, type RunningCall } from '../support/callHere'
import { startProcess, type CallProcess } from '../support/callProcess'
import { GitShim } from '../support/gitShim'
import { TestRepository } from '../support/repository'
import { nothingRemembered } from '../support/projectFiles'

let repository: TestRepository
let data: string
const started: CallProcess[] = []
let here: RunningCall | undefined

beforeEach(() => {
  repository = new TestRepository()
  repository.commit('Begin', {
    '.meta/context.md': '# Project: Tape tool\n',
    '.gitignore': '.meta/session.json*\n.meta/artifacts\n.meta/.*\n.hold\n',
  })
  data = mkdtempSync(join(tmpdir(), 'bridgedeck-metashell-'))
})
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  here?.interrupt()
  await here?.ended
  here = undefined
  repository.remove()
  rmSync(data, { recursive: true, force: true })
})

/** As the settings keep one that the person set up. */
function setUp(...args: string[]): void {
  mkdirSync(data, { recursive: true })
  const database = openDatabase(join(data, 'bridgedeck.sqlite'))
  const agent = agentSchema.parse({
    name: 'fake',
    preset: 'custom',
    command: process.execPath,
    model: null,
    args: [resolve('test/peers/agents/metashellAgent.mjs'), ...args],
    environment: [],
    timeLimit: 600,
    maxTurns: null,
    maxCost: null,
  })
  new SettingsStore(database).change({ agents: [agent] })
  database.close()
}

const environment = () => ({ ...process.env, BRIDGEDECK_DATA: data, INIT_CWD: repository.root })
const bridgedeck = (...words: string[]) => callHere(words, { environment: environment() })

/** In a process of its own, to be killed. */
function start(words: readonly string[], more: NodeJS.ProcessEnv = {}): CallProcess {
  const call = startProcess(words, { environment: { ...environment(), ...more } })
  started.push(call)
  return call
}
const run = ['metashell', 'run', '.']
const trust = () => bridgedeck('project', 'trust', repository.root, '--yes')

const until = (what: () => boolean): Promise<boolean> => vi.waitUntil(what, { timeout: 60_000, interval: 20 })

interface SessionFile {
  readonly status: string
  readonly plan?: {
    readonly currentTaskIdx: number
    readonly tasks: readonly { readonly id: string; readonly status: string; readonly commits?: readonly string[] }[]
  }
  readonly variables: Readonly<Record<string, unknown>>
}
const session = () => JSON.parse(readFileSync(join(repository.root, '.meta/session.json'), 'utf8')) as SessionFile

describe('metashell on the command line', () => {
  it('describes a new project, once', async () => {
    const init = () => bridgedeck('metashell', 'init', 'new', '--name', 'Tape tool', '--idea', 'Read tapes.')
    expect(await init()).toMatchObject({ code: 0 })
    const file = join(repository.root, 'new/.meta/context.md')
    expect(readFileSync(file, 'utf8')).toContain('# Project: Tape tool\n\n## Vision\n\nRead tapes.\n')
    expect(await init()).toMatchObject({ code: 6, stderr: expect.stringContaining('already has') as string })
  })

  it('needs a folder that is trusted, an agent, and a context, and says which is missing', async () => {
    expect(await bridgedeck('metashell', 'run', '.')).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/is restricted: Bridgedeck runs nothing there/) as string,
    })
    expect(await trust()).toMatchObject({ code: 0 })
    expect(await bridgedeck('metashell', 'run', '.')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^No agent is set up/) as string,
    })
    setUp()
    expect(await bridgedeck('metashell', 'run', '.', '--agent', 'nobody')).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/^No agent “nobody” is set up/) as string,
    })
    expect(await bridgedeck('metashell', 'resume', '.')).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/^There is no session in /) as string,
    })
    expect(await bridgedeck('metashell', 'rollback', '.')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--task is missing/) as string,
    })
    rmSync(join(repository.root, '.meta/context.md'))
    expect(await bridgedeck('metashell', 'run', '.')).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/^Project not initialized/) as string,
    })
    expect(existsSync(join(repository.root, '.meta/session.json'))).toBe(false)
  })

  it('runs a phase line by line, and rolls a task back, tried first', async () => {
    setUp()
    await trust()
    const { code, stdout, stderr } = await bridgedeck('metashell', 'run', '.')
    expect({ code, stderr }).toEqual({ code: 11, stderr: '' })
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        '[INFO] Started a new session.',
        '[INFO] Executing Task 02: Part 02',
        '[INFO] Task 03 is complete.',
        '[INFO] Phase Complete',
        'Review this phase, then start the next one.',
      ]),
    )
    expect(session()).toMatchObject({ status: 'halted', variables: { halt_reason: 'phase_complete' } })
    const [commit = ''] = session().plan?.tasks[2]?.commits ?? []
    for (const attempt of [[], ['--attempt', '1']])
      expect(await bridgedeck('project', 'diff', '.', '--task', '03', ...attempt)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^1 commit: [^]*03\.txt {2}\+\d[^]*\+\+\+ b\/03\.txt/) as string,
      })
    expect(await bridgedeck('project', 'diff', '.', '--task', '03', '--attempt', '2')).toMatchObject({ code: 7 })
    const trial = await bridgedeck('metashell', 'rollback', '.', '--task', '03')
    expect(trial).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`  ${commit.slice(0, 10)}  feat(03): part`) as string,
    })
    expect(existsSync(join(repository.root, '03.txt'))).toBe(true)
    const done = await bridgedeck('metashell', 'rollback', '.', '--task', '03', '--yes', '--json')
    expect(JSON.parse(done.stdout)).toMatchObject({
      schema: 'bridgedeck.metashell.rollback/1',
      ok: true,
      data: { result: { backup: expect.any(String) as string } },
    })
    expect(existsSync(join(repository.root, '03.txt'))).toBe(false)
    expect(session().plan?.tasks[2]).toMatchObject({ status: 'pending', commits: [] })
    expect(session().variables.reverted_commits).toEqual([commit])
    expect(session().plan?.currentTaskIdx).toBe(2)
    // A task on which another one builds, which is pending again as well.
    expect(await bridgedeck('metashell', 'rollback', '.', '--task', '01', '--yes')).toMatchObject({ code: 0 })
    expect(session().plan).toMatchObject({
      currentTaskIdx: 0,
      tasks: [
        { status: 'pending', commits: [] },
        { status: 'pending', commits: [expect.any(String) as string] },
        { status: 'pending' },
      ],
    })
    expect(await bridgedeck('metashell', 'run', '.')).toMatchObject({ code: 11 })
    const { stdout: reported } = await bridgedeck('report', '--since', '1h', '--json')
    expect(JSON.parse(reported)).toMatchObject({
      data: { projects: [{ runs: [{ system: 'metashell', changes: { unrecorded: 0 } }] }] },
    })
    const { stdout: status } = await bridgedeck('metashell', 'status', '.', '--json')
    expect(JSON.parse(status)).toMatchObject({ data: { done: 3, tasks: 3, status: 'halted', code: 11 } })
    expect(session().plan?.tasks.map(({ status }) => status)).toEqual(['complete', 'complete', 'complete'])
  })

  it('reports the commits of its turns alone, whenever the person commits', async () => {
    setUp('--tasks', '2')
    await trust()
    repository.commit('Of the person, before')
    expect(await bridgedeck('metashell', 'run', '.')).toMatchObject({ code: 11 })
    const made = session().plan?.tasks.flatMap(({ commits }) => commits ?? []) ?? []
    expect(made).toHaveLength(2)
    repository.commit('Of the person, after', { 'mine.txt': 'mine' })
    const { stdout } = await bridgedeck('report', '--since', '1h', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      data: {
        projects: [
          {
            runs: [
              {
                changes: {
                  commits: made.toReversed().map((commit) => ({ commit })),
                  hasMore: false,
                  unrecorded: 0,
                  gone: 0,
                  difference: { files: 2, added: 2, deleted: 0 },
                },
              },
            ],
          },
        ],
      },
    })
  })

  it.skipIf(process.platform === 'win32')(
    'finishes a rollback after it was killed between git and the session, however often it is asked',
    async () => {
      setUp('--tasks', '1')
      await trust()
      await bridgedeck('metashell', 'run', '.')
      const [task] = session().plan?.tasks ?? []
      const id = task?.id ?? ''
      const shim = new GitShim()
      try {
        shim.at('after', 'merge', 'kill -9 $PPID')
        const rollback = ['metashell', 'rollback', '.', '--task', id, '--yes']
        expect(await start(rollback, { PATH: shim.path, TMPDIR: data }).ended).toMatchObject({ code: null })
      } finally {
        shim.remove()
      }
      const reverted = repository.git('rev-parse', 'HEAD')
      expect(session().plan?.tasks[0]).toEqual(task)
      expect(repository.git('log', '-1', '--format=%s')).toMatch(/^Revert /)
      // An agent that was still at work.
      repository.commit('Since', { '01.txt': 'something else\n' })
      expect(await bridgedeck('metashell', 'rollback', '.', '--task', id, '--yes')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('git has nothing to do') as string,
      })
      expect(session()).toMatchObject({
        plan: { tasks: [{ status: 'pending', commits: [] }] },
        variables: { reverted_commits: task?.commits },
      })
      expect(repository.git('rev-parse', 'HEAD~1')).toBe(reverted)
    },
  )

  it('prints a line of JSON for each with --json, and ends with the run', async () => {
    setUp('--tasks', '1')
    await trust()
    const { code, stdout } = await bridgedeck('metashell', 'run', '.', '--json')
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { schema: string; data: object })
    expect(code).toBe(11)
    expect(lines.every(({ schema }) => schema === 'bridgedeck.metashell.run/1')).toBe(true)
    expect(lines.at(-1)?.data).toMatchObject({ loop: { state: 'ended', outcome: 'gate' } })
    expect(lines[0]?.data).toMatchObject({ line: { number: 1, level: 'info' } })
  })

  it('stops its agent and ends with 130 at Ctrl+C, refuses a second host meanwhile, and resumes', async () => {
    setUp('--tasks', '1')
    await trust()
    repository.put('.hold', 'Planner')
    const first = start(run)
    await until(() => first.output().includes('Planning phase'))
    expect(await bridgedeck('metashell', 'run', '.')).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/^Another Bridgedeck \(process \d+\) is already running it/) as string,
    })
    first.child.kill('SIGINT')
    expect(await first.ended).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/Stopped.*No process is left/) as string,
    })
    expect(session()).toMatchObject({ status: 'planning' })
    rmSync(join(repository.root, '.hold'))
    expect(await bridgedeck('metashell', 'resume', '.')).toMatchObject({
      code: 11,
      stdout: expect.stringContaining('Resuming an interrupted session (status: planning)') as string,
    })
  })
})

/** The runs of agents, as the last host left them, the newest first. */
function agentRuns(): AgentRun[] {
  const database = openDatabase(join(data, 'bridgedeck.sqlite'))
  try {
    return new AgentRunStore(database).page(null, 500)
  } finally {
    database.close()
  }
}
const runsOf = (purpose: string) => agentRuns().filter((run) => run.purpose.endsWith(`: ${purpose}`))

describe('a host that is killed', () => {
  it('leaves its agent to the next one, which waits for it and goes on from its answer', async () => {
    setUp('--tasks', '2')
    await trust()
    repository.put('.hold', '')
    const first = start(run)
    await until(() => first.output().includes('Executing Task 01'))
    await until(() => (runsOf('executor 01')[0]?.pid ?? null) !== null)
    first.child.kill('SIGKILL')
    await first.ended
    const second = start(run)
    await until(() => second.output().includes('Waiting for the executor that an earlier Bridgedeck started'))
    // However many hosts wait for it.
    second.child.kill('SIGKILL')
    await second.ended
    const third = startHere(run, { environment: environment() })
    here = third
    await until(() => third.output().includes('Waiting for the executor that an earlier Bridgedeck started'))
    rmSync(join(repository.root, '.hold'))
    expect(await third.ended).toMatchObject({
      code: 11,
      stdout: expect.stringContaining('Using the answer that the executor gave') as string,
    })
    expect(runsOf('executor 01')).toMatchObject([{ status: 'success', exitCode: null }])
    expect(runsOf('executor 02')).toMatchObject([{ status: 'success', exitCode: 0 }])
    expect(repository.git('log', '--format=%s', '--reverse').split('\n')).toEqual([
      'Begin',
      'feat(01): part',
      'feat(02): part',
    ])
  })

  // A few kills; `npm run bench -- night` makes hundreds, in all loops.
  it('leaves valid files whenever that is, and the run is continued to its end', async () => {
    const tasks = 4
    setUp('--tasks', String(tasks), '--wait', '30')
    await trust()
    let kills = 0
    async function killedSomewhere(): Promise<Ended> {
      const host = start(run)
      // Most of its life is spent in the first task that is left, also on a fast computer.
      await Promise.race([until(() => host.output() !== ''), host.ended])
      await wait(Math.random() * 60)
      if (host.child.kill('SIGKILL')) kills++
      return host.ended
    }
    let isComplete = false
    let last = ''
    for (let round = 0; round < 40 && !isComplete; round++) {
      const { code, stdout, stderr } = kills < 12 ? await killedSomewhere() : await bridgedeck(...run)
      last = `${code}: ${stdout}${stderr}`
      if (existsSync(join(repository.root, '.meta/session.json'))) expect(() => session()).not.toThrow()
      const { findings } = await validateProject(repository.root, nothingRemembered, new AbortController().signal)
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
      isComplete = code === 11
    }
    expect(isComplete, last).toBe(true)
    expect(kills).toBeGreaterThanOrEqual(4)
    const done = session()
    expect(done).toMatchObject({ status: 'halted', variables: { halt_reason: 'phase_complete' } })
    expect(done.plan?.tasks.map(({ status }) => status)).toEqual(Array(tasks).fill('complete'))
    for (const { id, commits } of done.plan?.tasks ?? [])
      expect(repository.git('show', '--format=%s', '--name-only', commits?.[0] ?? '')).toBe(
        `feat(${id}): part\n\n${id}.txt`,
      )
    expect(repository.git('log', '--format=%s').split('\n')).toHaveLength(tasks + 1)
    expect(existsSync(join(repository.root, '.meta/session.json.lock'))).toBe(false)
  })
})
