import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Input, Output } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Estimate } from '@shared/contract/estimate'
import type { LoopOptions } from '@shared/contract/loopOptions'
import { MAX_LOOP_LINE_PAGE, type HookDecision, type Loop as LoopView, type LoopName } from '@shared/contract/loops'
import type { Run } from '@shared/contract/orchestration'
import type { Settings } from '@shared/contract/settings'
import { MAESTRO_BATCHES } from '@shared/formats/systems'
import { estimateStart, estimateText, type EarlierTurn } from '@shared/estimate'
import { runHold } from '@shared/runHold'
import { turnRecords } from '@shared/turnRecord'
import { runWorktree, WORKTREE_DONE, WORKTREE_WANTED, type Worktree } from '@shared/worktree'
import type { FileChange } from '../formats/edit/action'
import { UNCOMMITTED_DEFAULT } from '../formats/uncommitted'
import { readCommitIdentity } from '../git/repository'
import { withinWorktree } from '../git/worktree'
import type { Host, HostStore } from '../storage/hosts'
import { RUN_ID } from '../storage/sidecar'
import { folderMemory } from './acceptedEnv'
import type { ActiveLoop } from './activeLoop'
import { repositoryOf, requireFreeTrees, treeAround } from './freeTree'
import { FailedStarts } from './failedStarts'
import { interruptedText, KnownLoops, loopKey } from './knownLoops'
import type { Loop, LoopEnd, LoopWork, Remembered } from './loop'
import { previewRemoval, projectWorktrees, removeLeft } from './leftWorktrees'
import { LoopAgents, PausedWaiting, type LoopAgentsOptions, type LoopStart, type WorkingLoop } from './loopAgents'
import type { Budget } from './ceilings'
import { LoopSetup, type LoopSetupOptions } from './loopSetup'
import { readDecisions } from './maestro/hooks/decisionLog'
import { noAgent } from './noAgent'
import { openWorktree } from './openWorktree'
import { createRepository } from './repository'
import { commitsOfTurns } from './commitsOfTurns'
import { shownTurn } from './shownTurn'
import { openRuns } from './openRuns'
import { holdRun, holdsOfBatches, RunHeld } from './runGuard'
import { UnattendedAnswers, type RunActions } from './unattendedAnswers'

const MAX_REPOSITORIES = 50

export interface LoopsOptions extends LoopSetupOptions, LoopAgentsOptions {
  readonly loops: readonly Loop[]
  readonly hasProgram: (agent: string) => boolean
  readonly hosts: HostStore
  readonly uncommittedChanges: () => Settings['uncommittedChanges']
  readonly limits: () => Budget['limits']
  readonly workOf?: (name: LoopName) => Run['work'] | undefined
  readonly earlierTurns?: () => readonly EarlierTurn[]
  readonly actionsOf: (project: number, run: string) => RunActions
  /**
   * Links resolved.
   * @throws AppError NOT_FOUND when the project is not open
   */
  readonly rootOf: (project: number) => string
  /** Relative to the project's folder. */
  readonly foldersOf: (project: number) => readonly string[]
  readonly announceWrite?: (project: number, change: FileChange) => Promise<() => void>
  readonly onChanged: (loops: LoopView[]) => void
  readonly log: (message: string, error?: unknown) => void
}

export class Loops {
  readonly setup: LoopSetup
  readonly failedStarts: FailedStarts
  readonly #agents: LoopAgents
  readonly #known: KnownLoops
  readonly #options: LoopsOptions
  readonly #running = new Map<ActiveLoop, { readonly start: LoopStart; readonly end: Promise<void> }>()
  readonly #held = new Map<
    string,
    { readonly name: LoopName; readonly options: LoopOptions; readonly holds: Remembered }
  >()
  #isClosed = false

  constructor(options: LoopsOptions) {
    this.#options = options
    this.#agents = new LoopAgents(options)
    this.#known = new KnownLoops(options.onChanged)
    this.failedStarts = new FailedStarts(options.sidecar, options.log)
    this.setup = new LoopSetup(options, (name) => this.#loopOf(name.system))
  }

  /** A loop that ran when Bridgedeck last ended unexpectedly is listed until it is started again. */
  begin(): void {
    for (const host of this.#options.hosts.reconcile()) {
      this.#known.putInterrupted(host)
      if (host.holder === null) continue
      const holds = this.#rememberedOf(host.project, host.holder)
      if (!runHold(holds)) holdRun(holds, 'interrupted', interruptedText(host))
    }
  }

  list(): Output<'loops.list'> {
    return this.#known.list()
  }

  get isRunning(): boolean {
    return this.#running.size > 0
  }

  async init({ project, system, name, idea }: Input<'loops.init'>): Promise<Output<'loops.init'>> {
    const loop = this.#loopOf(system)
    if (!loop.init) throw new AppError('UNSUPPORTED', `Bridgedeck creates no files for ${system}.`)
    const { created } = await loop.init({ folder: this.#options.rootOf(project), name, idea })
    if (created.length === 0)
      throw new AppError('CONFLICT', 'Nothing was changed: the folder has these files already.', {
        hint: 'Choose its run in the list.',
      })
    return { created: created.slice(0, 200) }
  }

  async estimate(name: LoopName, options: LoopOptions = this.setup.chosenOptions(name)): Promise<Estimate | null> {
    const { earlierTurns, workOf } = this.#options
    const turns = earlierTurns?.() ?? []
    if (turns.length === 0) return null
    const work = workOf?.(name)
    const openTasks = work ? work.total - work.done : 0
    const roles = await this.setup.roles(name)
    const { agent } = options
    return (
      estimateStart({
        project: name.project,
        system: name.system,
        turns,
        roles: agent === undefined ? roles : roles.map(({ role }) => ({ role, agent })),
        openTasks: openTasks > 0 ? openTasks : null,
        maxTurns: 'maxTurns' in options ? options.maxTurns : undefined,
      }) ?? null
    )
  }

  worktrees(project: number, signal: AbortSignal) {
    return projectWorktrees(this.#worktreesOf(project), signal)
  }

  removeWorktree({ project, branch }: Input<'loops.removeWorktree'>, signal: AbortSignal) {
    return removeLeft(this.#worktreesOf(project), branch, signal)
  }

  previewRemoval({ project, branch }: Input<'loops.worktree'>, signal: AbortSignal) {
    return previewRemoval(this.#worktreesOf(project), branch, signal)
  }

  #worktreesOf(project: number) {
    const { requireTrusted, sidecar, folder, rootOf, foldersOf } = this.#options
    const root = rootOf(project)
    const tops = ['', ...foldersOf(project)].map((run) => relative(root, repositoryOf({ root, folder: run })))
    const repositories = [...new Set(tops)].slice(0, MAX_REPOSITORIES).map((top) => requireTrusted(project, top))
    return { repositories, project, sidecar, folder }
  }

  createRepository(project: number, signal: AbortSignal): Promise<'committed' | 'there'> {
    return createRepository(this.#options.requireTrusted(project, ''), signal)
  }

  start(start: LoopName & { options?: LoopOptions | undefined }): { loop: LoopView } {
    try {
      return this.#begin(start)
    } catch (error) {
      this.failedStarts.note(start, error)
      throw error
    }
  }

  #begin({ options: asked = {}, ...name }: LoopName & { options?: LoopOptions | undefined }): { loop: LoopView } {
    const options = asked.asChosen === true ? { ...this.setup.chosenOptions(name), ...asked } : asked
    const loop = this.#loopOf(name.system)
    const { root, run, memory = run, shownIn, ...located } = this.#options.placeOf(name)
    const folder = ('folder' in options ? options.folder : undefined) ?? located.folder
    this.#options.requireTrusted(name.project, folder)
    if (!loop.bringsAgent && this.#options.agents.names.length === 0)
      throw new AppError('INVALID', noAgent.message, { hint: noAgent.hint })
    for (const agent of [options.agent, options.secondAgent]) if (agent !== undefined) this.setup.requireAgent(agent)
    if (options.worktree === true) this.setup.requireWorktrees(name)
    if ('worktreePerAgent' in options && options.worktreePerAgent === true && memory !== run && shownIn === undefined)
      throw new AppError('UNSUPPORTED', 'No worktrees for this batch: no run shows it, so nobody could merge them.', {
        hint: 'Move it below parallel/ of the state folder, or dispatch it without them.',
      })
    if (this.#isClosed) throw new AppError('CONFLICT', 'Bridgedeck is shutting down.')
    const place = { root, folder }
    const startedAt = Date.now()
    const lock = lockOf(name, root)
    const holder = shownIn === undefined ? memory : null
    const owner = this.#options.hosts.acquire(lock, { ...name, startedAt, step: null, resumeHint: null, holder })
    if (owner) throw alreadyRuns(owner)
    this.#held.delete(loopKey(name))
    const active = this.#known.put(name, { state: 'running', startedAt, message: 'Starting.' })
    const ownHolds = this.#rememberedOf(name.project, shownIn ?? memory)
    const holds = shownIn === undefined ? ownHolds : holdsOfBatches(ownHolds)
    const started = { active, name, place, run, memory, holds, asked, options, lock }
    this.#running.set(active, { start: started, end: this.#run(loop, started) })
    return { loop: active.view }
  }

  resumeReleased(project: number): void {
    for (const [key, { name, options, holds }] of this.#held) {
      if (name.project !== project || runHold(holds)) continue
      this.#held.delete(key)
      try {
        this.start({ ...name, options: this.#loopOf(name.system).continued?.(name.place, options) ?? options })
      } catch (error) {
        this.#options.log(`The loop ${key} could not be continued`, error)
      }
    }
  }

  pause(name: LoopName): { loop: LoopView } {
    const active = this.#known.requireActive(name)
    active.pause()
    return { loop: active.view }
  }

  async stop(name: LoopName): Promise<{ loop: LoopView }> {
    const active = this.#known.requireActive(name)
    active.stop('Stopped by you.')
    await this.#running.get(active)?.end
    return { loop: active.view }
  }

  /** Not while the loop runs: both would write its files. */
  async rollBack(
    { task, isTrial, ...name }: Input<'loops.rollBack'>,
    signal: AbortSignal,
  ): Promise<Output<'loops.rollBack'>> {
    const loop = this.#loopOf(name.system)
    if (!loop.rollBack) throw new AppError('UNSUPPORTED', `Tasks of ${name.system} cannot be rolled back.`)
    const { root, folder, run } = this.#options.placeOf(name)
    const lock = lockOf(name, root)
    const owner = this.#options.hosts.acquire(lock, {
      ...name,
      startedAt: Date.now(),
      step: `Rolling back task ${task}`,
      resumeHint: isTrial ? null : `Roll back task ${task} again to finish it.`,
      holder: null,
    })
    if (owner) throw alreadyRuns(owner)
    try {
      const { plan, result } = await loop.rollBack(
        this.#options.requireTrusted(name.project, folder),
        folder,
        task,
        isTrial,
        signal,
        runWorktree(this.#rememberedOf(name.project, run)),
        this.#announcing(name.project).announceWrite,
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

  hookDecisions(project: number): Promise<HookDecision[]> {
    const { folder, rootOf } = this.#options
    return readDecisions(folder, rootOf(project))
  }

  turn({ run: log, ...name }: Input<'loops.turn'>): Output<'loops.turn'> {
    const { run, memory = run } = this.#options.placeOf(name)
    const records = turnRecords(this.#rememberedOf(name.project, memory))
    const record = records.find((turn) => turn.log === log)
    return { turn: record ? shownTurn(record, records) : null }
  }

  commits({ project, run, turns }: Input<'loops.commits'>): Output<'loops.commits'> {
    const keys = run.startsWith('maestro:') ? [run, MAESTRO_BATCHES] : [run]
    return commitsOfTurns(
      keys.flatMap((key) => turnRecords(this.#options.sidecar.all(project, key))),
      turns,
    )
  }

  /** @throws AppError CONFLICT while agents of a loop work in a tree that the edit changes */
  requireFreeTrees({ project, run, request }: Input<'projects.writeWithGit'>, folder: string): void {
    const worktreeOf = (of: number, key: string) => runWorktree(this.#rememberedOf(of, key))
    // All projects, as two may share a repository.
    const loops = [...this.#running.values()].map(({ start: { name, place, memory } }) => ({
      root: place.root,
      folder: place.folder,
      place: name.place,
      run: name.project === project ? memory : undefined,
      worktree: worktreeOf(name.project, memory),
    }))
    const edit = { root: this.#options.rootOf(project), folder, run, request, worktree: worktreeOf(project, run) }
    requireFreeTrees(edit, loops)
  }

  lines({ after, ...name }: LoopName & { after: number }): Output<'loops.lines'> {
    const active = this.#known.require(name)
    return { loop: active.view, lines: active.linesAfter(after, MAX_LOOP_LINE_PAGE) }
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true
    this.#known.stopAll('Bridgedeck ended.')
    await Promise.all([...this.#running.values()].map(({ end }) => end))
    this.#known.close()
  }

  async #run(loop: Loop, start: LoopStart): Promise<void> {
    const { active, name, lock } = start
    let hasBegun = false
    try {
      const remembered = this.#rememberedOf(name.project, start.memory)
      const startsAnew = loop.startsAnew?.(name.place, start.options) ?? false
      await this.#agents.requireNoneLeft(lock, startsAnew ? [] : openRuns(remembered, name.place))
      active.signal.throwIfAborted()
      if ('testsAgents' in start.options && start.options.testsAgents === true)
        await this.setup.testUntested(name, start.options, active)
      await this.#logEstimate(start)
      const own = this.#ownFolder(start)
      const worktree = await this.#worktreeOf(start, own)
      const work = this.#workOf(start, own, worktree)
      hasBegun = true
      const { outcome, message, hint = null, code } = await loop.run(work).catch(heldEnd)
      if (worktree && outcome === 'done')
        this.#rememberedOf(name.project, start.memory).set({ [WORKTREE_DONE]: String(Date.now()) })
      if (active.signal.aborted) active.endStopped()
      else
        active.end({
          ...(outcome === 'paused' ? { state: 'paused' } : { state: 'ended', outcome }),
          message,
          hint,
          ...(code === undefined ? {} : { code }),
        })
    } catch (error) {
      if (active.signal.aborted) active.endStopped()
      else if (error instanceof PausedWaiting)
        active.end({ state: 'paused', message: error.message, hint: 'Start it again to continue.' })
      else {
        this.#options.log(`The loop ${loopKey(name)} failed`, error)
        if (!hasBegun) this.failedStarts.note(name, error)
        const { message, hint } = toFailure(error)
        active.end({ state: 'failed', message, hint: hint ?? null })
      }
    } finally {
      this.#options.hosts.release(lock)
      const { asked, holds } = start
      if (runHold(holds)) this.#held.set(loopKey(name), { name, options: asked, holds })
      this.#running.delete(active)
    }
  }

  /** Only informs the person: nothing stops for it. */
  async #logEstimate({ active, name, options }: LoopStart): Promise<void> {
    const estimate = await this.estimate(name, options).catch((error: unknown) =>
      this.#options.log(`What ${loopKey(name)} may take could not be estimated`, error),
    )
    if (estimate) active.log('info', `Estimate: ${estimateText(estimate)}`)
  }

  #ownFolder({ lock }: LoopStart): string {
    const own = join(this.#options.folder, createHash('sha256').update(lock).digest('hex').slice(0, 16))
    mkdirSync(own, { recursive: true, mode: 0o700 })
    return own
  }

  #worktreeOf({ active, name, place, memory, options }: LoopStart, own: string): Promise<Worktree | undefined> {
    const remembered = this.#rememberedOf(name.project, memory)
    return openWorktree({
      at: this.#options.requireTrusted(name.project, place.folder),
      remembered,
      own,
      system: name.system,
      signal: active.signal,
      isWanted: options.worktree ?? remembered.get(WORKTREE_WANTED) !== undefined,
      log: (level, text) => active.log(level, text),
    })
  }

  #workOf(start: LoopStart, own: string, worktree: Worktree | undefined): LoopWork {
    const { active, name, place, run, memory, holds, options, lock } = start
    const trusted = () => {
      const at = this.#options.requireTrusted(name.project, place.folder)
      return worktree ? withinWorktree(at, worktree) : at
    }
    const workFolder = worktree ? join(worktree.root, place.folder) : join(place.root, place.folder)
    const identity = async () => readCommitIdentity(trusted())
    const working: WorkingLoop = { ...start, workFolder, tree: treeAround(workFolder), identity }
    const remembered = this.#rememberedOf(name.project, memory)
    remembered.set({ [UNCOMMITTED_DEFAULT]: this.#options.uncommittedChanges() })
    const noteOwner = () => {
      const id = memory === run ? this.#options.namedAs?.(name)?.id : undefined
      if (typeof id === 'string' && remembered.get(RUN_ID) !== id) remembered.set({ [RUN_ID]: id })
    }
    noteOwner()
    const chosen = (role: string) => options.agent ?? this.setup.agentOf(name, role)
    const answers = new UnattendedAnswers(this.#options.actionsOf(name.project, run), (level, text) =>
      active.log(level, text),
    )
    return {
      ...place,
      place: name.place,
      options,
      own,
      signal: active.signal,
      isPausing: () => active.isPausing,
      pauses: active.pauses,
      hasProgram: this.#options.hasProgram,
      trusted,
      workFolder,
      isInWorktree: worktree !== undefined,
      remembered,
      holds,
      elsewhere: this.#agents.elsewhere(working),
      rememberedOfFolder: this.#rememberedOf(name.project, folderMemory(place.folder)),
      budget: () => this.#agents.budgetOf(start),
      agents: this.#options.agents.names,
      chosen,
      ...this.#announcing(name.project),
      spawn: (role, request, hooks) => {
        noteOwner()
        return this.#agents.spawn(working, role, { ...request, agent: request.agent ?? chosen(role) }, hooks)
      },
      adopt: (role, run, request, hooks) => this.#agents.adopt(working, role, run, request, hooks),
      check: (task, command, timeLimit, at) => {
        this.#options.requireTrusted(name.project, place.folder)
        return this.#agents.check(working, task, command, timeLimit, at)
      },
      continuesPast: async (outcome) =>
        options.auto === true && (outcome === 'waiting' || outcome === 'gate') && (await answers.answer()),
      step: (text) => {
        this.#options.hosts.noteStep(lock, text)
        active.step(text)
      },
      log: (level, text) => active.log(level, text),
    }
  }

  #announcing(project: number): Pick<LoopWork, 'announceWrite'> {
    const { announceWrite } = this.#options
    return announceWrite ? { announceWrite: (change) => announceWrite(project, change) } : {}
  }

  #rememberedOf(project: number, run: string): Remembered {
    return this.#options.sidecar.of(project, run)
  }

  #loopOf(system: LoopName['system']): Loop {
    const loop = this.#options.loops.find((candidate) => candidate.system === system)
    if (!loop) throw new AppError('UNSUPPORTED', `Bridgedeck cannot run ${system}.`)
    return loop
  }
}

function heldEnd(error: unknown): LoopEnd {
  if (error instanceof RunHeld) return error.end
  throw error
}

/** A run in two open projects counts as one. */
const lockOf = ({ system, place }: LoopName, root: string): string => `${system} ${join(root, place)}`

const alreadyRuns = ({ pid, startedAt }: Host): AppError =>
  new AppError(
    'CONFLICT',
    `${pid === process.pid ? 'Bridgedeck' : `Another Bridgedeck (process ${pid})`} is already running it, since ${new Date(startedAt).toISOString()}.`,
    {
      hint: pid === process.pid ? 'Stop or pause it first.' : 'Stop it there, or end that process.',
    },
  )
