/** The checks of a plan's tasks, run by the host with a real shell; the agents are scripts that say what a test says. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentRequest, AgentResult } from '../../src-main/agents/agent'
import { decideChecks, shownCheck } from '../../src-main/formats/hostChecks'
import { Loops } from '../../src-main/loops/loops'
import { metashellLoop } from '../../src-main/loops/metashell/loop'
import { inspectProject } from '../../src-main/projects/read/inspectProject'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SpendingStore } from '../../src-main/storage/spending'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { AgentBench } from '../support/agentBench'
import { loopsOptions } from '../support/loopsOptions'
import { TestRepository } from '../support/repository'

const RUN = 'metashell:.meta/session.json'

let repository: TestRepository
let bench: AgentBench
let data: string
let database: Database
let sidecar: SidecarStore
let project: number
let loops: Loops
let isTrusted: boolean
let onExecuted: () => void
/** Of each task, in order. */
let commands: (string | undefined)[]
let prompts: Record<string, string[]>

const answers: Record<string, (prompt: string) => object> = {
  planner: () => ({
    phase_id: '1',
    tasks: commands.map((verification_cmd, index) => ({
      id: `0${index + 1}`,
      title: `Part ${index + 1}`,
      dependencies: [],
      verification_cmd,
    })),
  }),
  executor: (prompt) => {
    onExecuted()
    return {
      task_id: /"id": "([^"]+)"/.exec(prompt)?.[1],
      status: 'complete',
      commits: [],
      verification_result: { success: true },
    }
  },
  verifier: () => ({ phase_id: '1', passed: true, checks: [], gaps: [] }),
}

function answer({ purpose, prompt }: AgentRequest): AgentResult {
  const role = purpose.split(': ')[1]?.split(' ')[0] ?? ''
  ;(prompts[role] ??= []).push(prompt)
  return {
    status: 'success',
    reason: '',
    tokens: 10,
    cost: 0.01,
    duration: 5,
    exitCode: 0,
    stillAlive: [],
    data: JSON.stringify(answers[role]?.(prompt) ?? ''),
    log: `${role}-log`,
  }
}

beforeEach(() => {
  repository = new TestRepository()
  repository.commit('Begin', {
    '.meta/context.md': '# Project: Tape tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n',
    '.gitignore': '.meta/session.json\n.meta/artifacts\n',
  })
  bench = new AgentBench()
  data = mkdtempSync(join(tmpdir(), 'bridgedeck-checks-'))
  database = openDatabase(join(data, 'bridgedeck.sqlite'))
  project = new ProjectStore(database).opened(repository.root, 1).id
  sidecar = new SidecarStore(database)
  prompts = {}
  isTrusted = true
  onExecuted = () => undefined
  commands = ['echo here >checked.txt && pwd', undefined]
  loops = new Loops({
    loops: [metashellLoop(resolve('resources/metashell'))],
    agents: {
      names: ['fake'],
      adopt: () => Promise.resolve(null),
      run: (request, signal, follow) =>
        request.shell === undefined ? Promise.resolve(answer(request)) : bench.agents.run(request, signal, follow),
    },
    ...loopsOptions(database),
    sidecar,
    rootOf: () => repository.root,
    placeOf: () => ({ root: repository.root, folder: '', run: RUN }),
    requireTrusted: () => {
      if (isTrusted) return repository.trusted
      throw new Error('The project is not trusted any more.')
    },
    folder: join(data, 'loops'),
  })
})
afterEach(async () => {
  await loops.closeAll()
  await bench.close()
  database.close()
  repository.remove()
  rmSync(data, { recursive: true, force: true })
})

const name = () => ({ project, system: 'metashell' as const, place: '' })
const has = (file: string) => existsSync(join(repository.root, file))
const read = (file: string) => readFileSync(join(repository.root, file), 'utf8')
const remembered = () => sidecar.all(project, RUN)
const checkOf = (task: string) => shownCheck(remembered(), task)
const log = () => loops.lines({ ...name(), after: 0 }).lines.map(({ text }) => text)
const view = () => loops.lines({ ...name(), after: 0 }).loop
async function run(options = {}) {
  loops.start({ ...name(), options })
  await expect.poll(() => view().state, { timeout: 60_000 }).not.toMatch(/ing$/)
  return view()
}
const approve = (...texts: string[]) => sidecar.remember(project, RUN, decideChecks(remembered(), 'approved', texts))
async function runView() {
  const { runs } = await inspectProject(repository.root, () => () => remembered(), new AbortController().signal)
  const [found] = runs
  if (!found) throw new Error('no run')
  return found
}

describe('a command that the person approved', () => {
  it('is run in the folder once its task is reported done, and its result stands beside the claim', async () => {
    approve(commands[0] ?? '')
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(read('checked.txt')).toBe('here\n')
    expect(checkOf('01')).toMatchObject({ result: 'passed', exitCode: 0, claimed: true, command: commands[0] })
    expect(checkOf('02')).toBeUndefined()
    const [checked] = (await bench.agents.runs({ before: null })).runs
    expect(checked).toMatchObject({ run: checkOf('01')?.log, turn: { role: 'check', task: '01' }, exitCode: 0 })
    const { lines } = await bench.agents.readLog({ run: checked?.run ?? '', stream: 'output', from: 0, count: 5 })
    expect(lines.map(({ text }) => text)).toEqual([repository.root])
    expect(prompts['verifier']?.[0]).toContain('Task 01: agent says passed, host: passed')
    // It is no agent, and costs nothing.
    expect(new SpendingStore(database).total.unpriced).toBe(0)
  })

  it('and that fails, fails its task, tells the next attempt, and is a finding', async () => {
    commands = ['echo broken >&2; test -f fixed.txt']
    approve(commands[0] ?? '')
    expect(await run()).toMatchObject({ outcome: 'failed', message: expect.stringContaining('exited 1') as string })
    expect(log()).toContain(`Task 01: agent says passed, host: exit code 1: ${commands[0] ?? ''}`)
    const { view, findings } = await runView()
    expect(view.phases[0]?.tasks[0]).toMatchObject({ state: { value: 'failed' }, check: { exitCode: 1 } })
    expect(view.errors[0]?.message.value).toContain('agent says passed, host: exit code 1')
    expect(findings.map(({ rule }) => rule)).toContain('metashell/check')
    const session = JSON.parse(read('.meta/session.json')) as {
      plan: { tasks: { status: string }[] }
    }
    expect(session).toMatchObject({ variables: { last_error: `verification_cmd exited 1: ${commands[0] ?? ''}` } })
    for (const task of session.plan.tasks) task.status = 'pending'
    repository.put('.meta/session.json', JSON.stringify(session))
    repository.put('fixed.txt', '')
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(prompts['executor']?.[1]).toContain('host: exit code 1')
    expect(prompts['executor']?.[1]).toContain('broken')
    expect(checkOf('01')).toMatchObject({ result: 'passed' })
  })

  it('is ended with all that it started, at its time limit', async () => {
    commands = ['sleep 600 & wait']
    approve(commands[0] ?? '')
    expect(await run({ turnTime: 300 })).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('timed out') as string,
    })
    expect(checkOf('01')).toMatchObject({ result: 'timed out' })
  })

  it('ends with the run, and is run again by the next start', async () => {
    commands = ['test -f ready.txt || sleep 600']
    approve(commands[0] ?? '')
    loops.start(name())
    await expect.poll(() => bench.agents.live[0]?.state, { timeout: 60_000 }).toBe('running')
    await loops.stop(name())
    expect(bench.agents.live).toEqual([])
    expect(checkOf('01')).toBeUndefined()
    repository.put('ready.txt', '')
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(prompts['executor']).toHaveLength(1)
  })

  it('is not run in a folder that is trusted no more', async () => {
    approve(commands[0] ?? '')
    onExecuted = () => {
      isTrusted = false
    }
    expect(await run()).toMatchObject({ state: 'failed' })
    expect(has('checked.txt')).toBe(false)
  })
})

describe('a command that the person has not approved', () => {
  it('is not run: the task counts as not checked, and the command is shown once to be decided', async () => {
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(has('checked.txt')).toBe(false)
    expect(checkOf('01')).toMatchObject({ result: 'not checked', claimed: true, log: null })
    expect(log()).toContain(`Task 01: agent says passed, not checked: ${commands[0] ?? ''}`)
  })

  it('waits as soon as another one is approved, as a changed command does', async () => {
    approve('echo here >checked.txt && pwd ')
    expect(await run()).toMatchObject({ outcome: 'waiting', message: expect.stringContaining('checked.txt') as string })
    const { view } = await runView()
    expect(view.state.value).toBe('waiting')
    expect(view.needs).toMatchObject([{ kind: 'approval', detail: expect.stringContaining('01: echo here') as string }])
    expect(prompts['executor']).toBeUndefined()
    sidecar.remember(project, RUN, decideChecks(remembered(), 'declined', [commands[0] ?? '']))
    expect(await run()).toMatchObject({ outcome: 'done' })
    expect(checkOf('01')).toMatchObject({ result: 'not checked' })
  })

  it('is approved by a start that allows all of the plan, and named before it runs', async () => {
    expect(await run({ runsChecks: true })).toMatchObject({ outcome: 'done' })
    expect(checkOf('01')).toMatchObject({ result: 'passed' })
    expect(log()).toContain(`Task 01 will be checked by: ${commands[0] ?? ''}`)
  })

  it('cannot be approved where not all of it can be seen', async () => {
    commands = ['true \u202e; rm -rf x']
    expect(await run({ runsChecks: true })).toMatchObject({ outcome: 'done' })
    expect(checkOf('01')).toMatchObject({ result: 'not checked' })
    expect((await runView()).view.needs).toEqual([])
  })
})
