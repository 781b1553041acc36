/** The agents that the person set up, and the runs of them: started, followed, ended, kept. */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input, Output, Payload } from '@shared/contract/contract'
import { MAX_AGENT_RUN_PAGE, MAX_AGENTS, MAX_FOUND_LINES, type Agent, type AgentRun } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import type { Settings } from '@shared/contract/settings'
import { NotifyTimer } from '../rpc/notifyTimer'
import { AgentRunStore } from '../storage/agentRuns'
import { childIsAlive, type ChildStore } from '../storage/children'
import type { Database } from '../storage/database'
import type { SettingsStore } from '../storage/settings'
import type { AgentRequest, AgentResult, AgentRunner, AgentStatus } from './agent'
import { isSameProgress, newRun, newRunId, progressOf, requireModel } from './agentRun'
import { AgentSlots } from './agentSlots'
import { AgentProcess, readSaid, type AgentLimits, type Ended } from './agentProcess'
import { LogFile } from './logFile'
import { searchLog, type ExpressionMatcher } from './logSearch'
import { OpenLogs } from './openLogs'
import type { Said } from './output'
import { endTree, livingOf } from './processTree'
import { findProgram } from './program'
import { verdict } from './verdict'

export interface AgentsOptions {
  readonly database: Database
  /** Where logs are kept. */
  readonly folder: string
  readonly settings: Pick<SettingsStore, 'change' | 'onChange'> & { readonly current: Settings }
  readonly children: ChildStore
  readonly regex: ExpressionMatcher
  readonly onChanged: (changes: Payload<'agentRuns.changed'>) => void
  readonly log: (message: string, error?: unknown) => void
  /** Other than the usual ones. */
  readonly limits?: Partial<Omit<AgentLimits, 'time'>>
}

const LIMITS: Omit<AgentLimits, 'time'> = { grace: 5_000, log: 2 * 1024 ** 3 }
/** When Bridgedeck ends: the window does not wait long for its bridge. */
const CLOSE_GRACE_MS = 1_000
/** Between two reads of what agents print. */
const POLL_MS = 200
const NOTIFY_DELAY_MS = 250
/** Between two checks of those that an earlier bridge left. */
const LEFT_POLL_MS = 2_000
/** Runs that are kept once they ended, and the bytes of their logs together. */
const MAX_KEPT_RUNS = 500
const MAX_KEPT_BYTES = 10 * 1024 ** 3
/** Of a log, before one answer. */
const MAX_COUNTED_BYTES = 32 * 1024 * 1024

const PURPOSE = 'agent'

const files = { output: 'output.log', errors: 'errors.log', prompt: 'prompt.md' } as const

interface Live {
  run: AgentRun
  process: AgentProcess | undefined
  readonly ending: AbortSignal
  /** Ends its waiting, or its process. */
  readonly stop: (reason: string) => void
}

export class Agents implements AgentRunner {
  readonly #options: AgentsOptions
  readonly #store: AgentRunStore
  readonly #live = new Map<string, Live>()
  /** Of a bridge that ended. */
  readonly #left = new Map<string, AgentRun>()
  readonly #logs = new OpenLogs()
  readonly #slots: AgentSlots
  readonly #running = new Set<Promise<AgentResult>>()
  #revision = 0
  readonly #changed = new Map<string, AgentRun>()
  readonly #notifyTimer = new NotifyTimer(NOTIFY_DELAY_MS, () => this.#notify())
  #polling: NodeJS.Timeout | undefined
  #leftPolling: NodeJS.Timeout | undefined
  #begun = false
  #isPolling = false
  #isClosed = false

  constructor(options: AgentsOptions) {
    this.#options = options
    this.#store = new AgentRunStore(options.database)
    this.#slots = new AgentSlots(() => options.settings.current.mostAgents)
    options.settings.onChange(() => this.#slots.admit())
  }

  get names(): readonly string[] {
    return this.#options.settings.current.agents.map(({ name }) => name)
  }

  /** Finds what an earlier bridge left running, and closes the account of what ended without one. */
  async begin(): Promise<void> {
    if (this.#begun) return
    this.#begun = true
    for (const run of this.#store.open) {
      if (this.#live.has(run.run)) continue
      const [first] = this.#livingOf(run)
      // One that was started in the instant before its number was noted is known by its mark.
      if (first !== undefined)
        this.#keepLeft({
          ...run,
          state: 'left',
          pid: run.pid ?? first,
          reason: 'Bridgedeck ended while it ran; it still runs.',
        })
      else await this.#closeLeft(run, null)
    }
    this.#tidy()
    this.#watchLeft()
  }

  async run(request: AgentRequest, signal: AbortSignal): Promise<AgentResult> {
    const agent = this.#agentNamed(request.agent)
    if (this.#isClosed) throw new AppError('CANCELLED', 'Bridgedeck is ending and starts no agent any more.')
    const model = requireModel(request.model) ?? agent.model
    const running = this.#run(request, { ...agent, model }, signal)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  list(): Output<'agents.list'> {
    return {
      agents: this.#options.settings.current.agents.map((agent) => ({ ...agent, program: findProgram(agent.command) })),
    }
  }

  /** @throws AppError INVALID when there are as many as there may be */
  save(agent: Agent): void {
    const others = this.#options.settings.current.agents.filter(({ name }) => name !== agent.name)
    if (others.length >= MAX_AGENTS)
      throw new AppError('INVALID', `No more than ${MAX_AGENTS} agents can be set up.`, { hint: 'Remove one first.' })
    this.#options.settings.change({ agents: [...others, agent].sort((a, b) => a.name.localeCompare(b.name)) })
  }

  remove(name: string): void {
    const { agents } = this.#options.settings.current
    this.#agentNamed(name)
    this.#options.settings.change({ agents: agents.filter((agent) => agent.name !== name) })
  }

  /** Runs it in an empty folder with a short prompt. */
  try(name: string): { run: string } {
    this.#agentNamed(name)
    const cwd = join(this.#options.folder, 'try', newRunId())
    mkdirSync(cwd, { recursive: true, mode: 0o700 })
    const before = new Set(this.#live.keys())
    const done = this.run(
      {
        agent: name,
        prompt: 'This is a test of the connection. Change no file. Answer with the one word: ready\n',
        cwd,
        purpose: 'try it',
      },
      new AbortController().signal,
    )
    void done
      .catch((error: unknown) => this.#options.log(`The agent ${name} could not be tried`, error))
      .finally(() => rmSync(cwd, { recursive: true, force: true }))
    // It is among the live ones as soon as it was asked for.
    const [run] = [...this.#live.keys()].filter((id) => !before.has(id))
    if (run === undefined) throw new AppError('INTERNAL', `The agent ${name} could not be started.`)
    return { run }
  }

  async runs({ before }: Input<'agentRuns.list'>): Promise<Output<'agentRuns.list'>> {
    await this.begin()
    const page = this.#store.page(before, MAX_AGENT_RUN_PAGE)
    const runs = page.map((stored) => this.#live.get(stored.run)?.run ?? this.#left.get(stored.run) ?? stored)
    return { runs, next: page.length === MAX_AGENT_RUN_PAGE ? (page.at(-1)?.run ?? null) : null }
  }

  async readLog({ run, stream, from, count }: Input<'agentRuns.log'>): Promise<Output<'agentRuns.log'>> {
    const log = this.#logOf(run, stream)
    await log.catchUp(MAX_COUNTED_BYTES)
    const size = Math.max(await log.size(), log.counted)
    const total = log.lines
    const { counted } = log
    if (from !== null) return { lines: await log.read(from, count), first: from, total, counted, size }
    if (counted < size) return { lines: await log.tail(count), first: null, total, counted, size }
    const first = Math.max(0, total - count)
    return { lines: await log.read(first, count), first, total, counted, size }
  }

  searchLog(
    { run, stream, ...search }: Input<'agentRuns.search'>,
    signal: AbortSignal,
  ): Promise<Output<'agentRuns.search'>> {
    return searchLog(this.#logOf(run, stream), search, this.#options.regex, MAX_FOUND_LINES, signal)
  }

  /** Ends a run and its whole process tree. @returns what lives in spite of it */
  async stop(id: string): Promise<readonly number[]> {
    await this.begin()
    const live = this.#live.get(id)
    if (live) {
      live.stop('It was stopped by the person.')
      return (await live.process?.ended)?.stillAlive ?? []
    }
    const left = this.#left.get(id)
    if (!left) throw new AppError('NOT_FOUND', 'This run of an agent has ended already.')
    this.#change(left, { state: 'stopping' })
    const stillAlive = await endTree({ pid: left.pid ?? 0, mark: id }, this.#limits.grace)
    if (stillAlive.length > 0) this.#keepLeft({ ...left, state: 'left', stillAlive })
    else await this.#closeLeft(left, { status: 'stopped', reason: 'It was stopped by the person.' })
    return stillAlive
  }

  /** Ends every run that this bridge started. @returns what lives in spite of it */
  async stopAll(): Promise<readonly number[]> {
    return (await Promise.all([...this.#live.keys()].map((id) => this.stop(id)))).flat()
  }

  /** Those that run or wait now, for whoever is about to end this bridge. */
  get live(): AgentRun[] {
    return [...this.#live.values()].map(({ run }) => run)
  }

  /** Those that a bridge which ended had started, and which still run. */
  get left(): AgentRun[] {
    return [...this.#left.values()]
  }

  /** Ends every run that this bridge started. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#leftPolling)
    for (const { stop } of this.#live.values()) stop('Bridgedeck ended.')
    await Promise.allSettled(this.#running)
    clearInterval(this.#polling)
    this.#notifyTimer.notifyNow()
    await this.#logs.close()
  }

  async #run(request: AgentRequest, agent: Agent, signal: AbortSignal): Promise<AgentResult> {
    const live = this.#ask(request, agent)
    const onAbort = () => live.stop('It was stopped.')
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    const id = live.run.run
    try {
      if (!(await this.#acquireSlot(live)))
        return this.#settle(
          live,
          agent,
          { exitCode: null, signal: null, cause: stoppedBy(live), stillAlive: [], leftBehind: 0 },
          undefined,
        )
      try {
        const process = this.#start(live, request, agent)
        const ended = await process.ended.catch(async (error: unknown) => {
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
        return this.#settle(live, agent, ended, process)
      } finally {
        this.#slots.release()
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

  #ask(request: AgentRequest, agent: Agent): Live {
    const run = newRun(request, agent, ++this.#revision)
    mkdirSync(this.#folderOf(run.run), { recursive: true, mode: 0o700 })
    writeFileSync(join(this.#folderOf(run.run), files.prompt), request.prompt, { mode: 0o600 })
    const ending = new AbortController()
    const live: Live = { run, process: undefined, ending: ending.signal, stop: (reason) => ending.abort(reason) }
    this.#live.set(run.run, live)
    this.#keep(live, {})
    return live
  }

  /** Resolves once it may start; false when it was stopped before. */
  #acquireSlot(live: Live): Promise<boolean> {
    if (!live.ending.aborted && this.#slots.tryAcquire()) return Promise.resolve(true)
    const { mostAgents } = this.#options.settings.current
    if (!live.ending.aborted)
      this.#keep(live, { reason: `It waits for a place: ${this.#slots.taken} of at most ${mostAgents} run.` })
    return this.#slots.acquire(live.ending)
  }

  #start(live: Live, request: AgentRequest, agent: Agent): AgentProcess {
    const { run: id } = live.run
    const folder = this.#folderOf(id)
    const time = Math.min(agent.timeLimit * 1000, request.timeLimit ?? Infinity)
    const process = new AgentProcess({
      id,
      agent,
      cwd: request.cwd,
      promptFile: join(folder, files.prompt),
      outputFile: join(folder, files.output),
      errorsFile: join(folder, files.errors),
      limits: { ...this.#limits, time },
    })
    live.process = process
    const startedAt = Date.now()
    if (process.pid !== undefined)
      this.#options.children.record({ pid: process.pid, startedAt, purpose: `${PURPOSE} ${id}`, port: null })
    this.#keep(live, { state: 'running', reason: '', startedAt, pid: process.pid ?? null })
    const end = () => {
      this.#change(live.run, { state: 'stopping' })
      const { status, reason } = stoppedBy(live)
      void process.end(status, reason, this.#isClosed ? Math.min(CLOSE_GRACE_MS, this.#limits.grace) : undefined)
    }
    if (live.ending.aborted) end()
    else live.ending.addEventListener('abort', end, { once: true })
    this.#polling ??= setInterval(() => void this.#poll(), POLL_MS)
    return process
  }

  #settle(live: Live, { preset }: Agent, ended: Ended, process: AgentProcess | undefined): AgentResult {
    const said: Pick<Said, 'data' | 'tokens' | 'cost' | 'turns' | 'error' | 'limit'> = process?.said ?? {
      data: '',
      tokens: null,
      cost: null,
      turns: null,
      error: null,
      limit: null,
    }
    const { status, reason } = verdict(preset, ended, said)
    const { exitCode, stillAlive, leftBehind } = ended
    const endedAt = Date.now()
    const notes = [
      reason,
      leftBehind === 0
        ? ''
        : `It left ${leftBehind === 1 ? 'a process' : `${leftBehind} processes`} running when it ended, which Bridgedeck ended.`,
    ]
    const { run, startedAt, pid } = live.run
    this.#keep(live, {
      ...progressOf(process),
      state: 'ended',
      endedAt,
      status,
      reason: notes.filter(Boolean).join(' ').slice(0, 2_000),
      exitCode,
      stillAlive: [...stillAlive],
    })
    if (pid !== null && !stillAlive.includes(pid)) this.#options.children.forget(pid)
    return {
      status,
      data: said.data,
      reason,
      tokens: said.tokens,
      cost: said.cost,
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
    // What it came to is told once it has ended.
    if (live.run.state === 'ended' || isSameProgress(progress, live.run)) return
    this.#change(live.run, progress)
  }

  /** Changes it where it is shown and where it is kept. */
  #keep(live: Live, changes: Partial<AgentRun>): void {
    this.#change(live.run, changes)
    this.#store.save(live.run)
  }

  #change(run: AgentRun, changes: Partial<AgentRun>): void {
    Object.assign(run, changes, { revision: ++this.#revision })
    this.#changed.set(run.run, run)
    this.#notifyTimer.schedule()
  }

  #notify(): void {
    const runs = [...this.#changed.values()].map((run) => ({ ...run }))
    this.#changed.clear()
    for (let at = 0; at < runs.length; at += MAX_AGENT_RUN_PAGE)
      this.#options.onChanged({ runs: runs.slice(at, at + MAX_AGENT_RUN_PAGE) })
  }

  #livingOf(run: AgentRun): readonly number[] {
    const { pid, startedAt } = run
    // Without /proc the number alone could be of another process by now.
    if (process.platform !== 'linux' && (pid === null || !childIsAlive({ pid, startedAt: startedAt ?? 0 }))) return []
    return livingOf({ pid: pid ?? 0, mark: run.run }).map((process) => process.pid)
  }

  #keepLeft(run: AgentRun): void {
    const kept = { ...run }
    this.#left.set(run.run, kept)
    this.#change(kept, {})
    this.#store.save(kept)
  }

  /** Of one that ended while nobody was there to see it: what its log tells. */
  async #closeLeft(
    run: AgentRun,
    cause: { status: Exclude<AgentStatus, 'success'>; reason: string } | null,
  ): Promise<void> {
    const log = new LogFile(join(this.#folderOf(run.run), files.output))
    const said = await readSaid(run.preset, log)
    const output = { bytes: log.counted, lines: log.lines }
    await log.close()
    const neverStarted =
      run.pid === null ? { status: 'error' as const, reason: 'Bridgedeck ended before it started.' } : null
    const { status, reason } = verdict(run.preset, { exitCode: null, signal: null, cause: cause ?? neverStarted }, said)
    const ended = { ...run }
    this.#change(ended, {
      state: 'ended',
      endedAt: Date.now(),
      status,
      reason: reason.slice(0, 2_000),
      tokens: said.tokens,
      cost: said.cost,
      turns: said.turns,
      stillAlive: [],
      output,
    })
    this.#store.save(ended)
    this.#left.delete(run.run)
    if (run.pid !== null) this.#options.children.forget(run.pid)
  }

  #watchLeft(): void {
    if (this.#left.size === 0) return
    this.#leftPolling = setInterval(() => {
      for (const run of this.#left.values()) {
        if (run.state !== 'left' || this.#livingOf(run).length > 0) continue
        this.#closeLeft(run, null).catch((error: unknown) =>
          this.#options.log('The log of an agent could not be read', error),
        )
      }
      if (this.#left.size === 0) clearInterval(this.#leftPolling)
    }, LEFT_POLL_MS)
    this.#leftPolling.unref()
  }

  /** Forgets the oldest runs beyond what is kept, with their logs. */
  #tidy(): void {
    let bytes = 0
    for (const [index, id] of this.#store.endedIds.entries()) {
      bytes += sizeOf(join(this.#folderOf(id), files.output)) + sizeOf(join(this.#folderOf(id), files.errors))
      if (index < MAX_KEPT_RUNS && (bytes <= MAX_KEPT_BYTES || index === 0)) continue
      rmSync(this.#folderOf(id), { recursive: true, force: true })
      this.#store.forget(id)
    }
  }

  #logOf(run: string, stream: 'output' | 'errors'): LogFile {
    if (!this.#store.get(run)) throw new AppError('NOT_FOUND', 'There is no such run of an agent any more.')
    return this.#logs.get(join(this.#folderOf(run), files[stream]))
  }

  #agentNamed(name: string): Agent {
    const agent = this.#options.settings.current.agents.find((known) => known.name === name)
    if (agent) return agent
    throw new AppError('NOT_FOUND', `No agent named ${JSON.stringify(name.slice(0, 100))} is set up.`, {
      hint: 'Set it up in the view Agents.',
    })
  }

  get #limits(): Omit<AgentLimits, 'time'> {
    return { ...LIMITS, ...this.#options.limits }
  }

  #folderOf(run: string): string {
    return join(this.#options.folder, run)
  }
}

const stoppedBy = ({ ending }: Live) => ({ status: 'stopped' as const, reason: String(ending.reason) })

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
