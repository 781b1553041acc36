/** The loops that run: at most one for each run, started and stopped by the person, each seen from outside as one state. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Input, Output } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import {
  MAX_LOOP_LINE_PAGE,
  loopSystems,
  type LogLevel,
  type Loop as LoopView,
  type LoopLine,
  type LoopName,
  type LoopOptions,
} from '@shared/contract/loops'
import { z } from 'zod'
import { NotifyTimer } from '../files/notifyTimer'
import type { AgentRunner } from '../agents/agent'
import type { TrustedFolder } from '../git/trustedFolder'
import type { Host, HostStore } from '../storage/hosts'
import type { SidecarStore } from '../storage/sidecar'
import type { Loop, LoopWork, Remembered, RunPlace } from './loop'

export interface LoopsOptions {
  readonly loops: readonly Loop[]
  readonly agents: AgentRunner
  /** Those that a Bridgedeck which ended had started, and which still run. */
  readonly leftAtWork: () => Promise<
    readonly { readonly agent: string; readonly purpose: string; readonly pid: number | null }[]
  >
  readonly hosts: HostStore
  readonly sidecar: SidecarStore
  /** The folder of an open project, links resolved, and the run's key. @throws AppError NOT_FOUND when it is not open, or has no such run */
  readonly placeOf: (name: LoopName) => { readonly root: string; readonly run: string }
  /** @param folder in the project. @throws AppError FORBIDDEN */
  readonly requireTrusted: (project: number, folder: string) => TrustedFolder
  /** That an agent works in a project is noted until the function that is returned is called. */
  readonly agentAtWork: (project: number, agent: string) => () => void
  /** Where each run gets a folder for what its format has no place for. */
  readonly folder: string
  readonly onChanged: (loops: LoopView[]) => void
  readonly log: (message: string, error?: unknown) => void
}

const NOTIFY_DELAY_MS = 30
/** Of a log, in memory. */
const KEPT_LINES = 2_000
/** Ended ones that are kept on the list. */
const KEPT_ENDED = 100

interface Running {
  view: LoopView
  readonly lines: LoopLine[]
  readonly stop: AbortController
  isPausing: boolean
  /** Resolves when it has ended. */
  ended: Promise<void>
}

const keyOf = ({ project, system, folder }: LoopName): string => `${project} ${system} ${folder}`
/** Under which its agents are kept: its key may change with its first start, when it gets a state file. */
const runOf = ({ system, folder }: LoopName): string => `${system}:${folder}`
const isActive = ({ view }: Running): boolean =>
  view.state === 'running' || view.state === 'pausing' || view.state === 'stopping'

const AGENTS = 'agents'
const assignmentsSchema = z.record(z.string(), z.string())

export class Loops {
  readonly #options: LoopsOptions
  readonly #loops = new Map<string, Running>()
  readonly #changed = new Set<Running>()
  readonly #notifyTimer = new NotifyTimer(NOTIFY_DELAY_MS, () => this.#notify())
  #isClosed = false

  constructor(options: LoopsOptions) {
    this.#options = options
  }

  /** What ran when the last Bridgedeck ended, which then was not ended in order. */
  begin(): void {
    for (const host of this.#options.hosts.reconcile()) this.#noteInterrupted(host)
  }

  list(): Output<'loops.list'> {
    return { loops: [...this.#loops.values()].map(({ view }) => view).slice(-500) }
  }

  async setup(name: LoopName): Promise<Output<'loops.setup'>> {
    const { root } = this.#options.placeOf(name)
    const { names } = this.#options.agents
    const chosen = this.#assignments(name)
    const loop = this.#loopOf(name)
    const place = { root, folder: name.folder }
    const roles = await loop.roles(place)
    const meant = await loop.meant?.(place, names)
    const missing: { what: string; hint: string }[] = []
    if (names.length === 0)
      missing.push({
        what: 'No agent is set up.',
        hint: 'Add one in the Agents view: a preset such as claude, gemini or codex, or your own command line.',
      })
    try {
      this.#options.requireTrusted(name.project, name.folder)
    } catch (error) {
      const { message, hint } = toFailure(error)
      missing.push({ what: message, hint: hint ?? '' })
    }
    return {
      roles: roles.map((role) => ({
        role,
        agent: chosenOf(role, chosen, names) ?? (meant ? meant[role] : names[0]) ?? null,
      })),
      agents: names.slice(0, 200),
      missing,
    }
  }

  assign({ agents, ...name }: LoopName & { agents: Readonly<Record<string, string>> }): void {
    this.#options.placeOf(name)
    const unknown = Object.values(agents).find((agent) => !this.#options.agents.names.includes(agent))
    if (unknown !== undefined) throw noSuchAgent(unknown)
    this.#options.sidecar.remember(name.project, runOf(name), {
      [AGENTS]: JSON.stringify({ ...this.#assignments(name), ...agents }),
    })
  }

  start({ options = {}, ...name }: LoopName & { options?: LoopOptions | undefined }): { loop: LoopView } {
    const loop = this.#loopOf(name)
    const { root, run } = this.#options.placeOf(name)
    this.#options.requireTrusted(name.project, name.folder)
    if (this.#options.agents.names.length === 0)
      throw new AppError('INVALID', 'No agent is set up.', {
        hint: 'Add one in the Agents view first.',
      })
    if (options.agent !== undefined && !this.#options.agents.names.includes(options.agent))
      throw noSuchAgent(options.agent)
    if (this.#isClosed) throw new AppError('CONFLICT', 'Bridgedeck is shutting down.')
    const place = { root, folder: name.folder }
    const startedAt = Date.now()
    const lock = lockOf(name, place)
    const owner = this.#options.hosts.acquire(lock, { ...name, startedAt, step: null, resumeHint: null })
    if (owner) throw alreadyRuns(owner)
    const running: Running = {
      view: {
        ...name,
        state: 'running',
        outcome: null,
        step: null,
        agent: null,
        startedAt,
        since: startedAt,
        message: 'It starts.',
        hint: null,
        lines: 0,
      },
      lines: [],
      stop: new AbortController(),
      isPausing: false,
      ended: Promise.resolve(),
    }
    this.#put(name, running)
    running.ended = this.#run(loop, running, name, { ...place, options, run }, lock)
    return { loop: running.view }
  }

  pause(name: LoopName): { loop: LoopView } {
    const running = this.#require(name)
    if (running.view.state === 'running') {
      running.isPausing = true
      this.#change(running, { state: 'pausing', since: Date.now() })
    }
    return { loop: running.view }
  }

  async stop(name: LoopName): Promise<{ loop: LoopView }> {
    const running = this.#require(name)
    this.#stopNow(running, 'Stopped by you.')
    await running.ended
    return { loop: running.view }
  }

  /** Not while the loop runs: both would write its files. */
  async rollBack(
    { task, isTrial, ...name }: Input<'loops.rollBack'>,
    signal: AbortSignal,
  ): Promise<Output<'loops.rollBack'>> {
    const loop = this.#loopOf(name)
    if (!loop.rollBack) throw new AppError('UNSUPPORTED', `Tasks of ${name.system} cannot be rolled back.`)
    const { root } = this.#options.placeOf(name)
    const lock = lockOf(name, { root, folder: name.folder })
    const owner = this.#options.hosts.acquire(lock, {
      ...name,
      startedAt: Date.now(),
      step: `Rolling back task ${task}`,
      resumeHint: isTrial ? null : `Roll back task ${task} again to finish it.`,
    })
    if (owner) throw alreadyRuns(owner)
    try {
      const { plan, result } = await loop.rollBack(
        this.#options.requireTrusted(name.project, name.folder),
        name.folder,
        task,
        isTrial,
        signal,
      )
      return {
        commits: plan.commits.slice(0, 200).map(({ commit, subject }) => ({ commit, subject: subject.slice(0, 500) })),
        files: plan.files
          .slice(0, 2_000)
          .map(({ path, added, deleted }) => ({ path: path.slice(0, 4096), added, deleted })),
        obstacles: plan.obstacles.slice(0, 100).map((obstacle) => obstacle.slice(0, 4_000)),
        result: result && { backup: result.backup },
      }
    } finally {
      this.#options.hosts.release(lock)
    }
  }

  /** @throws AppError CONFLICT while a loop runs in the project, whose agents work on what git would change */
  requireIdle(project: number): void {
    const running = [...this.#loops.values()].find((running) => isActive(running) && running.view.project === project)
    if (running)
      throw new AppError(
        'CONFLICT',
        `Nothing was changed: ${running.view.folder || 'a run'} is running in this project, and its agents work on the same files.`,
        { hint: 'Pause or stop it first.' },
      )
  }

  lines({ after, ...name }: LoopName & { after: number }): Output<'loops.lines'> {
    const { view, lines } = this.#known(name)
    const from = lines.findIndex(({ number }) => number > after)
    return { loop: view, lines: from < 0 ? [] : lines.slice(from, from + MAX_LOOP_LINE_PAGE) }
  }

  /** Stops them all; their files are as they are after a stop. */
  async closeAll(): Promise<void> {
    this.#isClosed = true
    const active = [...this.#loops.values()].filter(isActive)
    for (const running of active) this.#stopNow(running, 'Bridgedeck ended.')
    await Promise.all(active.map(({ ended }) => ended))
    this.#notifyTimer.cancel()
  }

  async #run(
    loop: Loop,
    running: Running,
    name: LoopName,
    place: RunPlace & { readonly options: LoopOptions; readonly run: string },
    lock: string,
  ): Promise<void> {
    const leftAlive: number[] = []
    try {
      await this.#requireNobodyLeft(lock)
      running.stop.signal.throwIfAborted()
      const end = await loop.run(this.#workOf(running, name, place, lock, leftAlive))
      if (running.stop.signal.aborted)
        this.#end(running, { state: 'stopped', message: stoppedText(running, leftAlive) })
      else {
        const { outcome, message, hint = null, code } = end
        this.#end(running, {
          ...(outcome === 'paused' ? { state: 'paused' } : { state: 'ended', outcome }),
          message,
          hint,
          ...(code === undefined ? {} : { code }),
        })
      }
    } catch (error) {
      if (running.stop.signal.aborted)
        this.#end(running, { state: 'stopped', message: stoppedText(running, leftAlive) })
      else {
        this.#options.log(`The loop ${keyOf(name)} failed`, error)
        const { message, hint } = toFailure(error)
        this.#end(running, { state: 'failed', message, hint: hint ?? null })
      }
    } finally {
      this.#options.hosts.release(lock)
    }
  }

  /** Two agents at one task would fight over its files. */
  async #requireNobodyLeft(lock: string): Promise<void> {
    const left = (await this.#options.leftAtWork()).find(({ purpose }) => purpose.startsWith(`${lock}: `))
    if (!left) return
    throw new AppError(
      'CONFLICT',
      `The agent ${left.agent}${left.pid === null ? '' : ` (process ${left.pid})`}, started by an earlier Bridgedeck, is still working on this run.`,
      {
        hint: 'Wait for it or stop it in the Agents view, then start again.',
      },
    )
  }

  #workOf(
    running: Running,
    name: LoopName,
    place: RunPlace & { readonly options: LoopOptions; readonly run: string },
    lock: string,
    leftAlive: number[],
  ): LoopWork {
    const own = join(this.#options.folder, createHash('sha256').update(lock).digest('hex').slice(0, 16))
    mkdirSync(own, { recursive: true, mode: 0o700 })
    const { signal } = running.stop
    const chosen = (role: string) =>
      place.options.agent ?? chosenOf(role, this.#assignments(name), this.#options.agents.names)
    return {
      ...place,
      own,
      signal,
      isPausing: () => running.isPausing,
      trusted: () => this.#options.requireTrusted(name.project, name.folder),
      remembered: this.#rememberedOf(name.project, place.run),
      agents: this.#options.agents.names,
      chosen,
      spawn: async (role, request) => {
        const { agents } = this.#options
        const agent = request.agent ?? chosen(role) ?? agents.names[0]
        if (agent === undefined)
          throw new AppError('INVALID', 'No agent is set up any more.', {
            hint: 'Add one in the Agents view, then continue.',
          })
        signal.throwIfAborted()
        this.#change(running, { agent: { name: agent, role, since: Date.now() } })
        const atWorkNoMore = this.#options.agentAtWork(name.project, agent)
        try {
          const result = await agents.run(
            { ...request, agent, cwd: join(place.root, place.folder), purpose: `${lock}: ${request.purpose}` },
            signal,
          )
          leftAlive.push(...result.stillAlive)
          return result
        } finally {
          atWorkNoMore()
          this.#change(running, { agent: null })
        }
      },
      step: (text) => {
        this.#options.hosts.noteStep(lock, text)
        this.#change(running, { step: text.slice(0, 500) })
        this.#line(running, 'info', text)
      },
      log: (level, text) => this.#line(running, level, text),
    }
  }

  #rememberedOf(project: number, run: string): Remembered {
    const { sidecar } = this.#options
    return {
      get: (name) => sidecar.all(project, run).get(name),
      set: (values) => sidecar.remember(project, run, values),
    }
  }

  #stopNow(running: Running, why: string): void {
    if (!isActive(running) || running.view.state === 'stopping') return
    this.#change(running, { state: 'stopping', since: Date.now() })
    running.stop.abort(new AppError('CANCELLED', why))
  }

  #line(running: Running, level: LogLevel, text: string): void {
    const number = running.view.lines + 1
    running.lines.push({ number, time: Date.now(), level, text: text.slice(0, 2000) })
    if (running.lines.length > KEPT_LINES) running.lines.shift()
    this.#change(running, { lines: number, message: text.slice(0, 500) })
  }

  #end(running: Running, end: Partial<LoopView> & { readonly message: string }): void {
    const ofEnd =
      end.state === 'failed' || end.outcome === 'failed'
        ? 'error'
        : end.outcome === 'done' || end.outcome === 'gate'
          ? 'info'
          : 'warn'
    this.#line(running, ofEnd, end.message)
    this.#change(running, { ...end, message: end.message.slice(0, 500), step: null, agent: null, since: Date.now() })
  }

  #noteInterrupted({ pid, startedAt, step, resumeHint, project, system, folder }: Host): void {
    const known = loopSystems.find((candidate) => candidate === system)
    if (known === undefined) return
    const name = { project, system: known, folder }
    const message = `Bridgedeck (process ${pid}) ended during this run${step === null ? '' : `, at: ${step}`}.`.slice(
      0,
      500,
    )
    const view: LoopView = {
      ...name,
      state: 'interrupted',
      outcome: null,
      step: null,
      agent: null,
      startedAt,
      since: Date.now(),
      message,
      hint: resumeHint ?? 'Start it to continue from its files.',
      lines: 0,
    }
    this.#put(name, { view, lines: [], stop: new AbortController(), isPausing: false, ended: Promise.resolve() })
  }

  #put(name: LoopName, running: Running): void {
    // The last started comes last.
    this.#loops.delete(keyOf(name))
    this.#loops.set(keyOf(name), running)
    const over = [...this.#loops]
      .filter(([, other]) => !isActive(other))
      .slice(0, Math.max(0, this.#loops.size - KEPT_ENDED))
    for (const [key] of over) this.#loops.delete(key)
    this.#noteChanged(running)
  }

  #change(running: Running, changes: Partial<LoopView>): void {
    running.view = { ...running.view, ...changes }
    this.#noteChanged(running)
  }

  #noteChanged(running: Running): void {
    this.#changed.add(running)
    this.#notifyTimer.schedule()
  }

  #notify(): void {
    const loops = [...this.#changed].map(({ view }) => view)
    this.#changed.clear()
    for (let from = 0; from < loops.length; from += 500) this.#options.onChanged(loops.slice(from, from + 500))
  }

  #assignments(name: LoopName): Readonly<Record<string, string>> {
    const kept = this.#options.sidecar.all(name.project, runOf(name)).get(AGENTS)
    return kept === undefined ? {} : assignmentsSchema.parse(JSON.parse(kept))
  }

  #loopOf({ system }: LoopName): Loop {
    const loop = this.#options.loops.find((candidate) => candidate.system === system)
    if (!loop) throw new AppError('UNSUPPORTED', `Bridgedeck cannot run ${system}.`)
    return loop
  }

  #known(name: LoopName): Running {
    const running = this.#loops.get(keyOf(name))
    if (!running) throw new AppError('NOT_FOUND', 'Bridgedeck has not started this run.')
    return running
  }

  #require(name: LoopName): Running {
    const running = this.#known(name)
    if (!isActive(running))
      throw new AppError('CONFLICT', 'This run is not running.', { hint: 'Start it to continue.' })
    return running
  }
}

/** One run in two open projects is one. */
const lockOf = ({ system }: LoopName, { root, folder }: RunPlace): string => `${system} ${join(root, folder)}`

/** Unless it is not set up any more. */
const chosenOf = (
  role: string,
  chosen: Readonly<Record<string, string>>,
  names: readonly string[],
): string | undefined => names.find((name) => name === chosen[role])

const noSuchAgent = (name: string): AppError =>
  new AppError('NOT_FOUND', `No agent “${name}” is set up.`, { hint: 'See the Agents view.' })

const alreadyRuns = ({ pid, startedAt }: Host): AppError =>
  new AppError(
    'CONFLICT',
    `${pid === process.pid ? 'Bridgedeck' : `Another Bridgedeck (process ${pid})`} is already running it, since ${new Date(startedAt).toISOString()}.`,
    {
      hint: pid === process.pid ? 'Stop or pause it first.' : 'Stop it there, or end that process.',
    },
  )

function stoppedText({ stop: { signal } }: Running, leftAlive: readonly number[]): string {
  const why = signal.reason instanceof AppError ? signal.reason.message : 'Stopped.'
  return leftAlive.length === 0
    ? `${why} No process is left.`
    : `${why} Still running: process ${leftAlive.join(', ')}.`
}
