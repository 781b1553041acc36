/** The projects of one loop with one program in a night, one after the other, and what a person does who looks after them. */
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { turnRecords } from '@shared/turnRecord'
import type { AgentProgram } from '../../scripts/lib/agentPrograms.mjs'
import { AgentRunStore } from '../../src-main/storage/agentRuns'
import { ProjectStore } from '../../src-main/storage/projects'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { SpendingStore } from '../../src-main/storage/spending'
import type { ModelApi } from '../peers/modelApi/modelApi'
import type { CallProcess } from './callProcess'
import { kill, LoopHome } from './loopHome'
import { meteredAgent } from './meteredAgent'
import { noRecords, type LedgerRequest, type NightRecords } from './nightLedger'
import type { NightLoop } from './nightLoops'
import type { Places } from './places'
import { printedAmounts } from './printedAmounts'

/** `front`: the command that a person waits for. `bridge`: where its loop runs. `machine`: all processes at once. */
export type KillKind = 'front' | 'bridge' | 'agent' | 'machine'

interface NightTally {
  readonly turns: Record<string, number>
  readonly projects: { begun: number; done: number }
  readonly kills: Record<KillKind, number>
  answers: number
  readonly damage: string[]
}

/** What the lanes of a night share. */
export interface SharedNight {
  readonly api: ModelApi
  readonly random: () => number
  readonly log: (line: string) => void
  readonly over: AbortSignal
  /** To be worked on at the same time. */
  readonly places: Places
  /** Runs of agents that were killed, or whose hosts were. */
  readonly killed: Set<string>
  readonly tally: NightTally
}

/** Of each project. */
export const TASKS = 4
/** Of a project. */
const MAX_KILLS = 6
const MAX_STARTS = 40
/** Between two kills, ms. */
const MIN_KILL_PAUSE_MS = 1_000
const MAX_KILL_PAUSE_MS = 46_000
/** Of starts whose bridge stays when they end. */
const OWN_BRIDGE_SHARE = 0.5
/** Of the looks at a run that goes on in its bridge. */
const KILL_BEHIND_SHARE = 0.15
const LOOK_MS = 300
const LOOK_AGAIN_MS = 4_000
const MAX_IDLE_LOOKS = 2
/** Of such looks at a run in a bridge that waits; then that is stopped. */
const MAX_IDLE_WAITS = 15
/** A run that waits longer for its service is started again. */
const PATIENCE_MS = 150_000
/** Of what a host says. */
const MAX_SAID = 2_000
const SAID_LINES = 3
/** That Bridgedeck keeps of a home. */
const MAX_KEPT_RUNS = 500
/** Exit codes. */
const BREAKER = 22
const RUNS_ALREADY = 6

interface HostEnd {
  readonly code: number | null
  /** How often something of it was killed. */
  readonly kills: number
  readonly said: string
}

/** Maestro's own code for it is 1, as for every error. */
const runsAlready = ({ code, said }: HostEnd): boolean =>
  code === RUNS_ALREADY || said.includes('is already running it')

export class RealLane {
  readonly #night: SharedNight
  readonly #loop: NightLoop
  readonly #program: AgentProgram
  readonly #name: string
  readonly #home: LoopHome
  #isDamaged = false
  #records = noRecords

  constructor(night: SharedNight, loop: NightLoop, program: AgentProgram) {
    this.#night = night
    this.#loop = loop
    this.#program = program
    this.#name = `${loop.name} ${program}`
    this.#home = new LoopHome(loop, { tasks: TASKS, agent: (top) => meteredAgent(program, top, night.api) })
  }

  /** Of all its projects, once it has run. */
  get records(): NightRecords {
    return this.#records
  }

  /** Whether a request is of one of its runs. */
  readonly isIts = ({ run }: LedgerRequest): boolean => this.#records.runs.some((known) => known.run === run)

  async run(): Promise<void> {
    const { over, places } = this.#night
    const isOver = () => over.aborted
    try {
      for (let number = 1; !isOver(); number++) {
        await places.take()
        try {
          if (!isOver()) await this.#runProject(`project-${number}`)
        } finally {
          places.give()
        }
      }
      this.#records = await this.#readRecords()
    } catch (error) {
      this.#tellDamage(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }

  /** @param isOdd its home is kept, to be looked at */
  async close(isOdd: boolean): Promise<void> {
    if (!isOdd && !this.#isDamaged) return this.#home.remove()
    await this.#home.killMachine()
    this.#log(`kept ${this.#home.top}`)
  }

  #log(text: string): void {
    this.#night.log(`${this.#name}: ${text}`)
  }

  #tellDamage(text: string): void {
    this.#isDamaged = true
    this.#log(`DAMAGE ${text}`)
    this.#night.tally.damage.push(`${this.#name}: ${text}`)
  }

  async #runProject(name: string): Promise<void> {
    const { tally, random, over } = this.#night
    const folder = await this.#home.create(name)
    tally.projects.begun++
    this.#log(`${name} begins`)
    let kills = 0
    let isDone = false
    let idleWaits = 0
    for (let starts = 1; starts <= MAX_STARTS && !isDone; starts++) {
      if (random() < OWN_BRIDGE_SHARE) await this.#home.finish(folder, 'bridge', 'start')
      const end = await this.#start(folder, MAX_KILLS - kills)
      kills += end.kills
      if (runsAlready(end)) {
        kills += await this.#seeItRunOn(folder, MAX_KILLS - kills)
        starts--
        if (++idleWaits < MAX_IDLE_WAITS && !over.aborted) continue
        this.#log('its bridge is stopped, as it waits')
        await this.#home.finish(folder, 'bridge', 'stop')
        continue
      }
      idleWaits = 0
      isDone = this.#loop.isDone(folder, end.code)
      this.#log(`${name}, start ${starts}: exit ${String(end.code)}, ${isDone ? 'done' : 'not done'}, kills: ${kills}`)
      if (isDone || end.code === null) continue
      this.#log(end.said.trim().split('\n').slice(-SAID_LINES).join(' | '))
      if (end.kills === 0) await this.#answer(folder, end.code)
      if (starts === MAX_STARTS) this.#tellDamage(`${name} does not end (${end.code}): ${end.said}`)
    }
    await this.#home.finish(folder, 'bridge', 'stop')
    const { runs, problems } = await this.#home.outcome(folder)
    tally.turns[this.#name] = (tally.turns[this.#name] ?? 0) + runs.length
    if (isDone) tally.projects.done++
    for (const problem of problems) this.#tellDamage(`${name}: ${problem}`)
  }

  /** A run whose front was killed goes on in its bridge: until no agent works. @returns how often something was killed */
  async #seeItRunOn(folder: string, maxKills: number): Promise<number> {
    const { random, over } = this.#night
    let kills = 0
    for (let idleLooks = 0; idleLooks < MAX_IDLE_LOOKS && this.#home.bridges.length > 0;) {
      await wait(LOOK_AGAIN_MS)
      idleLooks = this.#home.agentsAtWork().length > 0 ? 0 : idleLooks + 1
      if (over.aborted || kills >= maxKills || random() >= KILL_BEHIND_SHARE) continue
      kills++
      await this.#kill(folder)
    }
    return kills
  }

  /** What a person does with a run that asks. */
  async #answer(folder: string, code: number): Promise<void> {
    const { stdout } = await this.#home.finish(folder, 'project', 'answer', folder, '--json')
    const [first] = answersSchema.parse(stdout === '' ? {} : JSON.parse(stdout)).data.actions
    if (code !== BREAKER && first === undefined) return
    this.#night.tally.answers++
    const { name, target } = first?.action ?? { name: 'continue-run', target: '' }
    const words = ['--action', name, ...(target === '' ? [] : ['--target', target]), '--yes']
    const end = await this.#home.finish(folder, 'project', 'answer', folder, ...words)
    this.#log(`answered ${name}: ${String(end.code)} ${end.stderr.trim()}`)
  }

  /** One host until it ends, or is killed. */
  async #start(folder: string, maxKills: number): Promise<HostEnd> {
    const { random, over } = this.#night
    const host = this.#home.start(folder)
    const ending = new AbortController()
    const closed = host.ended.finally(() => ending.abort())
    const waits = this.#watchWaiting(host, ending.signal)
    const stopped = AbortSignal.any([ending.signal, over])
    let kills = 0
    while (kills < maxKills) {
      const pause = MIN_KILL_PAUSE_MS + random() * (MAX_KILL_PAUSE_MS - MIN_KILL_PAUSE_MS)
      await wait(pause, undefined, { signal: stopped }).catch(() => undefined)
      if (stopped.aborted) break
      kills++
      if (!(await this.#kill(folder, host))) break
    }
    const { code, stdout, stderr } = await closed
    await waits
    return { code, kills, said: `${stdout}${stderr}`.slice(-MAX_SAID) }
  }

  /** @param host not given where none is left. @returns whether it goes on */
  async #kill(folder: string, host?: CallProcess): Promise<boolean> {
    const { tally, killed, random } = this.#night
    const agents = this.#home.agentsAtWork()
    const [agent] = agents
    const [bridge] = this.#home.bridges
    const chance = random()
    const note = (kind: KillKind) => {
      tally.kills[kind]++
      this.#log(`kills ${kind}`)
    }
    if (agent && chance < 0.4) {
      note('agent')
      killed.add(agent.run)
      kill(agent.pid)
      return true
    }
    // Whoever hosts them next may end them.
    for (const { run } of agents) killed.add(run)
    if (bridge !== undefined && (chance < 0.65 || !host)) {
      note('bridge')
      kill(bridge)
      return true
    }
    note(chance < 0.9 ? 'front' : 'machine')
    host?.child.kill('SIGKILL')
    if (chance >= 0.9) await this.#home.losePower(folder)
    return false
  }

  /** A run that waits for its service leaves its place to others; one that waits for long is interrupted, to be started again. */
  async #watchWaiting(host: CallProcess, ending: AbortSignal): Promise<void> {
    const { over, places } = this.#night
    const hasEnded = () => ending.aborted
    const look = async () => {
      await wait(LOOK_MS, undefined, { signal: ending }).catch(() => undefined)
    }
    const told = () => `${host.output()}${host.errors()}`.split('trying again at').length
    const waits = () => !hasEnded() && this.#home.agentsAtWork().length === 0
    for (let seen = told(); !hasEnded();) {
      await look()
      if (told() === seen) continue
      seen = told()
      this.#log('waits for its service')
      places.give()
      const end = performance.now() + PATIENCE_MS
      while (waits() && !over.aborted && performance.now() < end) await look()
      if (waits()) host.interrupt()
      await places.take()
    }
  }

  async #readRecords(): Promise<NightRecords> {
    const { killed } = this.#night
    const { stdout } = await this.#home.finish(this.#home.top, 'report', '--json')
    const said = reportSchema.parse(JSON.parse(stdout)).data
    const inReport = said.projects.flatMap(({ runs }) => runs)
    const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0)
    return this.#home.withDatabase((database): NightRecords => {
      const runs = new AgentRunStore(database).page(null, MAX_KEPT_RUNS)
      const sidecar = new SidecarStore(database)
      const turns = new ProjectStore(database).all.flatMap(({ id }) =>
        [...sidecar.ofProject(id).values()].flatMap((run) =>
          turnRecords(run).flatMap(({ log }) => (log === '' ? [] : log)),
        ),
      )
      return {
        runs: runs.map(({ run, tokens, cost, status, startedAt, turn }) => ({
          run,
          tokens,
          cost,
          status,
          program: this.#program,
          killed: killed.has(run),
          printed: printedAmounts[this.#program](this.#home.textOf(run)),
          started: startedAt !== null,
          hasTurn: turn !== null,
        })),
        turns,
        spending: new SpendingStore(database).total,
        report: {
          turns: sum(inReport.map((one) => one.turns)) + said.otherTurns,
          cost: sum(inReport.map((one) => one.cost)),
          unpriced: sum(inReport.map((one) => one.unpriced)),
        },
      }
    })
  }
}

const answersSchema = z.object({
  data: z
    .object({
      actions: z.array(z.object({ action: z.looseObject({ name: z.string(), target: z.string() }) })).default([]),
    })
    .default({ actions: [] }),
})
const reportSchema = z.object({
  data: z.object({
    otherTurns: z.number(),
    projects: z.array(
      z.object({ runs: z.array(z.object({ turns: z.number(), cost: z.number(), unpriced: z.number() })) }),
    ),
  }),
})
