import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Input, Output, Payload } from '@shared/contract/contract'
import type { Agent, AgentRun } from '@shared/contract/agents'
import { AppError, toFailure } from '@shared/contract/errors'
import { SerialQueue } from '@shared/serialQueue'
import type { ChildStore } from '../storage/children'
import type { Database } from '../storage/database'
import type { AdoptionRequest, AgentCopies, AgentRequest, AgentResult, AgentRunner, FollowAgentRun } from './agent'
import { adoptRun } from './adoptRun'
import { isSameProgress, newRun, newRunId, pricedBy, progressOf, requireModel } from './agentRun'
import { AgentSetups, shellAgent, standInFor, type AgentSettings } from './agentSetups'
import { AgentSlots } from './agentSlots'
import { AgentProcess, type AgentLimits, type Ended } from './agentProcess'
import { LeftRuns } from './leftRuns'
import { giveMachines, noAccess, type MachineAccess, type StartServer } from './machineAccess'
import type { ExpressionMatcher } from './logSearch'
import { saidNothing } from './output'
import type { PriceFile } from './prices/priceFile'
import { shareOutput } from './outputCopies'
import { endTree, livingOf } from './processTree'
import { RunRecords } from './runRecords'
import { verdict, type Verdict } from './verdict'
import { giveWork, joinAccess, type WorkAccess } from './workAccess'

export interface AgentsOptions {
  readonly database: Database
  readonly folder: string
  readonly settings: AgentSettings
  readonly children: ChildStore
  readonly regex: ExpressionMatcher
  readonly prices?: PriceFile
  readonly onChanged: (changes: Payload<'agentRuns.changed'>) => void
  readonly log: (message: string, error?: unknown) => void
  readonly startServer?: StartServer
  readonly limits?: Partial<Omit<AgentLimits, 'time'>>
}

const LIMITS: Omit<AgentLimits, 'time'> = { grace: 5_000, log: 2 * 1024 ** 3 }
/** When Bridgedeck ends: the window does not wait long for its bridge. */
const CLOSE_GRACE_MS = 1_000
const POLL_MS = 200

const PURPOSE = 'agent'

const TRY_ANSWER = 'ready'
const MAX_QUOTED_CHARACTERS = 200

interface Live {
  run: AgentRun
  process: AgentProcess | undefined
  withoutMachines: string | undefined
  readonly ending: AbortSignal
  readonly follow: FollowAgentRun
  readonly onLine: AgentRequest['onLine']
  readonly stop: (reason: string) => void
}

export class Agents implements AgentRunner {
  readonly setups: AgentSetups
  readonly #options: AgentsOptions
  readonly #records: RunRecords
  readonly #live = new Map<string, Live>()
  readonly #left: LeftRuns
  readonly #slots: AgentSlots
  readonly #running = new Set<Promise<AgentResult>>()
  readonly #looking = new SerialQueue()
  #polling: NodeJS.Timeout | undefined
  #begun: Promise<void> | undefined
  #isPolling = false
  #isClosed = false

  constructor(options: AgentsOptions) {
    const { database, folder, settings, children, regex, prices, onChanged, log } = options
    this.#options = options
    this.setups = new AgentSetups(settings)
    this.#records = new RunRecords({ database, folder, regex, onChanged })
    this.#left = new LeftRuns({ records: this.#records, children, prices, log })
    this.#slots = new AgentSlots(() => settings.current.mostAgents)
    settings.onChange(() => this.#slots.admit())
  }

  get names(): readonly string[] {
    return this.setups.names
  }

  begin(): Promise<void> {
    this.#begun ??= (async () => {
      await this.#left.find(this.#records.abandoned.filter(({ run }) => !this.#live.has(run)))
      this.#records.tidy()
      this.#left.watch()
    })()
    return this.#begun
  }

  async findLeft(): Promise<readonly AgentRun[]> {
    await this.begin()
    await this.#looking.run(async () => {
      await this.#left.find(this.#records.abandonedSince.filter(({ run }) => !this.#left.get(run)))
      this.#left.watch()
    })
    return this.#left.all
  }

  async run(
    request: AgentRequest,
    signal: AbortSignal,
    follow: FollowAgentRun = () => undefined,
  ): Promise<AgentResult> {
    const { standsInFor } = request
    const own = request.shell === undefined ? this.setups.requested(request) : shellAgent(request.agent, request.shell)
    const agent = standsInFor ? standInFor(own, this.setups.requested(standsInFor)) : own
    if (this.#isClosed) throw new AppError('CANCELLED', 'Bridgedeck is ending and starts no agent any more.')
    const model = requireModel(request.model) ?? agent.model
    const args = [...agent.args, ...(request.args ?? [])]
    const running = this.#run(request, { ...agent, model, args }, signal, follow)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  async adopt(
    id: string,
    signal: AbortSignal,
    request: AdoptionRequest = {},
    follow: FollowAgentRun = () => undefined,
  ): Promise<AgentResult | null> {
    await this.findLeft()
    const left = this.#left.get(id)
    const limit = left ? (this.setups.get(left.agent)?.timeLimit ?? Infinity) * 1000 : Infinity
    const timeLimit = Math.min(request.timeLimit ?? Infinity, limit)
    const parts = { records: this.#records, left: this.#left, slots: this.#slots, grace: () => this.#grace }
    return adoptRun(parts, id, signal, { ...request, timeLimit }, follow)
  }

  try(name: string): { run: string } {
    this.setups.require(name)
    const cwd = join(this.#options.folder, 'try', newRunId())
    mkdirSync(cwd, { recursive: true, mode: 0o700 })
    const before = new Set(this.#live.keys())
    const done = this.run(
      {
        agent: name,
        prompt: `This is a test of the connection. Change no file. Answer with the one word: ${TRY_ANSWER}\n`,
        cwd,
        purpose: 'try it',
        problemOf: tryProblemOf,
      },
      new AbortController().signal,
    )
    void done
      .catch((error: unknown) => this.#options.log(`The agent ${name} could not be tried`, error))
      .finally(() => rmSync(cwd, { recursive: true, force: true }))
    const [run] = [...this.#live.keys()].filter((id) => !before.has(id))
    if (run === undefined) throw new AppError('INTERNAL', `The agent ${name} could not be started.`)
    return { run }
  }

  async runs(input: Input<'agentRuns.list'>): Promise<Output<'agentRuns.list'>> {
    await this.begin()
    return this.#records.page(input)
  }

  get ended(): readonly AgentRun[] {
    return this.#records.ended
  }

  readLog(input: Input<'agentRuns.log'>): Promise<Output<'agentRuns.log'>> {
    return this.#records.readLog(input)
  }

  readSteps(input: Input<'agentRuns.steps'>): Promise<Output<'agentRuns.steps'>> {
    return this.#records.readSteps(input)
  }

  searchLog(input: Input<'agentRuns.search'>, signal: AbortSignal): Promise<Output<'agentRuns.search'>> {
    return this.#records.searchLog(input, signal)
  }

  async stop(id: string): Promise<readonly number[]> {
    await this.begin()
    const live = this.#live.get(id)
    if (live) {
      live.stop('It was stopped by the person.')
      return (await live.process?.ended)?.stillAlive ?? []
    }
    const left = this.#left.get(id)
    const elsewhere = left ? undefined : this.#records.get(id)
    if (elsewhere && elsewhere.state !== 'ended' && elsewhere.pid !== null)
      return endTree({ pid: elsewhere.pid, mark: id }, this.#grace)
    if (!left)
      throw new AppError('NOT_FOUND', `No run “${id}” of an agent is running.`, {
        hint: 'It has ended already, or its name is wrong.',
      })
    return this.#left.stop(left, this.#grace)
  }

  async stopAll(): Promise<readonly number[]> {
    return (await Promise.all([...this.#live.keys()].map((id) => this.stop(id)))).flat()
  }

  get live(): AgentRun[] {
    return [...this.#live.values()].map(({ run }) => run)
  }

  get left(): AgentRun[] {
    return this.#left.all
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#left.close()
    for (const { stop } of this.#live.values()) stop('Bridgedeck ended.')
    await Promise.allSettled(this.#running)
    clearInterval(this.#polling)
    await this.#records.close()
  }

  async #run(request: AgentRequest, agent: Agent, signal: AbortSignal, follow: FollowAgentRun): Promise<AgentResult> {
    const live = this.#ask(request, agent, follow)
    const onAbort = () => live.stop('It was stopped.')
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    const id = live.run.run
    try {
      if (!(await this.#acquireSlots(live, request)))
        return this.#settle(live, agent, notStarted(live), undefined, request)
      try {
        if (request.mayStart?.() === false) live.stop('It was withdrawn before it started.')
        else await request.around?.begin()
        const work = await giveWork(agent, request)
        if (live.ending.aborted) return this.#settle(live, agent, notStarted(live), undefined, request)
        const process = this.#start(live, request, agent, work)
        const ending = process.ended.catch(async (error: unknown) => {
          this.#options.log(`What the agent ${agent.name} printed could not be followed`, error)
          await process.end('error', 'What it printed could not be followed, so it was stopped.')
          return {
            exitCode: null,
            signal: null,
            cause: { status: 'error' as const, reason: 'What it printed could not be followed.' },
            stillAlive: livingOf({ pid: process.pid ?? 0, mark: id }).map(({ pid }) => pid),
            leftBehind: 0,
          }
        })
        const endCopies = request.copies && (await this.#shareOutput(live, process, request.copies))
        const ended = await ending
        const result = this.#settle(live, agent, ended, process, request)
        request.onEnd?.(result)
        await endCopies?.()
        await request.around?.end()
        return result
      } finally {
        this.#slots.release()
        request.group?.slots.release()
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#live.delete(id)
      if (live.process) await Promise.all([live.process.output.close(), live.process.errors.close()])
      if (this.#live.size === 0) {
        clearInterval(this.#polling)
        this.#polling = undefined
      }
    }
  }

  #ask(request: AgentRequest, agent: Agent, follow: FollowAgentRun): Live {
    const run = newRun(request, agent)
    const ending = new AbortController()
    const stop = (reason: string) => ending.abort(reason)
    const { onLine } = request
    const begun = { process: undefined, withoutMachines: undefined }
    const live: Live = { run, ...begun, ending: ending.signal, follow, onLine, stop }
    this.#live.set(run.run, live)
    this.#records.add(run, request.prompt)
    follow(run)
    return live
  }

  async #acquireSlots(live: Live, { group, isAwaited }: AgentRequest): Promise<boolean> {
    if (isAwaited && !live.ending.aborted) {
      this.#slots.occupy()
      return true
    }
    if (group && !(await this.#acquireSlot(live, group.slots, `a place in the ${group.title}`))) return false
    if (await this.#acquireSlot(live, this.#slots, 'a place')) return true
    group?.slots.release()
    return false
  }

  #acquireSlot(live: Live, slots: AgentSlots, what: string): Promise<boolean> {
    if (!live.ending.aborted && slots.tryAcquire()) return Promise.resolve(true)
    if (!live.ending.aborted)
      this.#save(live, { reason: `It waits for ${what}: ${slots.taken} of at most ${slots.limit} run.` })
    return slots.acquire(live.ending)
  }

  /** A run whose output cannot be shared is not left to run unseen. */
  async #shareOutput(live: Live, process: AgentProcess, copies: AgentCopies): Promise<() => Promise<void>> {
    const { run: id } = live.run
    try {
      return await shareOutput(this.#records.logs(id), copies, id)
    } catch (error) {
      const { message } = toFailure(error)
      await process.end('error', message)
      return () => Promise.resolve()
    }
  }

  #save(live: Live, changes: Partial<AgentRun>): void {
    this.#records.save(live.run, changes)
    live.follow(live.run)
  }

  #machines({ run }: Live, { shell, cwd, turn }: AgentRequest, agent: Agent): MachineAccess {
    const { startServer } = this.#options
    if (!startServer || shell !== undefined) return noAccess
    const title = turn ? `${agent.name}, ${turn.task ?? turn.role}` : agent.name
    const of = (name: 'machines' | 'home') => this.#records.path(run.run, name)
    return giveMachines(agent, { title, folder: cwd, file: of('machines'), home: of('home') }, startServer)
  }

  #start(live: Live, request: AgentRequest, agent: Agent, work: WorkAccess): AgentProcess {
    const { run: id } = live.run
    const records = this.#records
    const time = Math.min(agent.timeLimit * 1000, request.timeLimit ?? Infinity)
    const machines = this.#machines(live, request, agent)
    live.withoutMachines = machines.refusal
    const process = new AgentProcess({
      id,
      agent,
      environment: request.environment ?? {},
      access: joinAccess(work, machines),
      printsOneObject: request.printsOneObject ?? false,
      costsNothing: request.shell !== undefined,
      cwd: request.cwd,
      promptFile: records.path(id, 'prompt'),
      outputFile: records.path(id, 'output'),
      errorsFile: records.path(id, 'errors'),
      ...(request.notesEnd ? { endFile: records.path(id, 'end') } : {}),
      limits: { ...this.#limits, time },
    })
    live.process = process
    const startedAt = Date.now()
    if (process.pid !== undefined)
      this.#options.children.record({ pid: process.pid, startedAt, purpose: `${PURPOSE} ${id}`, port: null })
    this.#save(live, { state: 'running', reason: '', startedAt, pid: process.pid ?? null })
    const end = () => {
      this.#records.change(live.run, { state: 'stopping' })
      live.follow(live.run)
      const { status, reason } = stoppedBy(live)
      void process.end(status, reason, this.#grace)
    }
    if (live.ending.aborted) end()
    else live.ending.addEventListener('abort', end, { once: true })
    this.#polling ??= setInterval(() => void this.#poll(), POLL_MS)
    return process
  }

  #settle(
    live: Live,
    agent: Agent,
    ended: Ended,
    process: AgentProcess | undefined,
    { problemOf }: AgentRequest,
  ): AgentResult {
    const said = process?.said ?? saidNothing
    const ownVerdict = verdict(agent.preset, ended, said, process?.lastErrors, Date.now(), agent)
    const problem = ownVerdict.status === 'success' ? (problemOf?.(said.data) ?? null) : null
    const { status, reason, refusal }: Verdict = problem === null ? ownVerdict : { status: 'error', reason: problem }
    const { exitCode, stillAlive, leftBehind } = ended
    const endedAt = Date.now()
    const notes = [
      reason,
      leftBehind === 0
        ? ''
        : `It left ${leftBehind === 1 ? 'a process' : `${leftBehind} processes`} running when it ended, which Bridgedeck ended.`,
      live.withoutMachines === undefined ? '' : `It had no tools of the machines: ${live.withoutMachines}`,
    ]
    const { run, startedAt, pid } = live.run
    const progress = progressOf(process)
    const priced = pricedBy(this.#options.prices, progress, agent)
    this.#records.save(live.run, {
      ...progress,
      ...priced,
      state: 'ended',
      endedAt,
      status,
      reason: notes.filter(Boolean).join(' ').slice(0, 2_000),
      ...(refusal ? { refusal } : {}),
      exitCode,
      stillAlive: [...stillAlive],
    })
    if (pid !== null && !stillAlive.includes(pid)) this.#options.children.forget(pid)
    return {
      status,
      agent: agent.name,
      data: said.data,
      reason,
      refusal,
      tokens: said.tokens,
      ...priced,
      duration: startedAt === null ? 0 : endedAt - startedAt,
      exitCode,
      stillAlive,
      log: run,
    }
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    try {
      for (const live of this.#live.values()) {
        if (live.run.state !== 'running' || !live.process) continue
        await live.process.look()
        this.#follow(live, live.process)
      }
    } catch (error) {
      this.#options.log('What the agents print could not be read', error)
    } finally {
      this.#isPolling = false
    }
  }

  #follow(live: Live, process: AgentProcess): void {
    const progress = progressOf(process)
    if (live.run.state === 'ended' || isSameProgress(progress, live.run)) return
    this.#records.change(live.run, progress)
    live.onLine?.(progress.lastLine)
  }

  /** ms */
  get #grace(): number {
    return this.#isClosed ? Math.min(CLOSE_GRACE_MS, this.#limits.grace) : this.#limits.grace
  }

  get #limits(): Omit<AgentLimits, 'time'> {
    return { ...LIMITS, ...this.#options.limits }
  }
}

const notStarted = (live: Live): Ended => ({
  exitCode: null,
  signal: null,
  cause: stoppedBy(live),
  stillAlive: [],
  leftBehind: 0,
})

const stoppedBy = ({ ending }: Live) => ({ status: 'stopped' as const, reason: String(ending.reason) })

function tryProblemOf(answer: string): string | null {
  const last = answer.trim().split('\n').at(-1)?.trim() ?? ''
  if (last.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase() === TRY_ANSWER) return null
  const asked = `It was asked to answer “${TRY_ANSWER}”`
  if (last === '') return `${asked}, and gave no answer.`
  const quoted = last.length > MAX_QUOTED_CHARACTERS ? `${last.slice(0, MAX_QUOTED_CHARACTERS)}…` : last
  return `${asked}, and answered “${quoted}”.`
}
