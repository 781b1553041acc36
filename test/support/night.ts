/** A night of loops on the command line whose hosts, agents and whole machines are killed at random, and what must be true after it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
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
import { z } from 'zod'
import type { AgentRun } from '@shared/contract/agents'
import { turnRecords } from '@shared/turnRecord'
import { MARK } from '../../src-main/agents/processTree'
import { AgentRunStore } from '../../src-main/storage/agentRuns'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SettingsStore } from '../../src-main/storage/settings'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { SpendingStore } from '../../src-main/storage/spending'
import { agentLike, isAlive } from './agentBench'
import { nightLoops, type NightLoop, type NightRun } from './nightLoops'

export interface NightOptions {
  /** Of each loop, one after the other. */
  readonly projects: number
  /** Of each project. */
  readonly tasks: number
  /** Of turns in which an agent does not do well, 0 to 1. */
  readonly odd: number
  /** Longest time that an agent works, ms. */
  readonly turnTime: number
  /** Longest time between two kills in a loop, ms. */
  readonly killWithin: number
  /** In each project. */
  readonly maxKills: number
}

export interface NightReport {
  /** By loop. */
  readonly turns: Record<string, number>
  readonly kills: { host: number; agent: number; machine: number }
  /** Agents that answered after their host was killed. */
  adopted: number
  /** USD */
  cost: number
  /** In a sentence each. */
  readonly damage: string[]
}

/** Of a project, for each of its tasks and kills: one that needs more does not end. */
const MAX_STARTS_EACH = 5
/** A run that repeated itself waits for the person. */
const BREAKER = 22
/** Past which an agent that never ends is ended, s. */
const TIME_LIMIT_S = 10
/** Between two looks for an agent at work. */
const LOOK_MS = 100
/** Of what the host says, kept to tell why a run does not end. */
const MAX_SAID = 2_000

export async function runNight(options: NightOptions): Promise<NightReport> {
  const report: NightReport = {
    ...{ turns: {}, kills: { host: 0, agent: 0, machine: 0 } },
    ...{ adopted: 0, cost: 0, damage: [] },
  }
  await Promise.all(nightLoops.map((loop) => runLane(loop, options, report)))
  return report
}

/** The projects of one loop, in a data folder of their own. */
async function runLane(loop: NightLoop, options: NightOptions, report: NightReport): Promise<void> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), `bridgedeck-night-${loop.name}-`)))
  const lane = new Lane(loop, top, options, report)
  try {
    for (let number = 1; number <= options.projects; number++) await lane.run(number)
  } finally {
    await lane.killMachine()
    rmSync(top, { recursive: true, force: true, maxRetries: 5 })
  }
}

const resultSchema = z.object({ type: z.literal('result'), total_cost_usd: z.number(), kind: z.string() })
type Answer = z.infer<typeof resultSchema>

class Lane {
  readonly #loop: NightLoop
  readonly #top: string
  readonly #options: NightOptions
  readonly #report: NightReport
  readonly #data: string
  #folder = ''
  /** Of all projects so far, USD. */
  #cost = 0
  /** Runs of agents whose host was killed. */
  readonly #outlived = new Set<string>()

  constructor(loop: NightLoop, top: string, options: NightOptions, report: NightReport) {
    this.#loop = loop
    this.#top = top
    this.#options = options
    this.#report = report
    this.#data = join(top, 'data')
    mkdirSync(this.#data, { mode: 0o700 })
    writeFileSync(join(top, '.gitconfig'), '[user]\n\tname = Agent\n\temail = agent@example.org\n')
    const agent = agentLike(
      {},
      {
        ...{ name: 'fake', preset: 'claude', command: resolve('test/peers/agents/nightAgent.mjs') },
        args: [
          ...['--tasks', String(options.tasks)],
          ...['--odd', String(options.odd), '--time', String(options.turnTime)],
        ],
        timeLimit: TIME_LIMIT_S,
      },
    )
    this.#withDatabase((database) => new SettingsStore(database).change({ agents: [agent] }))
  }

  async run(number: number): Promise<void> {
    const { tasks, maxKills } = this.#options
    this.#folder = join(this.#top, `project-${number}`)
    mkdirSync(this.#folder)
    await this.#loop.create(this.#folder, tasks)
    this.#git('init', '--quiet')
    this.#git('add', '.')
    this.#git('commit', '--quiet', '-m', 'Begin')
    await this.#finish('project', 'trust', this.#folder, '--yes')
    let kills = 0
    let isDone = false
    const most = MAX_STARTS_EACH * (tasks + maxKills)
    for (let start = 1; start <= most && !isDone; start++) {
      const { code, killed, said } = await this.#start(maxKills - kills)
      kills += killed
      if (code === BREAKER) await this.#finish('project', 'answer', this.#folder, '--action', 'continue', '--yes')
      isDone = this.#loop.isDone(this.#folder, code)
      if (start === most && !isDone) this.#tell(`it does not end (${String(code)}): ${said}`)
    }
    await this.#check()
  }

  /** Ends the host with all its agents at once. */
  async killMachine(): Promise<void> {
    for (let living = this.#living(); living.length > 0; living = this.#living()) {
      for (const { pid } of living) kill(pid)
      await wait(20)
    }
  }

  #tell(what: string): void {
    this.#report.damage.push(`${this.#loop.name} ${this.#folder}: ${what}`)
  }

  #git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.#folder, env: this.#environment, encoding: 'utf8' }).trim()
  }

  get #environment(): NodeJS.ProcessEnv {
    return {
      PATH: [join(process.execPath, '..'), process.env['PATH']].join(delimiter),
      HOME: this.#top,
      BRIDGEDECK_DATA: this.#data,
      INIT_CWD: this.#folder,
      ...this.#loop.environment,
    }
  }

  /** Every process of this lane, known by its home. */
  #living(): { readonly pid: number; readonly environment: readonly string[] }[] {
    return readdirSync('/proc').flatMap((name) => {
      const environment = /^\d+$/.test(name) ? environmentOf(name) : []
      return environment.includes(`HOME=${this.#top}`) && isAlive(Number(name))
        ? [{ pid: Number(name), environment }]
        : []
    })
  }

  /** Those that work now, not what they started. */
  #agentsAtWork(): { readonly pid: number; readonly run: string }[] {
    return this.#living().flatMap(({ pid, environment }) => {
      const run = environment.find((variable) => variable.startsWith(`${MARK}=`))?.slice(MARK.length + 1)
      const command = commandOf(pid)
      const isAgent = command.some((word) => word.endsWith('nightAgent.mjs')) && !command.includes('-e')
      return run !== undefined && isAgent ? [{ pid, run }] : []
    })
  }

  #call(...words: string[]): [string, string[], { env: NodeJS.ProcessEnv }] {
    return [process.execPath, [resolve('out/main/cli.cjs'), ...words], { env: this.#environment }]
  }

  async #finish(...words: string[]): Promise<void> {
    const child = spawn(...this.#call(...words))
    for (const stream of [child.stdout, child.stderr]) stream.resume()
    await once(child, 'close')
  }

  /** One host, which is killed, or whose agent is, as long as there are kills left. */
  async #start(maxKills: number): Promise<{ code: number | null; killed: number; said: string }> {
    const { kills } = this.#report
    const host = spawn(...this.#call(...this.#loop.start))
    let said = ''
    for (const stream of [host.stdout, host.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-MAX_SAID)
      })
    const ended = new AbortController()
    const hasEnded = () => ended.signal.aborted
    const closed = once(host, 'close').then(() => ended.abort())
    let killed = 0
    while (killed < maxKills && !hasEnded()) {
      await wait(Math.random() * this.#options.killWithin, undefined, { signal: ended.signal }).catch(() => undefined)
      // Most of the time while an agent is at work: a host that is only starting loses nothing.
      const waits = Math.random() < 0.8
      let agents = this.#agentsAtWork()
      for (; waits && !hasEnded() && agents.length === 0; agents = this.#agentsAtWork()) await wait(LOOK_MS)
      if (hasEnded()) break
      killed++
      const chance = Math.random()
      const [agent] = agents
      if (agent && chance < 0.3) {
        kills.agent++
        kill(agent.pid)
        continue
      }
      host.kill('SIGKILL')
      if (chance < 0.5) {
        kills.machine++
        await this.#losePower()
      } else {
        kills.host++
        for (const { run } of agents) this.#outlived.add(run)
      }
      break
    }
    await closed
    return { code: host.exitCode, killed, said }
  }

  /** A lock of git that is left by it is removed by the person, as git asks. */
  async #losePower(): Promise<void> {
    await this.killMachine()
    const locks = readdirSync(join(this.#folder, '.git'), { recursive: true, encoding: 'utf8' })
    for (const lock of locks.filter((name) => name.endsWith('.lock'))) rmSync(join(this.#folder, '.git', lock))
  }

  async #check(): Promise<void> {
    const alive = this.#living()
    if (alive.length > 0) this.#tell(`alive: ${alive.map(({ pid }) => commandOf(pid).join(' ')).join('; ')}`)
    await this.killMachine()
    this.#withDatabase((database) => {
      const runs = this.#runsIn(database)
      const { turns } = this.#report
      this.#report.adopted += runs.filter(({ run, status }) => status === 'success' && this.#outlived.has(run)).length
      turns[this.#loop.name] = (turns[this.#loop.name] ?? 0) + runs.length
      const cost = runs.reduce((sum, run) => sum + this.#checkCost(run), 0)
      this.#report.cost += cost
      this.#cost += cost
      const { cost: spent } = new SpendingStore(database).total
      if (Math.abs(spent - this.#cost) > 1e-6) this.#tell(`$${spent} are counted as spent, of $${this.#cost}`)
      this.#checkCommits(database)
      const problems = this.#loop.check({
        ...{ folder: this.#folder, tasks: this.#options.tasks, runs, cost },
        kindOf: (run) => this.#answerOf(run)?.kind,
        textOf: ({ run }) => this.#textOf(run),
      })
      for (const problem of problems) this.#tell(problem)
    })
    const subjects = this.#git('log', '--format=%s')
      .split('\n')
      .filter((subject) => subject.startsWith('feat'))
    if (new Set(subjects).size !== subjects.length) this.#tell('a task was committed twice')
    if (this.#loop.commits && subjects.length !== this.#options.tasks)
      this.#tell(`${subjects.length} tasks are committed`)
  }

  #checkCommits(database: Database): void {
    const { id } = new ProjectStore(database).all.find(({ path }) => path === this.#folder) ?? {}
    const remembered = id === undefined ? [] : [...new SidecarStore(database).ofProject(id).values()]
    const attributed = new Set(remembered.flatMap((run) => turnRecords(run).flatMap(({ commits }) => commits)))
    const lost = this.#git('log', '--format=%H', '--reverse')
      .split('\n')
      .slice(1)
      .filter((commit) => !attributed.has(commit))
    if (lost.length > 0) this.#tell(`${lost.length} commits are of no turn: ${lost.join(', ')}`)
  }

  /** The newest that there may be of a project are kept. */
  #runsIn(database: Database): NightRun[] {
    return new AgentRunStore(database)
      .page(null, 500)
      .filter(({ purpose }) => purpose.includes(`${this.#folder}: `) || purpose.includes(`${this.#folder}/`))
  }

  #textOf(run: string): string {
    const log = join(this.#data, 'agents', run, 'output.log')
    return existsSync(log) ? readFileSync(log, 'utf8') : ''
  }

  /** Undefined where it printed none. */
  #answerOf({ run }: NightRun): Answer | undefined {
    const said = this.#textOf(run).trim().split('\n').at(-1) ?? ''
    return said === '' ? undefined : resultSchema.safeParse(JSON.parse(said)).data
  }

  /** What its log says that it cost, USD; that it was recorded. */
  #checkCost(run: AgentRun): number {
    const cost = this.#answerOf(run)?.total_cost_usd ?? 0
    if (run.state !== 'ended') this.#tell(`run ${run.run} is said to be ${run.state}`)
    if (cost !== (run.cost ?? 0)) this.#tell(`run ${run.run} cost ${String(run.cost)} of ${cost}`)
    return cost
  }

  #withDatabase<Result>(use: (database: Database) => Result): Result {
    const database = openDatabase(join(this.#data, 'bridgedeck.sqlite'))
    try {
      return use(database)
    } finally {
      database.close()
    }
  }
}

const wordsIn = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\0')
  } catch {
    return []
  }
}
const environmentOf = (pid: string): string[] => wordsIn(`/proc/${pid}/environ`)
const commandOf = (pid: number): string[] => wordsIn(`/proc/${pid}/cmdline`)

/** It may have ended in the meantime. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has.
  }
}
