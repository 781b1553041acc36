/** Whose commits are that agents of two runs made at once in one git tree: two loops of one registry, in a real repository. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { turnRecords } from '@shared/turnRecord'
import type { AgentRequest, AgentResult, FollowAgentRun } from '../../src-main/agents/agent'
import { newRun } from '../../src-main/agents/agentRun'
import { suggestedAgent } from '../../src-main/agents/agentSetups'
import { TrustedFolder } from '../../src-main/git/trustedFolder'
import type { Loop, LoopWork } from '../../src-main/loops/loop'
import { Loops } from '../../src-main/loops/loops'
import { TurnObserver } from '../../src-main/loops/turnObserver'
import { TurnsTogether } from '../../src-main/loops/turnsTogether'
import { TurnStore } from '../../src-main/loops/turnStore'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { loopsOptions } from '../support/loopsOptions'
import { TestRepository } from '../support/repository'

let repository: TestRepository
let database: Database
let projects: Readonly<Record<'one' | 'two', number>>
let loops: Loops
/** At work, by role; each ends with an answer. */
let atWork: Map<string, (answer: string) => void>
beforeEach(() => {
  repository = new TestRepository()
  repository.commit('Begin', { 'one/a.txt': 'a', 'two/a.txt': 'a' })
  mkdirSync(join(repository.root, '.git/own'))
  database = openDatabase(join(repository.root, '.git/own/bridgedeck.sqlite'))
  const store = new ProjectStore(database)
  const opened = (name: string) => store.opened(join(repository.root, name), 1).id
  projects = { one: opened('one'), two: opened('two') }
  atWork = new Map()
  loops = create()
})
afterEach(async () => {
  await loops.closeAll()
  database.close()
  repository.remove()
})

const nameOf = (project: number) => (project === projects.one ? 'one' : 'two')

/** Each has one agent after the other; what it is started for names the roles. */
const sequential: Loop = {
  system: 'metashell',
  roles: () => [],
  agentTest: () => unused(),
  run: async (work) => {
    const observer = new TurnObserver({ work, turns: new TurnStore(work, z.unknown()) })
    await observer.settle()
    await observer.observe({ role: 'executor', task: '01' }, (follow) =>
      work.spawn('executor', { prompt: '', purpose: 'executor' }, { follow }),
    )
    return { outcome: 'done', message: 'Done.' }
  },
}
/** Two agents at once. */
const parallel: Loop = {
  system: 'maestro',
  roles: () => [],
  agentTest: () => unused(),
  run: async (work: LoopWork) => {
    const together = new TurnsTogether({ work, place: work.place, ignored: [] })
    const unwatch = together.watch()
    const observed = together.observed(work)
    const spawn = (role: string) => observed.spawn(role, { prompt: '', purpose: role, task: role })
    await Promise.all([spawn('coder'), spawn('tester')])
    await together.close()
    unwatch()
    return { outcome: 'done', message: 'Done.' }
  },
}
const unused = (): never => {
  throw new Error('Nothing is tested.')
}

let runs = 0
async function run(request: AgentRequest, signal: AbortSignal, follow?: FollowAgentRun): Promise<AgentResult> {
  const log = `run-${++runs}`
  const known = newRun(request, suggestedAgent('custom'))
  follow?.({ ...known, run: log, state: 'running' })
  await request.around?.begin()
  const answer = new Promise<string>((resolve) => {
    atWork.set(`${nameOf(request.turn?.project ?? 0)} ${request.turn?.role}`, resolve)
    signal.addEventListener('abort', () => resolve(''))
  })
  const data = await answer
  await request.around?.end()
  return {
    status: 'success',
    data,
    reason: '',
    tokens: null,
    cost: null,
    duration: 1,
    exitCode: 0,
    stillAlive: [],
    log,
  }
}

function create(): Loops {
  return new Loops({
    loops: [sequential, parallel],
    agents: { names: ['fake'], run, adopt: () => Promise.resolve(null) },
    ...loopsOptions(database),
    rootOf: (project) => join(repository.root, nameOf(project)),
    foldersOf: () => [''],
    placeOf: ({ project, system }) => ({ root: join(repository.root, nameOf(project)), folder: '', run: system }),
    requireTrusted: (project) => {
      const root = join(repository.root, nameOf(project))
      return new TrustedFolder(root, root)
    },
    folder: join(repository.root, '.git/own/loops'),
  })
}

const start = (project: 'one' | 'two', system: 'metashell' | 'maestro') =>
  loops.start({ project: projects[project], system, place: system === 'maestro' ? 'batch' : '' })
const begun = (agent: string) => expect.poll(() => atWork.has(agent), { timeout: 20_000 }).toBe(true)
const end = (agent: string, answer = '') => atWork.get(agent)?.(answer)
const ended = () => expect.poll(() => loops.isRunning, { timeout: 20_000 }).toBe(false)
const recordsOf = (project: 'one' | 'two', system: 'metashell' | 'maestro') =>
  turnRecords(new SidecarStore(database).of(projects[project], system))
/** Commits by whose they are: of a role, or of all that share them. */
const commitsOf = (project: 'one' | 'two', system: 'metashell' | 'maestro') =>
  Object.fromEntries(
    recordsOf(project, system).map(({ role, shared, commits }) => [
      shared?.map((one) => one.role).join(' + ') ?? role,
      commits,
    ]),
  )

describe('two runs at once in one tree, of two projects in one repository', () => {
  it('have the commits of the time in which only one of them worked, and share the others in both', async () => {
    start('one', 'metashell')
    await begun('one executor')
    const first = repository.commit('First', { 'one/b.txt': 'b' })
    start('two', 'metashell')
    await begun('two executor')
    const both = repository.commit('Both', { 'c.txt': 'c' })
    end('one executor')
    await expect.poll(() => recordsOf('one', 'metashell').length, { timeout: 20_000 }).toBe(2)
    const last = repository.commit('Last', { 'two/d.txt': 'd' })
    end('two executor')
    await ended()
    expect(commitsOf('one', 'metashell')).toEqual({ executor: [first], 'executor + executor of metashell': [both] })
    expect(commitsOf('two', 'metashell')).toEqual({ executor: [last], 'executor + executor of metashell': [both] })
  })

  it('have what one of them alone names in its answer', async () => {
    start('one', 'metashell')
    start('two', 'metashell')
    await Promise.all([begun('one executor'), begun('two executor')])
    const named = repository.commit('Named', { 'c.txt': 'c' })
    end('one executor', `Committed ${named}.`)
    await expect.poll(() => recordsOf('one', 'metashell').length, { timeout: 20_000 }).toBe(1)
    end('two executor')
    await ended()
    expect(commitsOf('one', 'metashell')).toEqual({ executor: [named] })
    expect(commitsOf('two', 'metashell')).toEqual({ executor: [] })
  })

  it('are a run and a batch as well', async () => {
    start('one', 'maestro')
    await Promise.all([begun('one coder'), begun('one tester')])
    start('two', 'metashell')
    await begun('two executor')
    const all = repository.commit('Of one of three', { 'c.txt': 'c' })
    end('one coder')
    end('one tester')
    await expect.poll(() => recordsOf('one', 'maestro').length, { timeout: 20_000 }).toBe(3)
    const last = repository.commit('Last', { 'two/d.txt': 'd' })
    end('two executor')
    await ended()
    const [batch, executor] = [commitsOf('one', 'maestro'), commitsOf('two', 'metashell')]
    expect(batch).toEqual({ coder: [], tester: [], 'coder + tester + executor of metashell': [all] })
    expect(executor).toEqual({
      executor: [last],
      'executor + coder of maestro in batch + tester of maestro in batch': [all],
    })
  })

  it('share what was committed before their host was killed', async () => {
    start('one', 'metashell')
    start('two', 'metashell')
    await Promise.all([begun('one executor'), begun('two executor')])
    const both = repository.commit('Both', { 'c.txt': 'c' })
    const killed = loops
    atWork.clear()
    database.prepare('DELETE FROM hosts').run()
    loops = create()
    start('one', 'metashell')
    await begun('one executor')
    end('one executor')
    await ended()
    expect(commitsOf('one', 'metashell')).toMatchObject({ 'executor + executor of metashell': [both] })
    await killed.closeAll()
  })
})
