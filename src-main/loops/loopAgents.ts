import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { agentTurnSchema, type AgentRun, type AgentTurn, type ServiceRefusal } from '@shared/contract/agents'
import { bounded } from '@shared/contract/bounded'
import { AppError } from '@shared/contract/errors'
import type { LoopOptions } from '@shared/contract/loopOptions'
import type { LoopName } from '@shared/contract/loops'
import { localTime } from '@shared/localTime'
import type { AdoptionRequest, AgentRequest, AgentResult, AgentRunner } from '../agents/agent'
import { sum } from '../agents/tokenUse'
import type { SpendingStore } from '../storage/spending'
import type { ActiveLoop } from './activeLoop'
import { budgetOf, localDay, localNight } from './budget'
import { limitsCost, type Budget } from './ceilings'
import { treeAround } from './freeTree'
import type { Remembered, RunPlace, SpawnHooks, TurnRequest } from './loop'
import { noAgent } from './noAgent'
import { holdAtCeiling, holdRun, RunHeld } from './runGuard'
import { namedCommits } from './openTurns'
import { TreeAgents, type Elsewhere, type TreeAgent } from './treeAgents'
import { TurnAgents, type KnownAgents, type NextTry } from './turnAgents'
import { CHECK_ROLE } from '@shared/hostCheck'
import type { RunHold } from '@shared/runHold'

export interface LoopAgentsOptions {
  readonly agents: AgentRunner
  readonly leftAtWork: () => Promise<readonly LeftAgent[]>
  readonly spending: SpendingStore
  readonly limits: () => Budget['limits']
  readonly priceProblem?: () => string | null
  /** ms since 1970. */
  readonly waitUntil?: (time: number, signal: AbortSignal) => Promise<void>
  readonly namedAs?: (name: LoopName) => AgentTurn['run'] | undefined
  readonly agentAtWork: (project: number, agent: string) => () => void
}

interface LeftAgent {
  readonly run: string
  readonly agent: string
  readonly purpose: string
  readonly pid: number | null
}

export interface LoopStart {
  readonly active: ActiveLoop
  readonly name: LoopName
  readonly place: RunPlace
  readonly run: string
  readonly memory: string
  readonly holds: Remembered
  readonly asked: LoopOptions
  readonly options: LoopOptions
  readonly lock: string
}

export interface WorkingLoop extends LoopStart {
  readonly workFolder: string
  readonly tree: string
  readonly identity: NonNullable<AgentRequest['identity']>
}

export class LoopAgents {
  readonly #options: LoopAgentsOptions
  readonly #trees = new TreeAgents()
  /** USD. By the agent's run, as its end is reported twice. */
  readonly #spent = new WeakMap<ActiveLoop, Map<string, number>>()
  readonly #agents = new WeakMap<ActiveLoop, KnownAgents>()

  constructor(options: LoopAgentsOptions) {
    this.#options = options
  }

  /**
   * Two agents on one task would overwrite each other's files.
   * @param adopted those that the loop itself waits for
   */
  async requireNoneLeft(lock: string, adopted: readonly string[]): Promise<void> {
    const all = await this.#options.leftAtWork()
    const left = all.find(
      ({ purpose, run }) =>
        purpose.startsWith(`${lock}: `) && !purpose.startsWith(`${lock}: ${CHECK_ROLE} `) && !adopted.includes(run),
    )
    if (!left) return
    throw new AppError(
      'CONFLICT',
      `The agent ${left.agent}${left.pid === null ? '' : ` (process ${left.pid})`}, started by an earlier Bridgedeck, is still working on this run.`,
      {
        hint: 'Wait for it or stop it (Agents view, agent stop --left), then start again; a batch takes it over with --resume.',
      },
    )
  }

  elsewhere({ tree, lock }: Pick<WorkingLoop, 'tree' | 'lock'>): Elsewhere {
    return this.#trees.elsewhere(tree, lock)
  }

  async spawn(
    loop: WorkingLoop,
    role: string,
    { task, ...request }: TurnRequest,
    { follow, signal, workFolder }: SpawnHooks = {},
  ): Promise<AgentResult> {
    const start = workingIn(loop, workFolder)
    const { agents } = this.#options
    const { active, lock, workFolder: cwd, identity } = start
    const first = request.agent ?? agents.names[0]
    if (first === undefined) throw new AppError('INVALID', noAgent.message, { hint: noAgent.hint })
    active.signal.throwIfAborted()
    const purpose = `${lock}: ${request.purpose}`
    const turn = this.#turnOf(start, role, task ?? null)
    // The next in line checks for itself whether it may still start.
    const onEnd = (agent: string, result: AgentResult) => {
      this.#charge(start, result)
      if (request.group && result.refusal?.kind === 'person') holdForPerson(start.holds, agent, result.reason)
    }
    let last: AgentRun | undefined
    const around = {
      begin: async () => {
        await request.around?.begin()
        await this.#trees.begin(start.tree, treeAgentOf(start, role, last?.run ?? ''))
      },
      end: async () => {
        await request.around?.end()
        await this.#trees.end(start.tree, treeAgentOf(start, role, last?.run ?? ''))
      },
    }
    const { limits, worked } = this.#known(active)
    const tried = new TurnAgents(first, start.options.secondAgent, limits)
    let soFar: AgentResult | undefined
    for (;;) {
      const agent: string = tried.next(Date.now())?.agent ?? first
      if (!soFar && agent !== first) active.log('info', `${first} is at its usage limit: ${agent} takes this turn.`)
      const own = agent === first ? { ...request, agent } : standInRequest(agent, { ...request, agent: first })
      const result = await this.#listed(start, agent, role, (listed) =>
        agents.run(
          { ...own, around, cwd, identity, purpose, turn, onEnd: (ended) => onEnd(agent, ended) },
          eitherOf(active, signal),
          (run) => {
            if (last?.run !== run.run) this.#openCharge(start, run.run)
            last = run
            listed(run)
            follow?.(run)
          },
        ),
      )
      await this.#claim(start, result)
      const { refusal, reason } = result
      if (refusal?.kind !== 'program') worked.add(agent)
      soFar = withUseOf(soFar, result)
      // An agent that never worked is set up wrongly; any other may be in the middle of an update.
      if (!refusal || (refusal.kind === 'program' && agent === first && !worked.has(agent))) return soFar
      const now = Date.now()
      tried.noteRefusal(agent, refusal, now)
      const next = tried.next(now)
      // A dispatch has its own time limits and waits for no service.
      if (request.group && next?.at !== now) return soFar
      const tries = tried.triesOf(agent)
      if (!(await this.#awaitService(start, { agent, reason, refusal, tries }, next))) return soFar
    }
  }

  /**
   * Waits at most as long as this start may last.
   * @returns whether to try again
   * @throws RunHeld where the person must look first
   */
  async #awaitService(
    start: LoopStart,
    { agent, reason, refusal, tries }: RefusedTurn,
    next: NextTry | undefined,
  ): Promise<boolean> {
    const { active, holds, options } = start
    if (!next && refusal.kind === 'person') throw new RunHeld(holdForPerson(holds, agent, reason))
    const what = whatOf[refusal.kind]
    active.log('warn', `${agent}: ${reason}`)
    this.#requireBudget(start)
    const maxCost = ('maxCost' in options ? options.maxCost : undefined) ?? Infinity
    const maxTime = ('maxTime' in options ? options.maxTime : undefined) ?? Infinity
    if (this.#spentIn(active) >= maxCost) return false
    if (!next && refusal.kind === 'unknown') return false
    if (!next)
      throw new RunHeld(holdRun(holds, 'same-error', `${agent} ${what}, at ${tries} tries in a row: ${reason}`))
    const end = active.view.startedAt + maxTime
    const goesOn = `${next.agent === agent ? 'trying again' : `${next.agent} goes on`} at ${localTime(next.at)}`
    active.step(`${agent} ${what}: ${next.at < end ? goesOn : `this start ends at ${localTime(end)}`}`)
    const ended = AbortSignal.any([active.signal, active.pauses])
    await (this.#options.waitUntil ?? waitUntil)(Math.min(next.at, end), ended).catch((error: unknown) => {
      if (active.isPausing && !active.signal.aborted) throw new PausedWaiting(agent)
      throw error
    })
    // Other runs went on meanwhile, and the person may have set other limits.
    this.#requireBudget(start)
    return next.at < end
  }

  #known(active: ActiveLoop): KnownAgents {
    const known = this.#agents.get(active) ?? { limits: new Map(), worked: new Set() }
    this.#agents.set(active, known)
    return known
  }

  #requireBudget(start: LoopStart): void {
    const held = holdAtCeiling(start.holds, this.budgetOf(start))
    if (held) throw new RunHeld(held)
  }

  budgetOf({ name, memory, options }: Pick<LoopStart, 'name' | 'memory' | 'options'>): Budget {
    const { spending, priceProblem } = this.#options
    const limits = this.#options.limits()
    const isLimited = limitsCost(limits) || ('maxCost' in options && options.maxCost !== undefined)
    const problem = isLimited ? (priceProblem?.() ?? null) : null
    return budgetOf(spending, limits, { project: name.project, run: memory }, problem)
  }

  /** USD */
  #spentIn(active: ActiveLoop): number {
    return [...(this.#spent.get(active)?.values() ?? [])].reduce((sum, cost) => sum + cost, 0)
  }

  /** A command line that an ended host left running has to end first. */
  async check(
    start: WorkingLoop,
    task: string,
    shell: string,
    timeLimit: number,
    cwd: string = start.workFolder,
  ): Promise<AgentResult> {
    const { agents, leftAtWork } = this.#options
    const { active, lock } = start
    const purpose = `${lock}: ${CHECK_ROLE} ${task}`
    for (const left of await leftAtWork())
      if (left.purpose === purpose) await agents.adopt(left.run, active.signal, { timeLimit })
    active.signal.throwIfAborted()
    const turn = this.#turnOf(start, CHECK_ROLE, task)
    const request = { agent: CHECK_ROLE, shell, prompt: '', cwd, purpose, turn, timeLimit }
    return this.#listed(start, CHECK_ROLE, task, (listed) => agents.run(request, active.signal, listed))
  }

  async #claim({ tree, lock }: WorkingLoop, result: AgentResult): Promise<void> {
    const named = namedCommits(result)
    if (named.length > 0) await this.#trees.claim(tree, lock, { log: result.log, named })
  }

  async adopt(
    loop: WorkingLoop,
    role: string,
    run: string,
    request: AdoptionRequest = {},
    { follow, signal, workFolder }: SpawnHooks = {},
  ): Promise<AgentResult | null> {
    const start = workingIn(loop, workFolder)
    const { agents, leftAtWork } = this.#options
    const { active } = start
    const left = (await leftAtWork()).find((known) => known.run === run)
    if (left)
      active.step(
        `Waiting for the ${role} that an earlier Bridgedeck started${left.pid === null ? '' : ` (process ${left.pid})`}`,
      )
    const adopt = (listed?: (known: AgentRun) => void) =>
      agents.adopt(run, eitherOf(active, signal), request, (known) => {
        listed?.(known)
        if (left) follow?.(known)
      })
    const inTree = treeAgentOf(start, role, run)
    if (left) await this.#trees.begin(start.tree, inTree)
    let result: AgentResult | null
    try {
      result = left ? await this.#listed(start, left.agent, role, adopt) : await adopt()
    } finally {
      if (left) await this.#trees.end(start.tree, inTree)
    }
    if (result) await this.#claim(start, result)
    if (result && !left) this.#charge(start, result)
    if (result?.refusal?.kind === 'person' && request.group)
      holdForPerson(start.holds, left?.agent ?? role, result.reason)
    // The host ended while the agent's turn waited for the service, so the turn waits again. Turns of a group are not
    // tried again.
    return result?.refusal && !request.group ? null : result
  }

  async #listed<Result extends AgentResult | null>(
    start: LoopStart,
    agent: string,
    role: string,
    run: (follow: NonNullable<SpawnHooks['follow']>) => Promise<Result>,
  ): Promise<Result> {
    const { active, name } = start
    const listed = active.addAgent(agent, role)
    const endAtWork = this.#options.agentAtWork(name.project, agent)
    try {
      const result = await run(listed.follow)
      if (result && agent !== CHECK_ROLE) this.#charge(start, result)
      active.noteStillAlive(result?.stillAlive ?? [])
      return result
    } finally {
      endAtWork()
      listed.end()
    }
  }

  #turnOf({ name, place }: LoopStart, role: string, task: string | null): AgentTurn {
    const run = this.#options.namedAs?.(name)
    const folder = basename(join(place.root, place.folder))
    return bounded(agentTurnSchema, {
      project: name.project,
      system: name.system,
      place: name.place,
      folder,
      role,
      task,
      ...(run ? { run } : {}),
    }).value
  }

  #openCharge({ name, memory }: LoopStart, agentRun: string): void {
    this.#options.spending.open({ agentRun, day: localDay(), night: localNight(), project: name.project, run: memory })
  }

  /** Also for an agent whose host ended before its answer was used. */
  #charge(
    { active, name, memory }: LoopStart,
    { log: agentRun, cost, pricesOf, duration: milliseconds }: AgentResult,
  ): void {
    const spent = this.#spent.get(active) ?? new Map<string, number>()
    this.#spent.set(active, spent.set(agentRun, cost ?? spent.get(agentRun) ?? 0))
    this.#options.spending.add({
      agentRun,
      day: localDay(),
      night: localNight(),
      project: name.project,
      run: memory,
      cost,
      isEstimated: pricesOf !== undefined,
      milliseconds,
    })
  }
}

const workingIn = (loop: WorkingLoop, workFolder = loop.workFolder): WorkingLoop =>
  workFolder === loop.workFolder ? loop : { ...loop, workFolder, tree: treeAround(workFolder) }

interface RefusedTurn {
  readonly agent: string
  readonly reason: string
  readonly refusal: ServiceRefusal
  readonly tries: number
}

/** Model and arguments are meant for the first agent's program. */
const standInRequest = (
  agent: string,
  { preset, model: _model, args: _args, ...request }: Omit<AgentRequest, 'cwd' | 'turn'>,
): Omit<AgentRequest, 'cwd' | 'turn'> => ({
  ...request,
  agent,
  standsInFor: { agent: request.agent, ...(preset ? { preset } : {}) },
})

/** Adds what earlier tries used: a limit counts them all. */
function withUseOf(before: AgentResult | undefined, result: AgentResult): AgentResult {
  if (!before) return result
  const pricesOf = result.pricesOf ?? before.pricesOf
  return {
    ...result,
    ...(pricesOf === undefined ? {} : { pricesOf }),
    tokens: sum([before.tokens, result.tokens]),
    cost: sum([before.cost, result.cost]),
    duration: before.duration + result.duration,
  }
}

const treeAgentOf = ({ lock, name: { system, place } }: LoopStart, role: string, log: string): TreeAgent => ({
  loop: lock,
  role: `${role} of ${system}${place === '' ? '' : ` in ${place}`}`,
  log,
})

const whatOf: Readonly<Record<ServiceRefusal['kind'], string>> = {
  'usage-limit': 'has reached its usage limit',
  unreachable: 'cannot reach its service',
  unknown: 'met an error of its service',
  program: 'could not be started',
  person: 'needs you',
}

/** After a refused key or login no agent begins until the person has acted. */
const holdForPerson = (holds: Remembered, agent: string, reason: string): RunHold =>
  holdRun(holds, 'agent', `${agent} needs you: ${reason}`)

export class PausedWaiting extends Error {
  constructor(agent: string) {
    super(`Paused while ${agent} waited for its service.`)
  }
}

const eitherOf = (active: ActiveLoop, signal: AbortSignal | undefined): AbortSignal =>
  signal ? AbortSignal.any([active.signal, signal]) : active.signal

/** Timers do not count while the computer sleeps, and hold 24 days at most. */
const MAX_TIMER_MS = 60_000

async function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  for (let left = time - Date.now(); left > 0; left = time - Date.now())
    await wait(Math.min(left, MAX_TIMER_MS), undefined, { signal })
}
