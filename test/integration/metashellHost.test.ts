/** A Meta-Shell session run by the host, with real files in real git repositories; the agents are scripts that do what a test says. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultSettings, type Settings } from '@shared/contract/settings'
import { releaseHold, runHold } from '@shared/runHold'
import { turnRecords } from '@shared/turnRecord'
import { runWorktree } from '@shared/worktree'
import type { AgentRequest, AgentResult } from '../../src-main/agents/agent'
import { inspectProject, validateProject } from '../../src-main/projects/read/inspectProject'
import { Loops } from '../../src-main/loops/loops'
import { metashellLoop } from '../../src-main/loops/metashell/loop'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { TestRepository } from '../support/repository'
import { loopsOptions } from '../support/loopsOptions'
import { nothingRemembered } from '../support/projectFiles'

let repository: TestRepository
let data: string
let database: Database
let project: number
let loops: Loops
let agentLimits: Settings['agentLimits']
let asked: { role: string; prompt: string; timeLimit: number | undefined }[]
/** What the agents do; what is returned is their answer. */
let agents: Partial<
  Record<string, (request: AgentRequest, signal: AbortSignal) => object | string | Promise<object | string>>
>

const CONTEXT = '# Project: Tape tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n'
const summaryOf = ({ prompt }: AgentRequest): string => /"id": "([^"]+)"/.exec(prompt)?.[1] ?? '?'
const plan = (...ids: string[]) => ({
  phase_id: '1',
  tasks: ids.map((id, index) => ({ id, title: `Part ${id}`, dependencies: ids.slice(0, index).slice(-1) })),
})

/** How an agent ended, where it is not with an answer and success. */
class Ended {
  readonly how: Partial<AgentResult>

  constructor(how: Partial<AgentResult>) {
    this.how = how
  }
}

/** Does its task: a file and a commit. */
const works = (request: AgentRequest) => {
  const id = summaryOf(request)
  return {
    task_id: id,
    status: 'complete',
    changes: [{ file: `${id}.txt`, action: 'created' }],
    verification_result: { success: true, command: 'true' },
    commits: [repository.commit(`feat(${id}): part`, { [`${id}.txt`]: id })],
  }
}
/** The same, wherever it is started, and commits the session's files with it. */
const worksThere = (request: AgentRequest) => {
  const id = summaryOf(request)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', request.cwd, '-c', 'user.name=Bob', '-c', 'user.email=bob@example.org', ...args])
  writeFileSync(join(request.cwd, `${id}.txt`), id)
  writeFileSync(join(request.cwd, '.meta/context.md'), `${CONTEXT}Done: ${id}\n`)
  git('add', '--all')
  git('commit', '--quiet', '-m', `feat(${id}): part`)
  const commits = [git('rev-parse', 'HEAD').toString().trim()]
  return { task_id: id, status: 'complete', changes: [], verification_result: { success: true }, commits }
}
const passes = () => ({ phase_id: '1', passed: true, checks: [], gaps: [] })

beforeEach(() => {
  repository = new TestRepository()
  repository.commit('Begin', { '.meta/context.md': CONTEXT, '.gitignore': '.meta/session.json\n.meta/artifacts\n' })
  data = mkdtempSync(join(tmpdir(), 'bridgedeck-host-'))
  database = openDatabase(join(data, 'bridgedeck.sqlite'))
  project = new ProjectStore(database).opened(repository.root, 1).id
  asked = []
  agentLimits = defaultSettings.agentLimits
  agents = {
    researcher: () => ({ phase_id: '1', knowledge: [{ topic: 'tapes', findings: 'slow', constraints: [] }] }),
    planner: () => plan('01', '02', '03'),
    executor: works,
    verifier: passes,
  }
  loops = create()
})
afterEach(async () => {
  await loops.closeAll()
  database.close()
  repository.remove()
  rmSync(data, { recursive: true, force: true })
})

function create(): Loops {
  return new Loops({
    loops: [metashellLoop(resolve('resources/metashell'))],
    ...loopsOptions(database),
    agents: {
      names: ['fake'],
      adopt: () => Promise.resolve(null),
      async run(request, signal): Promise<AgentResult> {
        const role = request.purpose.split(': ')[1]?.split(' ')[0] ?? ''
        asked.push({ role, prompt: request.prompt, timeLimit: request.timeLimit })
        const answer = (await agents[role]?.(request, signal)) ?? ''
        const data =
          typeof answer === 'string'
            ? answer
            : answer instanceof Ended
              ? ''
              : `Here is what I did.\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n`
        const base: AgentResult = {
          status: 'success',
          data,
          reason: '',
          tokens: 10,
          cost: 0.01,
          duration: 5,
          exitCode: 0,
          stillAlive: [],
          log: `${role}-log`,
        }
        return answer instanceof Ended ? { ...base, ...answer.how } : base
      },
    },
    rootOf: () => repository.root,
    limits: () => agentLimits,
    placeOf: () => ({ root: repository.root, folder: '', run: 'metashell:.meta/session.json' }),
    requireTrusted: () => repository.trusted,
    folder: join(data, 'loops'),
  })
}

const name = () => ({ project, system: 'metashell' as const, place: '' })
const view = () => loops.lines({ ...name(), after: 0 }).loop
const log = () =>
  loops.lines({ ...name(), after: 0 }).lines.map(({ level, text }) => `[${level.toUpperCase()}] ${text}`)
const session = () =>
  JSON.parse(readFileSync(join(repository.root, '.meta/session.json'), 'utf8')) as {
    status: string
    gapCount: number
    plan?: { currentTaskIdx: number; tasks: { id: string; status: string; commits?: string[] }[] }
    variables: Record<string, unknown>
  }
const artefact = (file: string) =>
  JSON.parse(readFileSync(join(repository.root, '.meta/artifacts', file), 'utf8')) as Record<string, unknown>
const roles = () => asked.map(({ role }) => role)
/** As the person lets a run continue that is held. @param limit a higher one */
function letContinue(limit?: number) {
  const sidecar = new SidecarStore(database)
  const remembered = sidecar.all(project, 'metashell:.meta/session.json')
  const hold = runHold(remembered)
  if (hold) sidecar.remember(project, 'metashell:.meta/session.json', releaseHold(remembered, hold, limit))
  return hold
}
/** Started, and run until it ends. */
async function run(options = {}) {
  loops.start({ ...name(), options })
  await expect.poll(() => view().state, { timeout: 60_000 }).not.toMatch(/ing$/)
  return view()
}
function change(edit: (value: ReturnType<typeof session>) => void): void {
  const value = session()
  edit(value)
  writeFileSync(join(repository.root, '.meta/session.json.tmp'), JSON.stringify(value, null, 2))
  renameSync(join(repository.root, '.meta/session.json.tmp'), join(repository.root, '.meta/session.json'))
}
const errors = async () =>
  (await validateProject(repository.root, nothingRemembered, new AbortController().signal)).findings.filter(
    ({ severity }) => severity === 'error',
  )

describe('a phase', () => {
  it('is researched, planned, executed and verified, and waits at its end for the next', async () => {
    expect(await run()).toMatchObject({ state: 'ended', outcome: 'done' })
    expect(roles()).toEqual(['researcher', 'planner', 'executor', 'executor', 'executor', 'verifier'])
    expect(session()).toMatchObject({
      status: 'halted',
      gapCount: 0,
      variables: { research_done: true, halt_reason: 'phase_complete', last_verification_failed: false },
    })
    expect(session().plan).toMatchObject({
      currentTaskIdx: 3,
      tasks: [
        { id: '01', status: 'complete' },
        { id: '02', status: 'complete' },
        { id: '03', status: 'complete' },
      ],
    })
    const commits = repository.git('log', '--format=%H', '--reverse').split('\n').slice(1)
    expect(session().plan?.tasks.flatMap((task) => task.commits)).toEqual(commits)
    expect(artefact('plan.json')).toEqual(plan('01', '02', '03'))
    expect(artefact('summary_02.json')).toMatchObject({ task_id: '02', changes: [{ file: '02.txt' }] })
    expect(artefact('verification.json')).toEqual(passes())
    expect(artefact('research.json')).toHaveProperty('knowledge')
    expect(await errors()).toEqual([])
    expect(
      (await inspectProject(repository.root, nothingRemembered, new AbortController().signal)).runs[0]?.view.state
        .value,
    ).toBe('done')
    expect(log()).toContain('[INFO] Executing Task 02: Part 02')
    expect(existsSync(join(repository.root, '.meta/session.json.lock'))).toBe(false)
    // Started again, nothing is done that only the person can decide.
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(asked).toHaveLength(6)
    expect(readFileSync(join(repository.root, '.meta/context.md'), 'utf8')).toBe(CONTEXT)
  })

  it('gives each agent what the specification says and nothing more, and keeps every prompt', async () => {
    await run()
    const [researcher, planner, executor, , , verifier] = asked
    for (const prompt of [researcher?.prompt, planner?.prompt]) expect(prompt).toContain(CONTEXT.trim())
    expect(planner?.prompt).toContain('"topic": "tapes"')
    expect(executor?.prompt).toContain('"id": "01"')
    expect(executor?.prompt).not.toContain('"id": "02"')
    expect(executor?.prompt).not.toContain('Tape tool')
    expect(verifier?.prompt).toContain('"id": "03"')
    expect(verifier?.prompt).toContain('"file": "02.txt"')
    expect(asked.map(({ timeLimit }) => timeLimit)).toEqual([300_000, 300_000, 600_000, 600_000, 600_000, 300_000])
    const folder = join(data, 'loops', readdirSync(join(data, 'loops'))[0] ?? '', 'prompts')
    const kept = readdirSync(folder).sort()
    expect(kept.map((file) => file.replace(/^\d+-/, ''))).toEqual([
      'orchestrator.md',
      'researcher.md',
      'orchestrator.md',
      'planner.md',
      ...['01', '02', '03'].flatMap((id) => ['orchestrator.md', `executor-${id}.md`]),
      'orchestrator.md',
      'verifier.md',
    ])
    expect(readFileSync(join(folder, kept[6] ?? ''), 'utf8')).toBe(
      `Current State: Phase 1 (Executing Task 02), Context: ${CONTEXT}`,
    )
    expect(readFileSync(join(folder, kept[3] ?? ''), 'utf8')).toBe(planner?.prompt)
  })

  it('takes personas, time limits and the artefacts’ folder from the project where it has them', async () => {
    repository.put('skills/executor.md', 'You are the one and only executor.')
    repository.put('.meta/config.json', '{"timeouts":{"executor":7},"paths":{"artifacts":"notes/agents"}}')
    expect(await run()).toMatchObject({ outcome: 'done' })
    const executor = asked.find(({ role }) => role === 'executor')
    expect(executor?.prompt.startsWith('You are the one and only executor.\n\n---\n\n## Task')).toBe(true)
    expect(executor?.timeLimit).toBe(7_000)
    expect(existsSync(join(repository.root, 'notes/agents/summary_03.json'))).toBe(true)
    expect(existsSync(join(repository.root, '.meta/artifacts'))).toBe(false)
  })

  it('without a context is not begun', async () => {
    rmSync(join(repository.root, '.meta/context.md'))
    expect(await run()).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^Project not initialized/) as string,
    })
    expect(existsSync(join(repository.root, '.meta/session.json'))).toBe(false)
  })
})

describe('a task', () => {
  it('that failed halts the run, with its commits and the way to roll them back', async () => {
    agents.executor = (request) =>
      summaryOf(request) === '02' ? { ...works(request), status: 'failed', message: 'The tests fail.' } : works(request)
    expect(await run()).toMatchObject({ state: 'ended', outcome: 'failed', message: 'Task 02 failed: The tests fail.' })
    const [first, second, third] = session().plan?.tasks ?? []
    expect([first?.status, second?.status, third?.status]).toEqual(['complete', 'failed', 'pending'])
    expect(second?.commits).toHaveLength(1)
    expect(third).not.toHaveProperty('commits')
    expect(session()).toMatchObject({
      status: 'halted',
      plan: { currentTaskIdx: 1 },
      variables: { halt_reason: 'task_failed', last_error: 'The tests fail.' },
    })
    expect(log()).toContain(`[WARN] To roll task 02 back: git revert --no-edit ${second?.commits?.[0] ?? ''}`)
    // The person retries it.
    agents.executor = works
    change((value) => {
      value.status = 'executing'
      for (const task of value.plan?.tasks ?? []) if (task.id === '02') task.status = 'pending'
    })
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(session().variables).not.toHaveProperty('last_error')
  })

  it('that asks waits for the answer, and is given it', async () => {
    agents.executor = (request) => {
      if (summaryOf(request) !== '02' || request.prompt.includes('User replied:')) return works(request)
      return {
        type: 'checkpoint',
        reason: 'decision_required',
        message: 'Which format?',
        options: ['TAP', 'T64'],
        resume_id: 'format',
      }
    }
    expect(await run()).toMatchObject({ state: 'ended', outcome: 'waiting', message: 'Which format?' })
    expect(session()).toMatchObject({
      status: 'halted',
      variables: {
        pending_checkpoint: { resume_id: 'format', message: 'Which format?', options: ['TAP', 'T64'], task_id: '02' },
      },
    })
    const [waiting] = (await inspectProject(repository.root, nothingRemembered, new AbortController().signal)).runs
    expect(waiting?.view.needs).toMatchObject([
      { kind: 'question', title: 'Which format?', options: ['TAP', 'T64'], unblocks: ['02', '03'] },
    ])
    expect(await run()).toMatchObject({ outcome: 'waiting' })
    // As the operator's action writes it.
    change((value) => {
      value.status = 'executing'
      delete value.variables.pending_checkpoint
      value.variables.checkpoint_answer = { checkpoint_id: 'format', task_id: '02', user_input: 'TAP, please' }
    })
    expect(await run()).toMatchObject({ outcome: 'done' })
    const resumed = asked.filter(({ prompt }) => prompt.includes('User replied: TAP, please'))
    expect(resumed).toHaveLength(1)
    expect(resumed[0]?.prompt).toContain('"checkpoint_id": "format"')
    expect(session().variables).not.toHaveProperty('checkpoint_answer')
    expect(session().variables.checkpoint_answers).toEqual([
      { checkpoint_id: 'format', task_id: '02', user_input: 'TAP, please' },
    ])
    const later = asked.slice(asked.findIndex((one) => one === resumed[0]) + 1)
    expect(later.map(({ role }) => role)).toContain('verifier')
    for (const { prompt } of later) expect(prompt).toContain('answer: TAP, please')
    expect(await errors()).toEqual([])
  })

  it('that ran out of time stays pending with what it wrote, and is run again', async () => {
    agents.executor = (request) => {
      if (summaryOf(request) !== '01' || asked.filter(({ role }) => role === 'executor').length > 1)
        return works(request)
      repository.put('half.txt', 'half')
      return new Ended({ status: 'timeout', reason: 'It was ended after 600 s.' })
    }
    expect(await run()).toMatchObject({
      outcome: 'limit',
      message: expect.stringMatching(/^Task 01 .*600 s/) as string,
    })
    expect(session()).toMatchObject({
      status: 'halted',
      plan: { currentTaskIdx: 0 },
      variables: { halt_reason: 'task_timeout' },
    })
    expect(session().plan?.tasks[0]).toEqual({ id: '01', title: 'Part 01', status: 'pending', dependencies: [] })
    expect(readFileSync(join(repository.root, 'half.txt'), 'utf8')).toBe('half')
    expect(await run()).toMatchObject({ outcome: 'done' })
  })

  it('that is said to be complete with a commit that does not exist is not believed', async () => {
    agents.executor = (request) => ({
      ...works(request),
      ...(summaryOf(request) === '02' ? { commits: ['deadbeefdeadbeef'] } : {}),
    })
    expect(await run()).toMatchObject({
      outcome: 'waiting',
      message: expect.stringMatching(/^Task 02 .*deadbeefdeadbeef/) as string,
    })
    expect(session().plan?.tasks[1]).toMatchObject({ id: '02', status: 'pending' })
  })

  it('that is said to be complete with a commit of a submodule is told which submodule has it', async () => {
    const inLib = (...args: string[]) => repository.git('-C', 'lib', ...args)
    repository.put('lib/one.txt', 'one')
    repository.git('init', '--quiet', 'lib')
    inLib('add', '--all')
    inLib('commit', '--quiet', '-m', 'Inside')
    const inside = inLib('rev-parse', 'HEAD')
    repository.commit('Add lib')
    agents.executor = (request) => ({
      ...works(request),
      ...(summaryOf(request) === '02' ? { commits: [inside] } : {}),
    })
    expect(await run()).toMatchObject({
      outcome: 'waiting',
      message: `Task 02 needs a look: it reports the commit ${inside}, which is in the submodule lib and not in this repository.`,
    })
  })

  it('that is said to be complete with a commit that was there before is not believed', async () => {
    const [root = ''] = repository.git('rev-list', '--max-parents=0', 'HEAD').split('\n')
    agents.executor = (request) =>
      summaryOf(request) === '02' ? { task_id: '02', status: 'complete', commits: [root.slice(0, 8)] } : works(request)
    expect(await run()).toMatchObject({
      outcome: 'waiting',
      message: expect.stringMatching(new RegExp(`^Task 02 .*${root.slice(0, 8)}.*before`)) as string,
    })
    expect(session()).toMatchObject({ status: 'halted', variables: { halt_reason: 'commit_not_new' } })
    expect(session().plan?.tasks[1]).toEqual({ id: '02', title: 'Part 02', status: 'pending', dependencies: ['01'] })
  })

  it('that is said to be complete with a new commit that is on no branch is not believed, nor called an old one', async () => {
    agents.executor = (request) => {
      if (summaryOf(request) !== '02') return works(request)
      repository.git('checkout', '--quiet', '--detach')
      const commit = repository.commit('Apart', { '02.txt': 'apart' })
      repository.git('checkout', '--quiet', 'main')
      return { task_id: '02', status: 'complete', commits: [commit] }
    }
    const { outcome, message } = await run()
    expect(outcome).toBe('waiting')
    expect(message).toMatch(/^Task 02 .*, which is not on the checked-out branch\.$/)
    expect(session().plan?.tasks[1]).toMatchObject({ id: '02', status: 'pending' })
  })

  it('whose agent deletes the session ends the run, and the next start goes on from the session as it was', async () => {
    const asked: (string | undefined)[] = []
    agents.executor = (request) => {
      asked.push(summaryOf(request))
      const answer = works(request)
      if (asked.length === 2) rmSync(join(repository.root, '.meta/session.json'))
      return answer
    }
    const held = { outcome: 'waiting', message: expect.stringContaining('session.json was deleted') as string }
    expect(await run()).toMatchObject(held)
    expect(await run()).toMatchObject(held)
    expect(session().plan?.tasks.map(({ status }) => status)).toEqual(['complete', 'pending', 'pending'])
    letContinue()
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(new Set(asked)).toEqual(new Set(['01', '02', '03']))
    expect(asked.filter((task) => task === '01')).toHaveLength(1)
  })

  it('has the commits that its agent made and did not report', async () => {
    agents.executor = (request) => ({ ...works(request), commits: [] })
    expect(await run()).toMatchObject({ outcome: 'done' })
    const made = repository.git('log', '--format=%H', '--reverse').split('\n').slice(1)
    expect(session().plan?.tasks.flatMap(({ commits }) => commits)).toEqual(made)
    const of = (role: string) => loops.turn({ ...name(), run: `${role}-log` }).turn
    expect(of('executor')).toMatchObject({ commits: made.slice(0, 1), branchAfter: 'main', uncommitted: [] })
    expect(of('planner')).toMatchObject({ commits: [], moreCommits: 0 })
    expect(of('nobody')).toBeNull()
  })

  it('keeps the commits of each attempt, also of one that is stopped', async () => {
    let attempts = 0
    agents.executor = (request) => {
      if (summaryOf(request) !== '02') return works(request)
      repository.commit(`Attempt ${++attempts}`, { '02.txt': String(attempts) })
      if (attempts === 1) return new Ended({ status: 'error', reason: 'It ended with exit code 1.' })
      if (attempts > 2) return { task_id: '02', status: 'complete' }
      void loops.stop(name())
      return new Ended({ status: 'stopped' })
    }
    expect(await run()).toMatchObject({ outcome: 'failed' })
    expect(await run()).toMatchObject({ state: 'stopped' })
    expect(await run()).toMatchObject({ outcome: 'done' })
    const made = repository.git('log', '--format=%H', '--reverse', '--grep=Attempt').split('\n')
    expect(made).toHaveLength(3)
    expect(session().plan?.tasks[1]).toMatchObject({ status: 'complete', commits: made })
  })

  it('that is said to be complete though its own verification failed is not believed either', async () => {
    agents.executor = (request) => ({
      ...works(request),
      verification_result: { success: false, command: 'cargo test' },
    })
    expect(await run()).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/^Task 01 .*verification.*cargo test/) as string,
    })
  })

  it('whose commits cannot be looked up, as there is no repository, is taken at its word and said so', async () => {
    rmSync(join(repository.root, '.git'), { recursive: true })
    agents.executor = (request) => ({ task_id: summaryOf(request), status: 'complete', commits: ['a1b2c3d'] })
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(session().plan?.tasks[0]).toMatchObject({ commits: ['a1b2c3d'] })
    expect(log().join('\n')).toMatch(/Not a git repository/)
  })

  it.each([
    [
      'crashed',
      { status: 'error' as const, reason: 'It ended with exit code 3.', data: '{"task_id":"01","status":"complete"}' },
      'failed',
      'task_error',
    ],
    ['reached a limit', { status: 'limit' as const, reason: 'It cost 2 USD.' }, 'limit', 'task_limit'],
    ['gave prose', { data: 'All is fine, I think.' }, 'failed', 'summary_unreadable'],
    ['gave another task’s summary', { data: '{"task_id":"03","status":"complete"}' }, 'failed', 'summary_unreadable'],
    [
      'was blocked',
      { data: '{"task_id":"01","status":"blocked","verification_result":{"success":false},"message":"No compiler."}' },
      'waiting',
      'task_blocked',
    ],
  ])('whose executor %s halts the run and stays pending', async (_what, answer, outcome, reason) => {
    agents.executor = () => new Ended(answer)
    expect(await run()).toMatchObject({ state: 'ended', outcome })
    expect(session()).toMatchObject({ status: 'halted', variables: { halt_reason: reason } })
    expect(session().plan?.tasks[0]?.status).toBe('pending')
    expect(await errors()).toEqual([])
  })

  it('whose answer cannot be read is repaired once', async () => {
    agents.executor = (request) => `Task is done, see: {task_id: ${summaryOf(request)}, status: complete}`
    agents.fixer = ({ prompt }) => ({ task_id: /The summary of task (\S+):/.exec(prompt)?.[1], status: 'complete' })
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(roles().filter((role) => role === 'fixer')).toHaveLength(3)
  })

  it('whose agent writes the summary itself is taken from there', async () => {
    agents.executor = (request) => {
      const id = summaryOf(request)
      repository.put(`.meta/artifacts/summary_${id}.json`, JSON.stringify({ task_id: id, status: 'complete' }))
      return 'I wrote the summary.'
    }
    agents.fixer = () => ({})
    expect(await run()).toMatchObject({ outcome: 'done' })
  })

  it('that another one has to precede halts as a dependency violation', async () => {
    agents.executor = (request) => {
      if (summaryOf(request) === '01')
        change((value) => value.plan?.tasks.forEach((task) => task.id === '02' && (task.status = 'complete')))
      return works(request)
    }
    await run()
    change((value) => {
      value.status = 'executing'
      if (!value.plan) return
      value.plan.currentTaskIdx = 2
      for (const task of value.plan.tasks) task.status = 'pending'
    })
    expect(await run()).toMatchObject({ outcome: 'waiting', message: 'Dependency violation: Task 03 needs 02.' })
    expect(session()).toMatchObject({ status: 'halted', variables: { halt_reason: 'dependency_violation' } })
  })
})

describe('a plan', () => {
  it('in no valid topology is not taken', async () => {
    agents.planner = () => ({
      phase_id: '1',
      tasks: [
        { id: '01', title: 'A', dependencies: ['02'] },
        { id: '02', title: 'B', dependencies: [] },
      ],
    })
    expect(await run()).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/^Invalid Topology.*01.*02/) as string,
    })
    expect(session()).toMatchObject({ status: 'halted', variables: { halt_reason: 'plan_invalid' } })
    expect(session()).not.toHaveProperty('plan')
    expect(existsSync(join(repository.root, '.meta/artifacts/plan.json'))).toBe(false)
    agents.planner = () => plan('01')
    expect(await run()).toMatchObject({ outcome: 'done' })
  })

  it('that cannot be read is asked for three times, each repaired once', async () => {
    agents.planner = () => 'First I would read the code.'
    expect(await run()).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/plan.*3 attempts/) as string,
    })
    expect(roles()).toEqual(['researcher', 'planner', 'fixer', 'planner', 'fixer', 'planner', 'fixer'])
    expect(asked.at(-2)?.prompt).toContain('Your last answer could not be taken')
    expect(session().variables.halt_reason).toBe('plan_unreadable')
  })

  it('whose planner runs out of time halts the run', async () => {
    agents.planner = () => new Ended({ status: 'timeout', reason: 'It was ended after 300 s.' })
    expect(await run()).toMatchObject({ outcome: 'limit' })
    expect(session().variables).toMatchObject({
      halt_reason: 'plan_timeout',
      last_error: 'The planner did not finish: It was ended after 300 s.',
    })
  })

  it('is made without research where there is none', async () => {
    agents.researcher = () => new Ended({ status: 'error', reason: 'Not logged in.' })
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(session().variables).not.toHaveProperty('research_done')
    expect(log()).toContain('[WARN] No research result (Not logged in.); planning without it.')
  })
})

describe('a verification', () => {
  it('that fails leads to two re-plans with its gaps, and then to the circuit breaker', async () => {
    let plans = 0
    agents.planner = () => plan(`${++plans}-1`)
    agents.verifier = () => ({
      phase_id: '1',
      passed: false,
      gaps: [{ description: `Gap ${plans}`, suggested_task: `Close ${plans}` }],
    })
    expect(await run()).toMatchObject({
      outcome: 'breaker',
      message: expect.stringMatching(/^Max Retries Exceeded.*2 re-plans/) as string,
    })
    const planners = asked.filter(({ role }) => role === 'planner').map(({ prompt }) => prompt)
    expect(planners[0]).not.toContain('The last plan')
    expect(planners[1]).toContain('- Gap 1\n  Suggested task: Close 1')
    expect(planners[1]).toContain('"title": "Part 1-1"')
    expect(planners[1]).toMatch(/^- 1-1 Part 1-1: complete, commits [0-9a-f]{40}$/m)
    expect(roles()).toEqual([
      'researcher',
      'planner',
      'executor',
      'verifier',
      'planner',
      'executor',
      'verifier',
      'planner',
      'executor',
      'verifier',
    ])
    expect(asked.filter(({ role }) => role === 'planner').map(({ prompt }) => /Gap \d/.exec(prompt)?.[0])).toEqual([
      undefined,
      'Gap 1',
      'Gap 2',
    ])
    expect(session()).toMatchObject({
      status: 'halted',
      gapCount: 2,
      variables: { halt_reason: 'max_retries_exceeded', last_verification_failed: true },
    })
    expect(session().variables.replaced_commits).toHaveLength(2)
    expect(await run()).toMatchObject({ outcome: 'breaker' })
    expect(
      (await inspectProject(repository.root, nothingRemembered, new AbortController().signal)).runs[0]?.view.state
        .value,
    ).toBe('limit')
    // The person resets the breaker.
    agents.verifier = passes
    change((value) => Object.assign(value, { gapCount: 0, status: 'planning' }))
    expect(await run()).toMatchObject({ outcome: 'done' })
  })

  it('that passes after a re-plan leaves no gaps behind', async () => {
    let verifications = 0
    agents.verifier = () => (++verifications === 1 ? { passed: false, gaps: ['No docs'] } : passes())
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(session().gapCount).toBe(0)
  })

  it('that runs out of time or cannot be read is verified again when it is started', async () => {
    agents.verifier = () => new Ended({ status: 'timeout', reason: 'It was ended.' })
    expect(await run()).toMatchObject({ outcome: 'limit' })
    agents.verifier = () => 'Looks good to me!'
    expect(await run()).toMatchObject({ outcome: 'failed', message: 'No readable result from the verifier.' })
    expect(session()).toMatchObject({ status: 'halted', variables: { halt_reason: 'verification_unreadable' } })
    agents.verifier = passes
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(roles().filter((role) => role === 'executor')).toHaveLength(3)
  })
})

describe('a session that others write too', () => {
  it('keeps whatever they wrote, byte by byte, but for the fields that the host changes', async () => {
    const foreign =
      '\uFEFF{\r\n\t"sessionId" : "s", "status": "planning", "currentPhase": 1,\r\n\t"gapCount": 0, "owner": { "name":"Ada" , "n": [ 1,2 ] },\r\n\t"variables": { "research_done": true, "mine": {"a" :1} }\r\n}\r\n'
    repository.put('.meta/session.json', foreign)
    agents.planner = () => plan('01')
    agents.executor = (request) => {
      const text = readFileSync(join(repository.root, '.meta/session.json'), 'utf8')
      writeFileSync(join(repository.root, '.meta/session.json'), text.replace('"name":"Ada"', '"name":"Grace"'))
      return works(request)
    }
    expect(await run()).toMatchObject({ outcome: 'done' })
    const text = readFileSync(join(repository.root, '.meta/session.json'), 'utf8')
    expect(
      text.startsWith(
        '\uFEFF{\r\n\t"sessionId" : "s", "status": "halted", "currentPhase": 1,\r\n\t"gapCount": 0, "owner": { "name":"Grace" , "n": [ 1,2 ] },',
      ),
    ).toBe(true)
    expect(text).toContain('"mine": {"a" :1}')
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('and halt while an agent is at work: its result is recorded, and the host stops there', async () => {
    agents.executor = (request) => {
      const done = works(request)
      if (summaryOf(request) === '02')
        change((value) =>
          Object.assign(value, {
            status: 'halted',
            note: 'wait for me',
            variables: { pending_checkpoint: { message: 'Wait for me.' } },
          }),
        )
      return done
    }
    expect(await run()).toMatchObject({ outcome: 'waiting', message: 'Wait for me.' })
    expect(session()).toMatchObject({ status: 'halted', note: 'wait for me', plan: { currentTaskIdx: 1 } })
    expect(session().plan?.tasks[1]).toMatchObject({ status: 'complete' })
    expect(log().join('\n')).toMatch(/Another program changed session\.json while the agent ran/)
  })

  it('and break is left as it is, with the place of what is wrong', async () => {
    agents.planner = () => {
      writeFileSync(join(repository.root, '.meta/session.json'), '{ "status": "plan')
      return plan('01')
    }
    expect(await run()).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^\.meta\/session\.json:1:\d+: found/) as string,
    })
    expect(readFileSync(join(repository.root, '.meta/session.json'), 'utf8')).toBe('{ "status": "plan')
    expect(existsSync(join(repository.root, '.meta/session.json.lock'))).toBe(false)
  })

  it('and lock is waited for, and after five seconds it is said who holds it', async () => {
    repository.put('.meta/session.json.lock', 'host-of-somebody-else')
    const begun = performance.now()
    expect(await run()).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^session\.json is locked .*"host-of-somebody-else".* since /) as string,
    })
    expect(performance.now() - begun).toBeGreaterThan(4_900)
    expect(readFileSync(join(repository.root, '.meta/session.json.lock'), 'utf8')).toBe('host-of-somebody-else')
    loops.start(name())
    // Until it has found the lock, of which nothing tells.
    await wait(200)
    rmSync(join(repository.root, '.meta/session.json.lock'))
    await expect.poll(() => view().state).toBe('ended')
  })

  it('with a lock of a Bridgedeck that was killed goes on', async () => {
    const { hostname } = await import('node:os')
    repository.put(
      '.meta/session.json.lock',
      JSON.stringify({ program: 'Bridgedeck', pid: 2 ** 30, host: hostname(), startedAt: 1 }),
    )
    expect(await run()).toMatchObject({ outcome: 'done' })
  })
})

describe('a run', () => {
  it('pauses between two agents and goes on', async () => {
    agents.executor = (request) => {
      if (summaryOf(request) === '01') loops.pause(name())
      return works(request)
    }
    expect(await run()).toMatchObject({ state: 'paused', message: 'Paused before task 02.' })
    expect(session()).toMatchObject({ status: 'executing', plan: { currentTaskIdx: 1 } })
    agents.executor = works
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(roles().filter((role) => role === 'executor')).toHaveLength(3)
  })

  it('is stopped in the middle of a task, which keeps what it wrote and is run again', async () => {
    agents.executor = async (_request, signal) => {
      repository.put('half.txt', 'half')
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      return new Ended({ status: 'stopped', reason: 'The person stopped it.' })
    }
    loops.start(name())
    await expect.poll(() => existsSync(join(repository.root, 'half.txt'))).toBe(true)
    expect((await loops.stop(name())).loop).toMatchObject({
      state: 'stopped',
      message: expect.stringMatching(/Stopped.*No process is left/) as string,
    })
    expect(session()).toMatchObject({
      status: 'executing',
      plan: { currentTaskIdx: 0, tasks: [{ status: 'pending' }, {}, {}] },
    })
    expect(readFileSync(join(repository.root, 'half.txt'), 'utf8')).toBe('half')
    agents.executor = works
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(log()[0]).toBe('[INFO] Resuming an interrupted session (status: executing).')
  })

  it('ends at the turns and the cost that one start may have', async () => {
    expect(await run({ maxTurns: 3 })).toMatchObject({
      state: 'paused',
      message: 'Stopped after 3 turns, as requested.',
    })
    expect(session().plan?.currentTaskIdx).toBe(1)
    expect(await run({ maxCost: 0.02 })).toMatchObject({
      outcome: 'limit',
      message: expect.stringMatching(/Cost limit.*\$0\.02 of \$0\.02/) as string,
    })
    expect(await run()).toMatchObject({ outcome: 'done' })
  })

  it('waits at what it may cost over all its starts, until the person allows more', async () => {
    agentLimits = { ...agentLimits, runCost: 0.03 }
    expect(await run()).toMatchObject({ outcome: 'limit', code: 21 })
    expect(await run()).toMatchObject({ outcome: 'limit', code: 21 })
    expect(asked).toHaveLength(3)
    expect(letContinue(1)).toMatchObject({ ceiling: { scope: 'run', measure: 'cost', limit: 0.03 } })
    // As the edit that raised it has it done.
    loops.resumeReleased(project)
    await expect.poll(() => view().state, { timeout: 60_000 }).not.toMatch(/ing$/)
    expect(view()).toMatchObject({ outcome: 'done' })
  })

  it('of a version 2 session keeps its names', async () => {
    repository.put(
      '.meta/session.json',
      '{"session_id":"s","status":"planning","current_phase":"01","gap_count":0,"variables":{"research_done":true}}',
    )
    agents.planner = () => plan('01')
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(session()).toMatchObject({ session_id: 's', current_phase: '01', gap_count: 0 })
    expect(session()).not.toHaveProperty('gapCount')
    expect(asked.at(0)?.prompt).toContain('## Phase\n\n01')
  })

  it('does not leave the project: state folders behind a link are refused', async () => {
    const outside = join(data, 'outside')
    mkdirSync(outside)
    rmSync(join(repository.root, '.meta'), { recursive: true })
    writeFileSync(join(outside, 'context.md'), CONTEXT)
    const { symlinkSync } = await import('node:fs')
    symlinkSync(outside, join(repository.root, '.meta'))
    expect(await run()).toMatchObject({ state: 'failed' })
    expect(readdirSync(outside)).toEqual(['context.md'])
  })
})

describe('in a worktree of its own', () => {
  const key = 'metashell:.meta/session.json'
  const remembered = () => new SidecarStore(database).all(project, key)
  const worktree = () => runWorktree(remembered())

  it('agents commit there, the session stays here, and a finished run waits for the merge', async () => {
    agents.executor = worksThere
    const before = repository.git('rev-parse', 'HEAD')
    expect(await run({ worktree: true })).toMatchObject({ state: 'ended', outcome: 'done' })
    expect(repository.git('rev-parse', 'HEAD')).toBe(before)
    expect(repository.git('status', '--porcelain')).toBe('')
    const branch = worktree()?.branch ?? ''
    expect(branch).toMatch(/^bridgedeck\/metashell-\d{8}-\d{6}$/)
    const commits = repository.git('log', '--format=%H', '--reverse', branch).split('\n').slice(1)
    expect(commits).toHaveLength(3)
    expect(session().plan?.tasks.flatMap((task) => task.commits)).toEqual(commits)
    expect(turnRecords(remembered()).flatMap((turn) => turn.commits)).toEqual(commits)
    expect(turnRecords(remembered()).every(({ after }) => after.branch === branch)).toBe(true)
    const { runs } = await inspectProject(repository.root, () => () => remembered(), new AbortController().signal)
    expect(runs[0]?.view.needs).toMatchObject([
      { kind: 'approval', title: expect.stringContaining(`finished on ${branch}`) as string },
    ])
  })

  it('a run goes on there in the next host, also where the folder was removed by hand', async () => {
    agents.executor = worksThere
    await run({ worktree: true, maxTurns: 3 })
    const first = worktree()
    expect(first).toBeDefined()
    await loops.closeAll()
    rmSync(first?.root ?? '', { recursive: true })
    loops = create()
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(worktree()).toEqual(first)
    expect(repository.git('log', '--format=%s', first?.branch ?? '').split('\n')).toHaveLength(4)
    expect(log().join('\n')).toContain('is checked out again')
  })

  it('a task is rolled back there', async () => {
    agents.executor = worksThere
    await run({ worktree: true })
    const before = repository.git('rev-parse', 'HEAD')
    const { signal } = new AbortController()
    expect(await loops.rollBack({ ...name(), task: '03', isTrial: false }, signal)).toMatchObject({ obstacles: [] })
    expect(repository.git('rev-parse', 'HEAD')).toBe(before)
    expect(existsSync(join(worktree()?.root ?? '', '03.txt'))).toBe(false)
    expect(session().plan?.tasks[2]).toMatchObject({ status: 'pending' })
  })

  it('is refused with the reason where there can be none', async () => {
    rmSync(join(repository.root, '.git'), { recursive: true })
    expect(await run({ worktree: true })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('no git repository') as string,
    })
    expect(asked).toEqual([])
    expect(worktree()).toBeUndefined()
  })
})
