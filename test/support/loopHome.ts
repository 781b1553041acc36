/** A home folder with a data folder, an agent that nightAgent.mjs is, and projects of one loop, driven by the command line. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Agent, AgentRun } from '@shared/contract/agents'
import { turnRecords } from '@shared/turnRecord'
import { MARK, readStat } from '../../src-main/agents/processTree'
import { AgentRunStore } from '../../src-main/storage/agentRuns'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SettingsStore } from '../../src-main/storage/settings'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { SpendingStore } from '../../src-main/storage/spending'
import { agentLike, isAlive } from './agentBench'
import { callHere, startHere, type Ended, type RunningCall } from './callHere'
import { startProcess, type CallProcess } from './callProcess'
import { NIGHT_AGENT, nightAnswerSchema, type NightAnswer, type NightLoop } from './nightLoops'

/** Who does the work of a home. */
export interface HomeAgent {
  readonly agent: Agent
  /** Of its host, beside what each has. */
  readonly environment: NodeJS.ProcessEnv
  /** @param command of a process. @param leads whether its group is its own */
  readonly isAgent: (command: readonly string[], leads: boolean) => boolean
  /** What it told at its end; undefined where it told nothing. */
  readonly answerOf: (said: string) => NightAnswer | undefined
}

export interface MadeUpAgent {
  /** Of turns in which an agent does not do well, 0 to 1. */
  readonly odd: number
  /** Longest time that an agent works, ms. */
  readonly turnTime: number
  /** Past which an agent is ended, s. */
  readonly timeLimit: number
}

export interface HomeOptions {
  /** Of each project. */
  readonly tasks: number
  /** @param top the home folder */
  readonly agent: (top: string) => HomeAgent
}

/** nightAgent.mjs, which has no service. */
export const madeUpAgent =
  (tasks: number, { odd, turnTime, timeLimit }: MadeUpAgent): HomeOptions['agent'] =>
  () => ({
    agent: agentLike(
      {},
      {
        name: NIGHT_AGENT,
        preset: 'claude',
        command: resolve('test/peers/agents/nightAgent.mjs'),
        timeLimit,
        args: ['--tasks', String(tasks), '--odd', String(odd), '--time', String(turnTime)],
      },
    ),
    environment: {},
    isAgent: (command) => command.some((word) => word.endsWith('nightAgent.mjs')) && !command.includes('-e'),
    answerOf: (said) => {
      const last = said.trim().split('\n').at(-1) ?? ''
      return last.endsWith('}') ? nightAnswerSchema.safeParse(JSON.parse(last)).data : undefined
    },
  })

export interface Outcome {
  readonly runs: readonly AgentRun[]
  /** By their logs, USD. */
  readonly cost: number
  /** What is not as it must be, in sentences. */
  readonly problems: readonly string[]
}

export class LoopHome {
  readonly #loop: NightLoop
  readonly #tasks: number
  readonly #agent: HomeAgent
  readonly #startedHere: RunningCall[] = []
  /** The home folder. */
  readonly top: string
  readonly #data: string
  /** Of all projects so far, USD. */
  #cost = 0

  constructor(loop: NightLoop, { tasks, agent }: HomeOptions) {
    this.#loop = loop
    this.#tasks = tasks
    this.top = realpathSync(mkdtempSync(join(tmpdir(), `bridgedeck-night-${loop.name}-`)))
    this.#data = join(this.top, 'data')
    mkdirSync(this.#data, { mode: 0o700 })
    writeFileSync(join(this.top, '.gitconfig'), '[user]\n\tname = Agent\n\temail = agent@example.org\n')
    this.#agent = agent(this.top)
    this.withDatabase((database) => new SettingsStore(database).change({ agents: [this.#agent.agent] }))
  }

  async remove(): Promise<void> {
    for (const host of this.#startedHere) host.interrupt()
    await this.killMachine()
    rmSync(this.top, { recursive: true, force: true, maxRetries: 5 })
  }

  /** While this file is there, agents print. */
  get hold(): string {
    return join(this.top, 'hold')
  }

  /** @returns its folder, trusted */
  async create(name: string): Promise<string> {
    const folder = join(this.top, name)
    mkdirSync(folder)
    await this.#loop.create(folder, this.#tasks)
    this.#git(folder, 'init', '--quiet')
    this.#git(folder, 'add', '.')
    this.#git(folder, 'commit', '--quiet', '-m', 'Begin')
    await this.finish(folder, 'project', 'trust', folder, '--yes')
    return folder
  }

  /** A host of the loop, in a process of its own, to be killed. */
  start(folder: string): CallProcess {
    return startProcess(this.#loop.start, { environment: this.#environment(folder) })
  }

  /** One that is left to end, within the process of the test. */
  startHere(folder: string): RunningCall {
    const host = startHere(this.#loop.start, { environment: this.#environment(folder) })
    this.#startedHere.push(host)
    return host
  }

  finish(folder: string, ...words: string[]): Promise<Ended> {
    return callHere(words, { environment: this.#environment(folder) })
  }

  /** Ends the host with all its agents at once. */
  async killMachine(): Promise<void> {
    for (let living = this.#living(); living.length > 0; living = this.#living()) {
      for (const { pid } of living) kill(pid)
      await wait(20)
    }
  }

  /** The same, as when the power goes. A lock of git that is left by it is removed by the person, as git asks. */
  async losePower(folder: string): Promise<void> {
    await this.killMachine()
    const locks = readdirSync(join(folder, '.git'), { recursive: true, encoding: 'utf8' })
    for (const lock of locks.filter((name) => name.endsWith('.lock'))) rmSync(join(folder, '.git', lock))
  }

  /** Those that work now, not what they started. */
  agentsAtWork(): { readonly pid: number; readonly run: string }[] {
    return this.#living().flatMap(({ pid, environment }) => {
      const run = environment.find((variable) => variable.startsWith(`${MARK}=`))?.slice(MARK.length + 1)
      return run !== undefined && this.#agent.isAgent(commandOf(pid), leads(pid)) ? [{ pid, run }] : []
    })
  }

  /** Bridges of this home, whoever started them. */
  get bridges(): number[] {
    return this.#living().flatMap(({ pid }) =>
      commandOf(pid).some((word) => word.endsWith('bridge.cjs')) ? [pid] : [],
    )
  }

  /** All that the agent of a run printed. */
  textOf(run: string): string {
    const log = join(this.#data, 'agents', run, 'output.log')
    return existsSync(log) ? readFileSync(log, 'utf8') : ''
  }

  /** Of a project whose loop has ended. */
  async outcome(folder: string): Promise<Outcome> {
    const alive = this.#living().map(({ pid }) => commandOf(pid).join(' '))
    await this.killMachine()
    return this.withDatabase((database) => {
      // The newest that there may be of a project are kept.
      const runs = new AgentRunStore(database)
        .page(null, 500)
        .filter(({ purpose }) => purpose.includes(`${folder}: `) || purpose.includes(`${folder}/`))
      const cost = runs.reduce((sum, { run }) => sum + (this.#answerOf(run)?.total_cost_usd ?? 0), 0)
      this.#cost += cost
      const ended = {
        folder,
        tasks: this.#tasks,
        runs,
        cost,
        answerOf: ({ run }: AgentRun) => this.#answerOf(run),
      }
      const problems = [
        ...alive.map((command) => `alive: ${command}`),
        ...runs.flatMap((run) => this.#problemsOf(run)),
        ...this.#costProblems(database),
        ...this.#commitProblems(database, folder),
        ...this.#loop.check(ended),
      ]
      return { runs, cost, problems }
    })
  }

  #git(folder: string, ...args: string[]): string {
    return execFileSync('git', args, { cwd: folder, env: this.#environment(folder), encoding: 'utf8' }).trim()
  }

  #environment(folder: string): NodeJS.ProcessEnv {
    return {
      PATH: [join(process.execPath, '..'), process.env['PATH']].join(delimiter),
      HOME: this.top,
      BRIDGEDECK_DATA: this.#data,
      INIT_CWD: folder,
      ...this.#loop.environment,
      ...this.#agent.environment,
    }
  }

  /** Every process of this home. */
  #living(): { readonly pid: number; readonly environment: readonly string[] }[] {
    return readdirSync('/proc').flatMap((name) => {
      const environment = /^\d+$/.test(name) ? wordsIn(`/proc/${name}/environ`) : []
      const isOurs = environment.includes(`HOME=${this.top}`) && isAlive(Number(name))
      return isOurs ? [{ pid: Number(name), environment }] : []
    })
  }

  /** Undefined where it printed none. */
  #answerOf(run: string): NightAnswer | undefined {
    return this.#agent.answerOf(this.textOf(run))
  }

  #problemsOf({ run, state, cost }: AgentRun): string[] {
    const said = this.#answerOf(run)?.total_cost_usd ?? 0
    return [
      ...(state === 'ended' ? [] : [`run ${run} is said to be ${state}`]),
      ...(said === (cost ?? 0) ? [] : [`run ${run} cost ${String(cost)} of ${said}`]),
    ]
  }

  #costProblems(database: Database): string[] {
    const { cost } = new SpendingStore(database).total
    return Math.abs(cost - this.#cost) > 1e-6 ? [`$${cost} are counted as spent, of $${this.#cost}`] : []
  }

  #commitProblems(database: Database, folder: string): string[] {
    const { id } = new ProjectStore(database).all.find(({ path }) => path === folder) ?? {}
    const remembered = id === undefined ? [] : [...new SidecarStore(database).ofProject(id).values()]
    const attributed = new Set(remembered.flatMap((run) => turnRecords(run).flatMap(({ commits }) => commits)))
    const made = this.#git(folder, 'log', '--format=%H', '--reverse').split('\n').slice(1)
    const lost = made.filter((commit) => !attributed.has(commit))
    const subjects = this.#git(folder, 'log', '--format=%s').split('\n')
    const tasks = subjects.filter((subject) => subject.startsWith('feat'))
    return [
      ...(lost.length === 0 ? [] : [`${lost.length} commits are of no turn: ${lost.join(', ')}`]),
      ...(new Set(tasks).size === tasks.length ? [] : ['a task was committed twice']),
      ...(this.#loop.commits && tasks.length !== this.#tasks ? [`${tasks.length} tasks are committed`] : []),
    ]
  }

  withDatabase<Result>(use: (database: Database) => Result): Result {
    const database = openDatabase(join(this.#data, 'bridgedeck.sqlite'))
    try {
      return use(database)
    } finally {
      database.close()
    }
  }
}

/** Empty where it cannot be read. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const wordsIn = (file: string): string[] => readText(file).split('\0').filter(Boolean)

const leads = (pid: number): boolean => readStat(readText(`/proc/${pid}/stat`))?.group === pid

const commandOf = (pid: number): string[] => wordsIn(`/proc/${pid}/cmdline`)

/** It may have ended in the meantime. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has.
  }
}
