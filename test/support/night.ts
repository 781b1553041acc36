/** A night of loops on the command line whose hosts and agents are killed at random, and what must be true of each run after it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { AgentRun } from '@shared/contract/agents'
import { turnRecords } from '@shared/turnRecord'
import { initCrew } from '../../src-main/loops/ncrew/init'
import { AgentRunStore } from '../../src-main/storage/agentRuns'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SettingsStore } from '../../src-main/storage/settings'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { agentLike, isAlive } from './agentBench'

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
  turns: number
  hostKills: number
  agentKills: number
  /** Agents that answered after their host was killed. */
  adopted: number
  /** USD */
  cost: number
  /** In a sentence each. */
  readonly damage: string[]
}

type Loop = 'metashell' | 'ncrew'

/** Of a project, for each of its tasks and kills: one that needs more does not end. */
const MAX_STARTS_EACH = 5
/** A run that repeated itself waits for the person. */
const BREAKER = 22
/** Past which an agent that never ends is ended, s. */
const TIME_LIMIT_S = 10

export async function runNight(options: NightOptions): Promise<NightReport> {
  const report: NightReport = { turns: 0, hostKills: 0, agentKills: 0, adopted: 0, cost: 0, damage: [] }
  await Promise.all((['metashell', 'ncrew'] as const).map((loop) => runLane(loop, options, report)))
  return report
}

/** The projects of one loop, in a data folder of their own. */
async function runLane(loop: Loop, options: NightOptions, report: NightReport): Promise<void> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), `bridgedeck-night-${loop}-`)))
  const lane = new Lane(loop, top, options, report)
  try {
    for (let number = 1; number <= options.projects; number++) await lane.run(number)
  } finally {
    for (const pid of lane.pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
    rmSync(top, { recursive: true, force: true, maxRetries: 5 })
  }
}

const resultSchema = z.object({ type: z.literal('result'), result: z.string(), total_cost_usd: z.number() })

class Lane {
  readonly #loop: Loop
  readonly #top: string
  readonly #options: NightOptions
  readonly #report: NightReport
  readonly #data: string
  readonly #pidFile: string
  #folder = ''

  constructor(loop: Loop, top: string, options: NightOptions, report: NightReport) {
    this.#loop = loop
    this.#top = top
    this.#options = options
    this.#report = report
    this.#data = join(top, 'data')
    this.#pidFile = join(top, 'pids')
    mkdirSync(this.#data, { mode: 0o700 })
    writeFileSync(join(top, '.gitconfig'), '[user]\n\tname = Agent\n\temail = agent@example.org\n')
    const agent = agentLike(
      {},
      {
        ...{ name: 'fake', preset: 'claude', command: resolve('test/peers/agents/nightAgent.mjs') },
        args: [
          ...['--file', this.#pidFile, '--tasks', String(options.tasks)],
          ...['--odd', String(options.odd), '--time', String(options.turnTime)],
        ],
        timeLimit: TIME_LIMIT_S,
      },
    )
    this.#withDatabase((database) => new SettingsStore(database).change({ agents: [agent] }))
  }

  /** Every process that its agents were. */
  get pids(): number[] {
    return existsSync(this.#pidFile) ? readFileSync(this.#pidFile, 'utf8').trim().split('\n').map(Number) : []
  }

  async run(number: number): Promise<void> {
    this.#folder = join(this.#top, `project-${number}`)
    await this.#create()
    await this.#finish('project', 'trust', this.#folder, '--yes')
    let kills = 0
    let isDone = false
    const most = MAX_STARTS_EACH * (this.#options.tasks + this.#options.maxKills)
    for (let start = 1; start <= most && !isDone; start++) {
      const { code, killed, said } = await this.#start(this.#options.maxKills - kills)
      kills += killed
      if (code === BREAKER) await this.#finish('project', 'answer', this.#folder, '--action', 'continue', '--yes')
      // A phase of Meta-Shell waits at its gate.
      isDone = code === 0 || (this.#loop === 'metashell' && code === 11)
      if (start === most && !isDone) this.#tell(`it does not end: ${said.slice(-2_000)}`)
    }
    this.#check()
  }

  #tell(what: string): void {
    this.#report.damage.push(`${this.#loop} ${this.#folder}: ${what}`)
  }

  async #create(): Promise<void> {
    const { tasks } = this.#options
    mkdirSync(this.#folder)
    const put = (file: string, text: string) => writeFileSync(join(this.#folder, file), text)
    if (this.#loop === 'metashell') {
      mkdirSync(join(this.#folder, '.meta'))
      put('.meta/context.md', '# Project: Night\n')
      put('.gitignore', '.meta/session.json*\n.meta/artifacts\n.meta/.*\n')
    } else {
      mkdirSync(join(this.#folder, '.noodlecrew'))
      put(
        '.noodlecrew/manifest.yml',
        'crew:\n  default_llm: fake\n  experts:\n    - role: product-owner\n      phase: discovery\nphases: [discovery]\nexecution:\n  max_iterations: 100000\n  max_cost: 100000\n',
      )
      put('IDEA.md', '# Night\n')
      const list = Array.from({ length: tasks }, (_, index) => `- [ ] Task ${index + 1}.\n`).join('')
      put('tasks.md', `# Tasks\n\n## Discovery Phase\n${list}`)
      await initCrew({ folder: this.#folder, name: 'night', crew: resolve('resources/ncrew/default'), now: Date.now() })
    }
    this.#git('init', '--quiet')
    this.#git('add', '.')
    this.#git('commit', '--quiet', '-m', 'Begin')
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
    }
  }

  #call(...words: string[]): [string, string[], { env: NodeJS.ProcessEnv }] {
    return [process.execPath, [resolve('out/main/cli.cjs'), ...words], { env: this.#environment }]
  }

  async #finish(...words: string[]): Promise<void> {
    await once(spawn(...this.#call(...words)), 'close')
  }

  /** One host, which is killed, or whose agent is, as long as there are kills left. */
  async #start(maxKills: number): Promise<{ code: number | null; killed: number; said: string }> {
    const host = spawn(...this.#call(this.#loop, 'run', '.'))
    let said = ''
    for (const stream of [host.stdout, host.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
    const ended = new AbortController()
    const hasEnded = () => ended.signal.aborted
    const closed = once(host, 'close').then(() => ended.abort())
    let killed = 0
    while (killed < maxKills && !hasEnded()) {
      await wait(Math.random() * this.#options.killWithin, undefined, { signal: ended.signal }).catch(() => undefined)
      const agent = this.pids.findLast(isAlive)
      // Most of the time while an agent is at work: a host that is only starting loses nothing.
      if (hasEnded() || (agent === undefined && Math.random() < 0.8)) continue
      killed++
      if (agent === undefined || Math.random() < 0.7) {
        this.#report.hostKills++
        host.kill('SIGKILL')
        break
      }
      this.#report.agentKills++
      process.kill(agent, 'SIGKILL')
    }
    await closed
    return { code: host.exitCode, killed, said }
  }

  #check(): void {
    const alive = this.pids.filter(isAlive)
    if (alive.length > 0) this.#tell(`${alive.length} processes are alive`)
    this.#withDatabase((database) => {
      const runs = this.#runsIn(database)
      this.#report.turns += runs.length
      this.#report.adopted += runs.filter(({ status, exitCode }) => status === 'success' && exitCode === null).length
      const costs = runs.map((run) => this.#checkCost(run))
      const cost = costs.reduce((sum, one) => sum + one, 0)
      this.#report.cost += cost
      const attributed = this.#loop === 'metashell' ? this.#checkSession(runs) : this.#checkCrew(database, cost)
      const lost = this.#git('log', '--format=%H', '--reverse')
        .split('\n')
        .slice(1)
        .filter((commit) => !attributed.has(commit))
      if (lost.length > 0) this.#tell(`${lost.length} commits are of no turn: ${lost.join(', ')}`)
    })
    const subjects = this.#git('log', '--format=%s')
      .split('\n')
      .filter((subject) => subject.startsWith('feat'))
    if (new Set(subjects).size !== subjects.length) this.#tell('a task was committed twice')
    if (this.#loop === 'metashell' && subjects.length !== this.#options.tasks) this.#tell(`${subjects.length} tasks`)
  }

  /** The newest that there may be of a project are kept. */
  #runsIn(database: Database): AgentRun[] {
    return new AgentRunStore(database)
      .page(null, 500)
      .filter(({ purpose }) => purpose.includes(`${this.#folder}: `) || purpose.includes(`${this.#folder}/`))
  }

  /** What its log says that it cost, USD; that it was recorded. */
  #checkCost({ run, cost, state }: AgentRun): number {
    const log = join(this.#data, 'agents', run, 'output.log')
    const said = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1) : ''
    const result = said === undefined || said === '' ? undefined : resultSchema.safeParse(JSON.parse(said)).data
    if (state !== 'ended') this.#tell(`run ${run} is said to be ${state}`)
    if ((result?.total_cost_usd ?? 0) !== (cost ?? 0)) this.#tell(`run ${run} cost ${String(cost)}: ${said}`)
    return result?.total_cost_usd ?? 0
  }

  /** @returns the commits of its tasks */
  #checkSession(runs: readonly AgentRun[]): Set<string> {
    const { plan } = sessionSchema.parse(JSON.parse(readFileSync(join(this.#folder, '.meta/session.json'), 'utf8')))
    for (const { id, status } of plan.tasks) {
      if (status !== 'complete') this.#tell(`task ${id} is ${status}`)
      const answers = runs.filter(({ purpose, status }) => status === 'success' && purpose.endsWith(`: executor ${id}`))
      const taken = answers.filter(({ run }) => !this.#isLie(run))
      if (taken.length !== 1) this.#tell(`task ${id} was done ${taken.length} times`)
    }
    return new Set(plan.tasks.flatMap(({ commits }) => commits))
  }

  #isLie(run: string): boolean {
    return readFileSync(join(this.#data, 'agents', run, 'output.log'), 'utf8').includes('f'.repeat(40))
  }

  /** @returns the commits of its turns */
  #checkCrew(database: Database, cost: number): Set<string> {
    const index = readFileSync(join(this.#folder, 'INDEX.md'), 'utf8')
    const [, said = ''] = /^cost_so_far: (.*)$/m.exec(index) ?? []
    if (Math.abs(Number(said) - cost) > 0.005_001) this.#tell(`INDEX.md says $${said} of $${cost.toFixed(3)}`)
    if (readFileSync(join(this.#folder, 'tasks.md'), 'utf8').includes('[ ]')) this.#tell('tasks are left')
    const { id } = new ProjectStore(database).all.find(({ path }) => path === this.#folder) ?? {}
    const remembered =
      id === undefined ? new Map<string, string>() : new SidecarStore(database).all(id, 'ncrew:.noodlecrew')
    return new Set(turnRecords(remembered).flatMap(({ commits }) => commits))
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

const sessionSchema = z.object({
  plan: z.object({
    tasks: z.array(z.object({ id: z.string(), status: z.string(), commits: z.array(z.string()).default([]) })),
  }),
})
