/** A night of loops on the command line whose hosts, agents and whole machines are killed at random, and what must be true after it. */
import { setTimeout as wait } from 'node:timers/promises'
import { kill, LoopHome, madeUpAgent, type MadeUpAgent } from './loopHome'
import { nightLoops, type NightLoop } from './nightLoops'

export interface NightOptions extends Omit<MadeUpAgent, 'timeLimit'> {
  /** Of each project. */
  readonly tasks: number
  /** Of each loop, one after the other. */
  readonly projects: number
  /** After which no further project is begun, ms; for as long as it takes when not given. */
  readonly time?: number
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
    turns: {},
    kills: { host: 0, agent: 0, machine: 0 },
    adopted: 0,
    cost: 0,
    damage: [],
  }
  await Promise.all(nightLoops.map((loop) => new Lane(loop, options, report).run()))
  return report
}

/** The projects of one loop, one after the other. */
class Lane {
  readonly #loop: NightLoop
  readonly #options: NightOptions
  readonly #report: NightReport
  readonly #home: LoopHome
  /** Runs of agents whose host was killed. */
  readonly #outlived = new Set<string>()

  constructor(loop: NightLoop, options: NightOptions, report: NightReport) {
    this.#loop = loop
    this.#options = options
    this.#report = report
    const { tasks } = options
    this.#home = new LoopHome(loop, { tasks, agent: madeUpAgent(tasks, { ...options, timeLimit: TIME_LIMIT_S }) })
  }

  async run(): Promise<void> {
    const { projects, time = Infinity } = this.#options
    const end = performance.now() + time
    try {
      for (let number = 1; number <= projects && performance.now() < end; number++)
        await this.#runProject(await this.#home.create(`project-${number}`))
    } finally {
      await this.#home.remove()
    }
  }

  async #runProject(folder: string): Promise<void> {
    const { tasks, maxKills } = this.#options
    const tell = (problem: string) => this.#report.damage.push(`${this.#loop.name} ${folder}: ${problem}`)
    let kills = 0
    let isDone = false
    const most = MAX_STARTS_EACH * (tasks + maxKills)
    for (let start = 1; start <= most && !isDone; start++) {
      const { code, killed, said } = await this.#start(folder, maxKills - kills)
      kills += killed
      if (code === BREAKER)
        await this.#home.finish(folder, 'project', 'answer', folder, '--action', 'continue-run', '--yes')
      isDone = this.#loop.isDone(folder, code)
      if (start === most && !isDone) tell(`it does not end (${String(code)}): ${said}`)
    }
    const { runs, cost, problems } = await this.#home.outcome(folder)
    const { turns } = this.#report
    turns[this.#loop.name] = (turns[this.#loop.name] ?? 0) + runs.length
    this.#report.adopted += runs.filter(({ run, status }) => status === 'success' && this.#outlived.has(run)).length
    this.#report.cost += cost
    problems.forEach(tell)
  }

  /** One host, which is killed, or whose agent is, as long as there are kills left. */
  async #start(folder: string, maxKills: number): Promise<{ code: number | null; killed: number; said: string }> {
    const { kills } = this.#report
    const host = this.#home.start(folder)
    const ended = new AbortController()
    const hasEnded = () => ended.signal.aborted
    const closed = host.ended.finally(() => ended.abort())
    let killed = 0
    while (killed < maxKills && !hasEnded()) {
      await wait(Math.random() * this.#options.killWithin, undefined, { signal: ended.signal }).catch(() => undefined)
      // Most of the time while an agent is at work: a host that is only starting loses nothing.
      const waits = Math.random() < 0.8
      let agents = this.#home.agentsAtWork()
      for (; waits && !hasEnded() && agents.length === 0; agents = this.#home.agentsAtWork()) await wait(LOOK_MS)
      if (hasEnded()) break
      killed++
      const chance = Math.random()
      const [agent] = agents
      if (agent && chance < 0.3) {
        kills.agent++
        kill(agent.pid)
        continue
      }
      host.child.kill('SIGKILL')
      if (chance < 0.5) {
        kills.machine++
        await this.#home.losePower(folder)
      } else {
        kills.host++
        for (const { run } of agents) this.#outlived.add(run)
      }
      break
    }
    const { code, stdout, stderr } = await closed
    return { code, killed, said: `${stdout}${stderr}`.slice(-MAX_SAID) }
  }
}
