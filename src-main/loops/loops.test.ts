import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Agent, ServiceRefusal } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import type { LoopOptions } from '@shared/contract/loopOptions'
import { defaultSettings } from '@shared/contract/settings'
import { loopsCommands, loopsEvents, type Loop as LoopView } from '@shared/contract/loops'
import { releaseHold, runHold } from '@shared/runHold'
import type { AgentRequest, AgentResult, AgentRunner, FollowAgentRun } from '../agents/agent'
import { newRun } from '../agents/agentRun'
import { AgentSlots } from '../agents/agentSlots'
import { TrustedFolder } from '../git/trustedFolder'
import { openDatabase, type Database } from '../storage/database'
import { HostStore } from '../storage/hosts'
import { ProjectStore } from '../storage/projects'
import { SidecarStore } from '../storage/sidecar'
import { isAccepted } from './acceptedEnv'
import type { AgentTest } from './agentTests'
import type { LoopEnd, LoopWork, TurnRequest } from './loop'
import { Loops, type LoopsOptions } from './loops'
import { loopsOptions } from '../../test/support/loopsOptions'
import { holdRun, holdsOfBatches, RunGuard } from './runGuard'

const success: AgentResult = {
  status: 'success',
  data: 'done',
  reason: '',
  tokens: 1,
  cost: null,
  duration: 1,
  exitCode: 0,
  stillAlive: [],
  log: 'a',
}
const coder: Agent = {
  name: 'claude',
  preset: 'claude',
  command: 'claude',
  model: null,
  args: [],
  environment: [],
  timeLimit: 600,
  maxTurns: null,
  maxCost: null,
}
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

const { signal } = new AbortController()
const agentTest = (): AgentTest => ({
  request: 'Answer with the word ready.',
  writesFiles: false,
  problemOf: (answer) => (answer === 'ready' ? null : 'It did not answer with the word ready.'),
})

const init = () => Promise.resolve({ folder: '/projects/one', created: ['IDEA.md'], kept: [] })

let folder: string
let database: Database
let name: { project: number; system: 'metashell'; place: string }
let told: LoopView[]
const all: Loops[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-loops-'))
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  name = { project: new ProjectStore(database).opened('/projects/one', 1).id, system: 'metashell', place: 'apps/shop' }
  told = []
})
afterEach(async () => {
  await Promise.all(all.splice(0).map((loops) => loops.closeAll()))
  database.close()
  rmSync(folder, { recursive: true })
})

interface Given extends Partial<LoopsOptions> {
  readonly run?: (work: LoopWork) => Promise<LoopEnd>
}

function create({
  run = () => Promise.resolve({ outcome: 'done', message: 'All is done.' }),
  ...options
}: Given = {}): Loops {
  const loops = new Loops({
    loops: [{ system: 'metashell', roles: () => ['planner', 'executor'], agentTest, init, run }],
    agents: { names: ['claude', 'codex'], run: () => Promise.resolve(success), adopt },
    ...loopsOptions(database),
    rootOf: (project) => (project === name.project ? '/projects/one' : '/projects/two'),
    foldersOf: () => ['apps/shop'],
    placeOf: () => ({ root: '/projects/one', folder: 'apps/shop', run: 'metashell:apps/shop/.meta/session.json' }),
    requireTrusted: () => new TrustedFolder('/projects/one', '/projects/one/apps/shop'),
    folder: join(folder, 'loops'),
    onChanged: (loops) => told.push(...loopsEvents['loops.changed'].parse({ loops }).loops),
    ...options,
  })
  all.push(loops)
  return loops
}

const adopt = () => Promise.resolve(null)
const claudeRun = () => ({ ...newRun({ agent: 'claude', prompt: '', cwd: '', purpose: '' }, coder), lastLine: '' })
/** An agent whose runs end so, one after the other. */
const answering = (result: () => AgentResult): AgentRunner => ({
  adopt,
  names: ['claude'],
  run: (_request, _signal, follow) => {
    follow?.(claudeRun())
    return Promise.resolve(result())
  },
})
const untold: ServiceRefusal = { kind: 'usage-limit', resetsAt: null }
const refusedFor = (refusal: ServiceRefusal): AgentResult => ({
  ...success,
  status: 'error',
  exitCode: 1,
  reason: 'The service said no.',
  refusal,
})
const view = (loops: Loops) => loopsCommands['loops.list'].output.parse(loops.list()).loops[0]
const ended = (loops: Loops) =>
  vi.waitFor(
    () => expect(view(loops)?.agents.length === 0 && !/ing$/.test(view(loops)?.state ?? 'ing')).toBe(true),
    20_000,
  )

it('that failed is shown until it is started again', async () => {
  const shown: (string | undefined)[] = []
  const loops = create({
    run: (work) => {
      const { holds } = work
      new RunGuard(work).check()
      shown.push(runHold(holds)?.message)
      if (shown.length === 1) holdRun(holds, 'failed', 'The expert failed.')
      return Promise.resolve({ outcome: 'done', message: 'Done.' })
    },
  })
  const run = 'metashell:apps/shop/.meta/session.json'
  const kept = () => runHold(new SidecarStore(database).of(name.project, run))?.message
  loops.start(name)
  await ended(loops)
  expect(kept()).toBe('The expert failed.')
  loops.start(name)
  await ended(loops)
  expect([shown, kept()]).toEqual([[undefined, undefined], undefined])
})

describe('a batch at a limit', () => {
  it('is kept beside the run that shows it, and goes on with what is left once the limit is raised', async () => {
    const starts: LoopOptions[] = []
    const loops = create({
      loops: [
        {
          system: 'metashell',
          roles: () => [],
          agentTest,
          continued: (_place, options) => ({ ...options, resumes: true }),
          run: (work) => {
            starts.push(work.options)
            return Promise.resolve(new RunGuard(work).check() ?? { outcome: 'done', message: 'Done.' })
          },
        },
      ],
      placeOf: () => ({ root: '/projects/one', folder: '', run: 'batch', memory: 'batches', shownIn: 'session' }),
      limits: () => ({ ...defaultSettings.agentLimits, runHours: 0 }),
    })
    loops.start({ ...name, options: { agent: 'claude' } })
    await ended(loops)
    expect(view(loops)).toMatchObject({ outcome: 'limit', code: 20 })
    const shown = new SidecarStore(database).of(name.project, 'session')
    const batches = holdsOfBatches(shown)
    const held = runHold(batches)
    expect(held).toMatchObject({ ceiling: { scope: 'run', measure: 'hours' } })
    expect(runHold(shown)).toBeUndefined()
    loops.resumeReleased(name.project)
    expect(starts).toHaveLength(1)
    if (held) batches.set(releaseHold(batches, held, 1))
    loops.resumeReleased(name.project)
    await expect.poll(() => view(loops)?.outcome).toBe('done')
    expect(starts).toEqual([{ agent: 'claude' }, { agent: 'claude', resumes: true }])
  })
})

describe('a loop', () => {
  it('runs until it ends by itself, and tells what it was at', async () => {
    const loops = create({
      run: async (work) => {
        work.step('Executing Task 01: First')
        const { data } = await work.spawn('executor', { prompt: 'Do it', purpose: 'task 01' })
        work.log('warn', `It said ${data}.`)
        return { outcome: 'gate', message: 'The phase is complete.', hint: 'Start the next one.' }
      },
    })
    expect(loops.start(name).loop).toMatchObject({ state: 'running', place: 'apps/shop' })
    await ended(loops)
    expect(view(loops)).toMatchObject({
      state: 'ended',
      outcome: 'gate',
      message: 'The phase is complete.',
      hint: 'Start the next one.',
      step: null,
      lines: 3,
    })
    const { lines } = loopsCommands['loops.lines'].output.parse(loops.lines({ ...name, after: 0 }))
    expect(lines.map(({ level, text }) => [level, text])).toEqual([
      ['info', 'Executing Task 01: First'],
      ['warn', 'It said done.'],
      ['info', 'The phase is complete.'],
    ])
    expect(loops.lines({ ...name, after: 2 }).lines).toHaveLength(1)
    await expect.poll(() => told.at(-1)?.state).toBe('ended')
  })

  it('keeps git from the files that its agents work on as long as it runs', async () => {
    const loops = create({
      run: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    })
    const edit = { run: 'ncrew:INDEX.md', request: { kind: 'undo', edit: 1 }, token: '' } as const
    const { project } = name
    loops.requireFreeTrees({ ...edit, project }, '')
    loops.start(name)
    expect(() => loops.requireFreeTrees({ ...edit, project }, '')).toThrow('apps/shop is running')
    loops.requireFreeTrees({ ...edit, project: project + 1 }, '')
    await loops.stop(name)
    loops.requireFreeTrees({ ...edit, project }, '')
  })

  it('runs the agent that has the role, in the folder of the run', async () => {
    const asked: AgentRequest[] = []
    const agents = {
      names: ['claude', 'codex'],
      adopt,
      run: (request: AgentRequest) => {
        asked.push(request)
        return Promise.resolve(success)
      },
    }
    const loops = create({
      agents,
      run: async (work) => {
        await work.spawn('planner', { prompt: 'Plan', purpose: 'plan' })
        await work.spawn('executor', { prompt: 'Do', purpose: 'do', task: '02-03' })
        return { outcome: 'done', message: 'Done.' }
      },
    })
    loops.setup.assign({ ...name, agents: { executor: 'codex' } })
    expect(() => loops.setup.assign({ ...name, agents: { executor: 'nobody' } })).toThrow(/No agent “nobody”/)
    expect(await loops.setup.read(name, signal)).toEqual({
      roles: [
        { role: 'planner', agent: 'claude' },
        { role: 'executor', agent: 'codex' },
      ],
      agents: ['claude', 'codex'],
      missing: [],
      tests: [
        { agent: 'claude', result: null },
        { agent: 'codex', result: null },
      ],
      hasOptionalRoles: false,
      hasRepository: false,
      options: {},
      worktree: { isWanted: false, branch: null, refusal: null, untrustedTop: null },
      settings: [],
      envWords: null,
    })
    loops.start(name)
    await ended(loops)
    expect(asked.map(({ agent, cwd }) => [agent, cwd])).toEqual([
      ['claude', '/projects/one/apps/shop'],
      ['codex', '/projects/one/apps/shop'],
    ])
    const of = { ...name, folder: 'shop' }
    expect(asked.map(({ turn }) => turn)).toEqual([
      { ...of, role: 'planner', task: null },
      { ...of, role: 'executor', task: '02-03' },
    ])
  })

  it('runs the agents that its files mean unless the person chose others, or one for this start alone', async () => {
    const asked: string[] = []
    const agents = {
      names: ['claude', 'codex', 'gemini'],
      adopt,
      run: ({ agent }: AgentRequest) => (asked.push(agent), Promise.resolve(success)),
    }
    const run = async (work: LoopWork): Promise<LoopEnd> => {
      for (const role of ['planner', 'executor'])
        await work.spawn(role, { prompt: 'Do', purpose: 'do', agent: work.chosen(role) ?? 'gemini' })
      return { outcome: 'done', message: 'Done.', code: 'maxTurns' in work.options ? (work.options.maxTurns ?? 0) : 0 }
    }
    const loops = create({
      agents,
      loops: [
        {
          system: 'metashell',
          roles: () => ['planner', 'executor', 'tester'],
          requestedAgents: () => Promise.resolve({ planner: 'gemini', executor: 'gemini' }),
          agentTest,
          init,
          run,
        },
      ],
    })
    loops.setup.assign({ ...name, agents: { executor: 'codex' } })
    expect((await loops.setup.read(name, signal)).roles).toEqual([
      { role: 'planner', agent: 'gemini' },
      { role: 'executor', agent: 'codex' },
      { role: 'tester', agent: null },
    ])
    loops.start(name)
    await ended(loops)
    loops.start({ ...name, options: { agent: 'claude', maxTurns: 20 } })
    await ended(loops)
    expect(asked).toEqual(['gemini', 'codex', 'claude', 'claude'])
    expect(view(loops)).toMatchObject({ state: 'ended', outcome: 'done', code: 20 })
    expect(() => loops.start({ ...name, options: { agent: 'nobody' } })).toThrow(/No agent “nobody”/)
  })

  it('starts with the options that the person chose for it, where the start says so and gives none of its own', async () => {
    const given: LoopWork['options'][] = []
    const loops = create({
      run: ({ options }) => {
        given.push(options)
        return Promise.resolve({ outcome: 'done', message: 'Done.' })
      },
    })
    loops.setup.chooseOptions({ ...name, changed: { maxTurns: 5, maxCost: null } })
    loops.setup.chooseOptions({ ...name, changed: { auto: true } })
    expect((await loops.setup.read(name, signal)).options).toEqual({ maxTurns: 5, auto: true })
    for (const options of [{ asChosen: true }, { asChosen: true, maxTurns: 1 }, {}]) {
      loops.start({ ...name, options })
      await ended(loops)
    }
    expect(given).toMatchObject([{ maxTurns: 5, auto: true }, { maxTurns: 1, auto: true }, {}])
    expect(given[2]).toEqual({})
    expect(() => loops.setup.chooseOptions({ ...name, changed: { maxSteps: 3 } })).toThrow(/Not an option of this run/)
    loops.setup.chooseOptions({ ...name, changed: { maxTurns: null, auto: null } })
    expect((await loops.setup.read(name, signal)).options).toEqual({})
  })

  it('is refused in a folder that is not trusted, and without an agent, and says both beforehand', async () => {
    const refused = create({
      requireTrusted: () => {
        throw new AppError('FORBIDDEN', 'Not trusted.', { hint: 'Trust it.' })
      },
    })
    expect(() => refused.start(name)).toThrow(/Not trusted/)
    const loops = create({ agents: { names: [], run: () => Promise.reject(new Error('never')), adopt } })
    expect(() => loops.start(name)).toThrow(/No agent is set up/)
    const { starts } = loopsCommands['loops.failedStarts'].output.parse({
      starts: loops.failedStarts.of(name.project),
    })
    expect(starts).toMatchObject([
      { system: 'metashell', place: 'apps/shop', message: expect.stringMatching(/^No agent is set up/) as string },
      { message: expect.stringMatching(/^Not trusted/) as string },
    ])
    expect((await loops.setup.read(name, signal)).missing).toMatchObject([{ what: 'No agent is set up.' }])
    expect((await refused.setup.read(name, signal)).missing).toEqual([
      { step: 'trust', what: 'Not trusted.', hint: 'Trust it.' },
    ])
    expect(view(loops)).toBeUndefined()
  })

  it('asks for exactly the words of the project’s .env, and again when they changed', async () => {
    let envWords = 'MODEL=one'
    const accepted: boolean[] = []
    const loops = create({
      loops: [
        {
          system: 'metashell',
          roles: () => ['planner'],
          agentTest,
          init,
          settings: () =>
            Promise.resolve({ settings: [{ name: 'MODEL', value: 'one', source: 'workspace .env' }], envWords }),
          run: (work) => {
            accepted.push(isAccepted(work.rememberedOfFolder, envWords))
            return Promise.resolve({ outcome: 'done', message: 'Done.' })
          },
        },
      ],
    })
    const asked = async () => {
      const { envWords: words, missing } = await loops.setup.read(name, signal)
      return [words, missing.map(({ step }) => step)]
    }
    expect(await asked()).toEqual(['MODEL=one', ['env']])
    await expect(loops.setup.acceptEnv({ ...name, words: 'MODEL=o' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await asked()).toEqual(['MODEL=one', ['env']])
    await loops.setup.acceptEnv({ ...name, words: 'MODEL=one' })
    expect(await asked()).toEqual([null, []])
    loops.start(name)
    await ended(loops)
    envWords = 'MODEL=two'
    expect(await asked()).toEqual(['MODEL=two', ['env']])
    loops.start(name)
    await ended(loops)
    expect(accepted).toEqual([true, false])
    expect((await loops.setup.read(name, signal)).settings).toEqual([
      { name: 'MODEL', value: 'one', source: 'workspace .env' },
    ])
  })

  describe('with agents that were not tested for it', () => {
    const runsWith = (answer: string, more: Given = {}) => {
      const asked: string[] = []
      const agents = {
        names: ['claude'],
        adopt,
        run: ({ prompt, cwd }: AgentRequest) => {
          asked.push(prompt)
          expect(cwd).not.toContain('/projects')
          return Promise.resolve({ ...success, data: answer })
        },
      }
      return { loops: create({ agents, ...more }), asked }
    }
    const start = { testsAgents: true }

    it('tries them once before its first run', async () => {
      const { loops, asked } = runsWith('ready')
      loops.start({ ...name, options: start })
      await ended(loops)
      expect(view(loops)).toMatchObject({ state: 'ended', outcome: 'done' })
      expect((await loops.setup.read(name, signal)).tests).toMatchObject([
        { agent: 'claude', result: { problems: [] } },
      ])
      loops.start({ ...name, options: start })
      await ended(loops)
      expect(asked).toHaveLength(1)
      expect(asked[0]).toContain('Answer with the word ready.')
    })

    it('does not start with one whose answer it cannot use, and says what is missing, once', async () => {
      const { loops } = runsWith('hello')
      loops.start({ ...name, options: start })
      await ended(loops)
      expect(view(loops)).toMatchObject({
        state: 'failed',
        message: expect.stringContaining('the word ready') as string,
      })
      loops.start({ ...name, options: start })
      await ended(loops)
      expect(view(loops)).toMatchObject({ state: 'ended' })
    })

    it('tries one again that was changed since', async () => {
      let command = 'claude -p'
      const { loops, asked } = runsWith('ready', { commandOf: () => command })
      expect(await loops.setup.test({ ...name, agent: 'claude' }, signal)).toMatchObject({ problems: [] })
      command = 'claude -p --model opus'
      expect((await loops.setup.read(name, signal)).tests).toEqual([{ agent: 'claude', result: null }])
      await loops.setup.test({ ...name, agent: 'claude' }, signal)
      expect(asked).toHaveLength(2)
    })

    it('starts without a test where none is asked for', async () => {
      const { loops, asked } = runsWith('hello')
      loops.start(name)
      await ended(loops)
      expect([view(loops)?.state, asked]).toEqual(['ended', []])
    })
  })

  it('runs once at a time, also when the same folder is open twice', async () => {
    const loops = create({
      run: async ({ signal }) => {
        await aborted(signal)
        return { outcome: 'done', message: '' }
      },
    })
    loops.start(name)
    expect(() => loops.start(name)).toThrow(/already running it/)
    expect(() => create().start(name)).toThrow(/Bridgedeck is already running it/)
    expect(loops.failedStarts.of(name.project)).toEqual([])
    expect(() => create().start({ ...name, project: new ProjectStore(database).opened('/link', 2).id })).toThrow(
      /already running it/,
    )
    await loops.stop(name)
    loops.start(name)
  })

  it('runs beside another of its folder, each under its own place', async () => {
    const loops = create({
      run: async ({ signal }) => {
        await aborted(signal)
        return { outcome: 'done', message: '' }
      },
    })
    const other = { ...name, place: 'apps/shop/second' }
    loops.start(name)
    loops.start(other)
    await loops.stop(name)
    expect(loops.list().loops.map(({ place, state }) => [place, state])).toEqual([
      ['apps/shop', 'stopped'],
      ['apps/shop/second', 'running'],
    ])
    loops.setup.assign({ ...other, agents: { executor: 'codex' } })
    expect((await loops.setup.read(name, signal)).roles).toContainEqual({ role: 'executor', agent: 'claude' })
    await loops.stop(other)
  })

  it('finds the agents that an earlier version had assigned to its folder', async () => {
    const sidecar = new SidecarStore(database)
    sidecar.remember(name.project, 'metashell:apps/shop', { agents: JSON.stringify({ executor: 'codex' }) })
    const { roles } = await create({ sidecar }).setup.read(name, signal)
    expect(roles).toContainEqual({ role: 'executor', agent: 'codex' })
  })

  it('waits for a service that refuses a turn, says so, and tries the turn again', async () => {
    const answers = [refusedFor({ kind: 'usage-limit', resetsAt: Date.now() + 60_000 }), success]
    const waited: number[] = []
    const statuses: string[] = []
    const loops = create({
      agents: answering(() => answers.shift() ?? success),
      waitUntil: (time) => Promise.resolve(void waited.push(time)),
      run: async (work) => {
        statuses.push((await work.spawn('executor', { prompt: '', purpose: '' })).status)
        return { outcome: 'done', message: 'Done.' }
      },
    })
    loops.start(name)
    await ended(loops)
    expect(statuses).toEqual(['success'])
    expect(waited).toHaveLength(1)
    expect(
      loops
        .lines({ ...name, after: 0 })
        .lines.map(({ text }) => text)
        .join(),
    ).toContain('usage limit: trying again at')
  })

  it.each([
    ['the money', { maxCost: 2.5 }, 3, { status: 'error', cost: 3 }],
    ['the time', { maxTime: 60_000 }, 1, { status: 'error', cost: 1 }],
  ])('tries a refused turn no longer than %s of its start lasts', async (_what, options, tries, outcome) => {
    let ran = 0
    const results: AgentResult[] = []
    const loops = create({
      agents: answering(() => ({ ...refusedFor(untold), cost: 1, log: `run ${++ran}` })),
      waitUntil: () => Promise.resolve(),
      run: async (work) => {
        results.push(await work.spawn('executor', { prompt: '', purpose: '' }))
        return { outcome: 'done', message: 'Done.' }
      },
    })
    loops.start({ ...name, options })
    await ended(loops)
    expect(ran).toBe(tries)
    expect(results).toMatchObject([outcome])
  })

  describe('that its service refuses', () => {
    /** @returns how often the agent ran, and for how long each time was waited, ms */
    async function startRefused(refusal: () => ServiceRefusal, options: Given = {}) {
      const waited: number[] = []
      let ran = 0
      const loops = create({
        agents: answering(() => ({ ...refusedFor(refusal()), cost: 1, log: `run ${++ran}` })),
        waitUntil: (time) => Promise.resolve(void waited.push(time - Date.now())),
        run: async (work) => {
          await work.spawn('executor', { prompt: '', purpose: '' })
          return { outcome: 'done', message: 'Done.' }
        },
        ...options,
      })
      loops.start(name)
      await ended(loops)
      const held = runHold(new SidecarStore(database).of(name.project, 'metashell:apps/shop/.meta/session.json'))
      return { ran, waited, end: view(loops), held }
    }
    const limits = (changes: Partial<typeof defaultSettings.agentLimits>) => ({
      ...defaultSettings.agentLimits,
      ...changes,
    })

    it.each([
      ['cannot reach its service', { kind: 'unreachable', resetsAt: null }],
      ['has reached its usage limit', untold],
    ] as const)('asks the person once it %s at three tries', async (what, refusal) => {
      const { ran, waited, end, held } = await startRefused(() => refusal)
      expect([ran, waited.length]).toEqual([3, 2])
      expect(end).toMatchObject({ state: 'ended', outcome: 'breaker', code: 22 })
      expect(held).toMatchObject({
        kind: 'same-error',
        message: `claude ${what}, at 3 tries in a row: The service said no.`,
      })
    })

    it('asks the person at once where only the person can help', async () => {
      const { ran, waited, end, held } = await startRefused(() => ({ kind: 'person', resetsAt: null }))
      expect([ran, waited]).toEqual([1, []])
      expect(end).toMatchObject({ state: 'ended', outcome: 'waiting', code: 10 })
      expect(held).toMatchObject({ kind: 'agent', message: 'claude needs you: The service said no.' })
    })

    it('waits for an error of its service that nobody knows, before that counts as a failed turn', async () => {
      const { ran, waited, end, held } = await startRefused(() => ({ kind: 'unknown', resetsAt: null }))
      expect([ran, waited.map((wait) => Math.round(wait / 60_000))]).toEqual([3, [2, 15]])
      expect(end).toMatchObject({ outcome: 'done' })
      expect(held).toBeUndefined()
    })

    it('waits for a program that worked before and cannot be started now, as in its update, and then asks the person', async () => {
      const missing: ServiceRefusal = { kind: 'program', resetsAt: null }
      const turns = async (answers: AgentResult[], count: number) => {
        const waited: number[] = []
        const statuses: string[] = []
        const loops = create({
          agents: answering(() => answers.shift() ?? refusedFor(missing)),
          waitUntil: (time) => Promise.resolve(void waited.push(Math.round((time - Date.now()) / 60_000))),
          run: async (work) => {
            for (let turn = 0; turn < count; turn++)
              statuses.push((await work.spawn('executor', { prompt: '', purpose: '' })).status)
            return { outcome: 'done', message: 'Done.' }
          },
        })
        loops.start(name)
        await ended(loops)
        return { waited, statuses, outcome: view(loops)?.outcome }
      }
      expect(await turns([], 1)).toEqual({ waited: [], statuses: ['error'], outcome: 'done' })
      const updated = await turns([success, refusedFor(missing), success], 2)
      expect(updated).toEqual({ waited: [2], statuses: ['success', 'success'], outcome: 'done' })
      expect(await turns([success], 2)).toEqual({ waited: [2, 15], statuses: ['success'], outcome: 'breaker' })
      const held = runHold(new SidecarStore(database).of(name.project, 'metashell:apps/shop/.meta/session.json'))
      expect(held?.message).toBe('claude could not be started, at 3 tries in a row: The service said no.')
    })

    it('waits for a limit that says when it resets, however often it is reached', async () => {
      let left = 6
      const told = () => (left-- > 0 ? { ...untold, resetsAt: Date.now() + 3_600_000 } : untold)
      const { ran, waited } = await startRefused(told)
      expect(ran).toBe(9)
      for (const wait of waited.slice(0, 6)) expect(Math.round(wait / 60_000)).toBe(61)
    })

    it('asks the person where it has used what agents may use, before it waits', async () => {
      const { ran, waited, end, held } = await startRefused(() => untold, { limits: () => limits({ runCost: 2 }) })
      expect([ran, waited.length]).toEqual([2, 1])
      expect(end).toMatchObject({ outcome: 'limit', code: 21 })
      expect(held).toMatchObject({ kind: 'ceiling', ceiling: { scope: 'run', measure: 'cost', limit: 2 } })
    })

    it.each([
      ['fails closed where prices cannot be read and a cost is limited', limits({ dayCost: 50 }), 1, 'agent'],
      ['goes on with such prices where no cost is limited', limits({ dayHours: 50 }), 3, 'same-error'],
    ] as const)('%s', async (_what, set, turns, kind) => {
      const priceProblem = () => 'prices.yaml:3: input has to be a number.'
      const { ran, held } = await startRefused(() => untold, { limits: () => set, priceProblem })
      expect([ran, held?.kind]).toEqual([turns, kind])
      expect(held?.message.includes('prices.yaml:3')).toBe(kind === 'agent')
    })

    it('asks the person where the limit was lowered while it waited', async () => {
      let set = limits({})
      const { ran, held } = await startRefused(() => untold, {
        limits: () => set,
        waitUntil: () => Promise.resolve(void (set = limits({ dayCost: 0.5 }))),
      })
      expect(ran).toBe(1)
      expect(held).toMatchObject({ kind: 'ceiling', ceiling: { scope: 'day' } })
    })
  })

  describe('with a second agent', () => {
    const limitFor = (ms: number): ServiceRefusal => ({ kind: 'usage-limit', resetsAt: Date.now() + ms })
    /** @param refusals by agent, one for each of its next tries. @returns who was asked and how, and for whom it waited */
    async function startWithSecond(
      refusals: Record<string, ServiceRefusal[]>,
      turns: number,
      more: Partial<TurnRequest> = {},
    ) {
      const asked: AgentRequest[] = []
      const waited: number[] = []
      const results: AgentResult[] = []
      const loops = create({
        agents: {
          adopt,
          names: ['claude', 'codex'],
          run: (request, _signal, follow) => {
            asked.push(request)
            follow?.({ ...claudeRun(), run: `run-${asked.length}`, agent: request.agent })
            const refusal = refusals[request.agent]?.shift()
            const log = `run-${asked.length}`
            return Promise.resolve({ ...(refusal ? refusedFor(refusal) : success), cost: 1, agent: request.agent, log })
          },
        },
        waitUntil: (time) => Promise.resolve(void (time > Date.now() && waited.push(time - Date.now()))),
        run: async (work) => {
          for (let turn = 0; turn < turns; turn++)
            results.push(await work.spawn('executor', { prompt: '', purpose: '', agent: 'claude', ...more }))
          return { outcome: 'done', message: 'Done.' }
        },
      })
      loops.start({ ...name, options: { secondAgent: 'codex' } })
      await ended(loops)
      const lines = loops.lines({ ...name, after: 0 }).lines.map(({ text }) => text)
      return { asked, agents: asked.map(({ agent }) => agent), waited, results, end: view(loops), lines }
    }

    it('gives it the turns that the first cannot take, with no more rights and without words for the first', async () => {
      const { asked, agents, waited, results, lines } = await startWithSecond({ claude: [limitFor(3_600_000)] }, 3, {
        model: 'opus',
        args: ['--fast'],
      })
      expect(agents).toEqual(['claude', 'codex', 'codex', 'codex'])
      expect(asked[0]).toMatchObject({ model: 'opus', args: ['--fast'] })
      for (const { model, args, standsInFor } of asked.slice(1))
        expect({ model, args, standsInFor }).toEqual({ standsInFor: { agent: 'claude' } })
      expect(waited).toEqual([])
      expect(results.map(({ agent, status, cost }) => [agent, status, cost])).toEqual([
        ['codex', 'success', 2],
        ['codex', 'success', 1],
        ['codex', 'success', 1],
      ])
      expect(lines).toContain('claude is at its usage limit: codex takes this turn.')
    })

    it('waits for the one that is free first where both are at their limit', async () => {
      const both = { claude: [limitFor(3_600_000)], codex: [limitFor(60_000)] }
      const { agents, waited, lines } = await startWithSecond(both, 1)
      expect(waited.map((ms) => Math.round(ms / 60_000))).toEqual([2])
      expect(agents.slice(0, 2)).toEqual(['claude', 'codex'])
      expect(lines.join()).toContain('codex has reached its usage limit: trying again at')
    })

    it('takes the place of a batch’s agent, which waits for no service', async () => {
      const group = { title: 'batch', slots: new AgentSlots(() => 1) }
      const one = await startWithSecond({ claude: [limitFor(3_600_000)] }, 1, { group })
      expect([one.agents, one.results[0]?.status]).toEqual([['claude', 'codex'], 'success'])
      const both = { claude: [limitFor(3_600_000)], codex: [limitFor(60_000)] }
      const none = await startWithSecond(both, 1, { group })
      expect([none.agents, none.waited, none.results[0]?.status]).toEqual([['claude', 'codex'], [], 'error'])
    })

    it.each(['unreachable', 'unknown'] as const)('waits for the first that is %s', async (kind) => {
      const { agents, waited } = await startWithSecond({ claude: [{ kind, resetsAt: null }] }, 1)
      expect([agents, waited.length]).toEqual([['claude', 'claude'], 1])
    })

    it('asks the person at once where the first wants them, and waits for the first where only the second does', async () => {
      const person: ServiceRefusal = { kind: 'person', resetsAt: null }
      const first = await startWithSecond({ claude: [person] }, 1)
      expect([first.agents, first.end]).toMatchObject([['claude'], { outcome: 'waiting', code: 10 }])
      const second = await startWithSecond({ claude: [limitFor(60_000)], codex: [person] }, 1)
      expect([second.agents.slice(0, 2), second.waited.length]).toEqual([['claude', 'codex'], 1])
      expect(second.lines.join()).toContain('codex needs you: claude goes on at')
    })

    it('is tested before the first run, and is one that is set up', async () => {
      const tested: string[] = []
      const run = ({ agent }: AgentRequest) => (tested.push(agent), Promise.resolve({ ...success, data: 'ready' }))
      const loops = create({ agents: { names: ['claude', 'codex'], run, adopt } })
      loops.setup.chooseOptions({ ...name, changed: { secondAgent: 'codex' } })
      expect((await loops.setup.read(name, signal)).tests.map(({ agent }) => agent)).toEqual(['claude', 'codex'])
      loops.start({ ...name, options: { asChosen: true, testsAgents: true } })
      await ended(loops)
      expect(tested).toEqual(['claude', 'codex'])
      expect(() => loops.start({ ...name, options: { secondAgent: 'nobody' } })).toThrow(/No agent “nobody”/)
    })
  })

  it('pauses while a turn waits for its service, and takes the turn at the next start', async () => {
    const answers = [refusedFor(untold), success]
    const loops = create({
      agents: answering(() => answers.shift() ?? success),
      run: async (work) => {
        await work.spawn('executor', { prompt: '', purpose: '' })
        return { outcome: 'done', message: 'Done.' }
      },
    })
    loops.start(name)
    await vi.waitFor(() => expect(view(loops)?.step).toContain('trying again at'))
    loops.pause(name)
    await ended(loops)
    expect(view(loops)).toMatchObject({ state: 'paused', message: expect.stringContaining('claude') as string })
    loops.start(name)
    await ended(loops)
    expect(view(loops)).toMatchObject({ state: 'ended', outcome: 'done' })
  })

  it('takes a turn again whose host ended while it waited for the service', async () => {
    const results = [
      refusedFor(untold),
      { ...success, status: 'error' as const, exitCode: 1, reason: 'The test of the limit failed.' },
    ]
    const adopted: unknown[] = []
    const loops = create({
      agents: {
        names: ['claude'],
        run: () => Promise.resolve(success),
        adopt: (_run, _signal, _limit, follow) => {
          follow?.(claudeRun())
          return Promise.resolve(results.shift() ?? null)
        },
      },
      run: async (work) => {
        adopted.push(await work.adopt('executor', 'one'), (await work.adopt('executor', 'two'))?.reason)
        return { outcome: 'done', message: 'Done.' }
      },
    })
    loops.start(name)
    await ended(loops)
    expect(adopted).toEqual([null, 'The test of the limit failed.'])
  })

  it('pauses between two agents, and goes on when it is started again', async () => {
    let release = (): void => undefined
    const loops = create({
      agents: { names: ['claude'], run: () => new Promise((resolve) => (release = () => resolve(success))), adopt },
      run: async (work) => {
        await work.spawn('executor', { prompt: '', purpose: '' })
        return work.isPausing()
          ? { outcome: 'paused', message: 'Paused before task 02.' }
          : { outcome: 'done', message: 'Done.' }
      },
    })
    loops.start(name)
    await expect.poll(() => view(loops)?.agents).toMatchObject([{ name: 'claude', role: 'executor' }])
    expect(loops.pause(name).loop.state).toBe('pausing')
    release()
    await ended(loops)
    expect(view(loops)).toMatchObject({ state: 'paused', message: 'Paused before task 02.' })
    expect(() => loops.pause(name)).toThrow(/not running/)
    loops.start(name)
    await expect.poll(() => view(loops)?.agents).toHaveLength(1)
    release()
    await ended(loops)
    expect(view(loops)?.state).toBe('ended')
  })

  it('shows each of its agents at once, with what it waits for, until that one has ended', async () => {
    const follows = new Map<string, FollowAgentRun>()
    const releases = new Map<string, () => void>()
    const agentRun = newRun({ agent: 'claude', prompt: '', cwd: '', purpose: '' }, coder)
    const loops = create({
      agents: {
        names: ['claude'],
        adopt,
        run: ({ purpose }, _signal, follow) => {
          const role = purpose.split(': ').at(-1) ?? ''
          if (follow) follows.set(role, follow)
          return new Promise((resolve) => releases.set(role, () => resolve(success)))
        },
      },
      run: async (work) => {
        await Promise.all(['coder', 'tester'].map((role) => work.spawn(role, { prompt: '', purpose: role })))
        return { outcome: 'done', message: 'Done.' }
      },
    })
    const shown = () => view(loops)?.agents.map(({ role, state, run, reason }) => [role, state, run, reason])
    loops.start(name)
    await expect.poll(() => view(loops)?.agents).toHaveLength(2)
    follows.get('coder')?.({ ...agentRun, run: 'a', state: 'running' })
    follows.get('tester')?.({ ...agentRun, run: 'b', reason: 'It waits for a place.' })
    expect(shown()).toEqual([
      ['coder', 'running', 'a', ''],
      ['tester', 'waiting', 'b', 'It waits for a place.'],
    ])
    releases.get('coder')?.()
    await expect.poll(shown).toEqual([['tester', 'waiting', 'b', 'It waits for a place.']])
    releases.get('tester')?.()
    await ended(loops)
  })

  it('is stopped when its agent is gone, and says which process is not', async () => {
    const loops = create({
      agents: {
        names: ['claude'],
        adopt,
        run: async (_request, signal) => {
          await aborted(signal)
          return { ...success, status: 'stopped', stillAlive: [4711] }
        },
      },
      run: async (work) => {
        const { status } = await work.spawn('executor', { prompt: '', purpose: '' })
        return { outcome: 'failed', message: status }
      },
    })
    loops.start(name)
    await expect.poll(() => view(loops)?.agents).toHaveLength(1)
    expect((await loops.stop(name)).loop).toMatchObject({
      state: 'stopped',
      outcome: null,
      message: 'Stopped by you. Still running: process 4711.',
    })
    await expect(loops.stop(name)).rejects.toThrow(/not running/)
  })

  it('waits for the agent that a Bridgedeck which was killed had started for it', async () => {
    const left = {
      run: 'left-1',
      agent: 'claude',
      purpose: 'metashell /projects/one/apps/shop: executor 02',
      pid: 4711,
    }
    const loops = create({ leftAtWork: () => Promise.resolve([left]) })
    loops.start(name)
    await ended(loops)
    expect(view(loops)).toMatchObject({
      state: 'failed',
      message: 'The agent claude (process 4711), started by an earlier Bridgedeck, is still working on this run.',
    })
    const other = create({
      leftAtWork: () => Promise.resolve([{ ...left, purpose: 'metashell /projects/one/apps/shop2: executor 02' }]),
    })
    other.start(name)
    await ended(other)
    expect(view(other)?.state).toBe('ended')
  })

  it('that cannot go on has failed, and says why', async () => {
    const loops = create({
      run: () => Promise.reject(new AppError('NOT_FOUND', 'There is no context.', { hint: 'Write one.' })),
    })
    loops.start(name)
    await ended(loops)
    expect(view(loops)).toMatchObject({ state: 'failed', message: 'There is no context.', hint: 'Write one.' })
  })

  it('of a Bridgedeck that ended before it is told as interrupted, once, needs the person, and can be started again', async () => {
    const gone = spawn(process.execPath, ['-e', ''])
    await once(gone, 'exit')
    const run = 'metashell /projects/one/apps/shop'
    const step = 'Executing Task 02: Second'
    const holder = 'metashell:apps/shop'
    new HostStore(database).acquire(run, { ...name, startedAt: 5, step, resumeHint: null, holder })
    database.prepare('UPDATE hosts SET pid = ? WHERE name = ?').run(gone.pid, run)
    const sidecar = new SidecarStore(database)
    const loops = create({ sidecar })
    loops.begin()
    expect(view(loops)).toMatchObject({
      state: 'interrupted',
      startedAt: 5,
      message: `Bridgedeck (process ${gone.pid}) ended during this run, at: Executing Task 02: Second.`,
    })
    const kept = () => runHold(sidecar.of(name.project, holder))
    expect(kept()).toMatchObject({ kind: 'interrupted', message: expect.stringContaining(step) as string })
    const next = create()
    next.begin()
    expect(view(next)).toBeUndefined()
    loops.start(name)
    await ended(loops)
    expect(view(loops)?.state).toBe('ended')
  })

  it('ends with Bridgedeck', async () => {
    const loops = create({
      run: async ({ signal }) => {
        await aborted(signal)
        return { outcome: 'done', message: '' }
      },
    })
    loops.start(name)
    await loops.closeAll()
    expect(view(loops)).toMatchObject({ state: 'stopped', message: 'Bridgedeck ended. No process is left.' })
    expect(() => loops.start(name)).toThrow(/shutting down/)
  })

  it('remembers beside the files of its run', async () => {
    const loops = create({
      run: (work) => {
        const answer = work.remembered.get('answer')
        work.remembered.set({ answer: answer === undefined ? 'yes' : null })
        return Promise.resolve({ outcome: 'done', message: answer ?? 'nothing' })
      },
    })
    for (const expected of ['nothing', 'yes', 'nothing']) {
      loops.start(name)
      await ended(loops)
      expect(view(loops)?.message).toBe(expected)
    }
  })
})
