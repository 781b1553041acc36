/** Everything needed to continue stands in the session file. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError, toFailure } from '@shared/contract/errors'
import { parentOf, within } from '../../../formats/listing'
import { SessionDraft, type MaestroRun, type SessionPhase } from '../../../formats/maestro/actions/maestroRun'
import { maestro } from '../../../formats/maestro/format'
import { planChanges, type PhaseChange, type TokenUse } from '../../../formats/maestro/session/phaseChange'
import { changedCode, currentReview, logReview, severities } from '../../../formats/maestro/session/review'
import { idOf } from '../../../formats/maestro/state'
import { askForJson } from '../../askForJson'
import { HostChecks } from '../../hostChecks'
import { Lanes } from '../../lanes'
import { LaneTrees } from '../../laneTrees'
import { StartLimits } from '../../limits'
import { RunGuard } from '../../runGuard'
import type { LoopEnd } from '../../loop'
import { TurnObserver } from '../../turnObserver'
import { TurnsTogether } from '../../turnsTogether'
import { TurnStore } from '../../turnStore'
import { agentFor, environmentFor, namedAgent, type MaestroWork } from '../agentChoice'
import { chosenSettings, readSettings, resolveSettings, type DispatchSettings } from '../dispatch/dispatchSettings'
import { requireSeen } from '../dispatch/runBatch'
import { modifiedIn, resumePoint } from '../session/resumePoint'
import { SessionStore } from '../session/sessionStore'
import { settingLayers } from '../stateFiles'
import { nextStep, type SessionState, type SessionStep } from './nextStep'
import { REVIEW_SHAPE, repairReviewPrompt, reviewPrompt } from './prompts'
import { agentOf, runPhase, runPhases, type PhaseWork } from './runPhases'
import { UncountedRuns } from './uncountedRuns'
import { readRunSettings, resolveRunSettings, type RunSettings } from './runSettings'

const REVIEWER = 'code_reviewer'

const reviewSchema = z.object({
  findings: z.array(
    z.object({
      severity: z.preprocess((word) => (typeof word === 'string' ? word.toLowerCase() : word), z.enum(severities)),
      file: z.string().catch(''),
      message: z.string(),
    }),
  ),
})

/** The session before the turn under way, by which a later start tells whether the outcome was written. */
const noteSchema = z.object({
  progress: z.string(),
  batch: z.object({ place: z.string(), phases: z.array(z.string()) }).nullable(),
})
type TurnNote = z.infer<typeof noteSchema>

export async function runSession(given: MaestroWork): Promise<LoopEnd> {
  const chosen = (role: string) => given.chosen(role) ?? namedAgent(given.agents, role) ?? given.agents[0]
  const work: MaestroWork = { ...given, chosen }
  const layers = await settingLayers(join(work.root, work.folder), process.env)
  const settings = work.options.sessionSettings ?? resolveRunSettings(layers)
  const texts = work.options.settings ?? resolveSettings({ ...layers, chosen: chosenSettings(work.options) })
  requireSeen(work, texts)
  const read = readRunSettings(settings, (level, text) => work.log(level, text))
  return new SessionRun(work, { ...read, mode: work.options.mode ?? read.mode }, readSettings(texts)).run()
}

class SessionRun {
  readonly #work: MaestroWork
  readonly #settings: RunSettings
  readonly #store: SessionStore
  readonly #limits: StartLimits
  readonly #guard: RunGuard
  readonly #deps: PhaseWork
  readonly #turns: TurnStore<TurnNote>
  #openBatch: TurnNote['batch'] = null
  readonly #granted = new Set<string>()

  constructor(work: MaestroWork, settings: RunSettings, dispatch: DispatchSettings) {
    const { root, signal, announceWrite, holds } = work
    const stateDir = parentOf(parentOf(work.place))
    const turns = new TurnStore(work, noteSchema)
    this.#work = work
    this.#turns = turns
    this.#settings = settings
    this.#store = new SessionStore({ root, stateDir, signal, announceWrite, holds })
    this.#limits = new StartLimits(work)
    this.#guard = new RunGuard(work)
    const own = ownName(work.folder, stateDir)
    const observer = new TurnObserver({ work, turns, ignored: [own] })
    const { strictness } = settings
    this.#deps = {
      work,
      stateDir: own,
      strictness,
      dispatch,
      limits: this.#limits,
      guard: this.#guard,
      turns,
      observer,
      lanes: new Lanes(work.remembered, work.place),
      together: new TurnsTogether({ work, place: work.place, ignored: [own] }),
      trees: new LaneTrees({ work, ignored: [own] }),
      checks: new HostChecks(work),
      uncounted: new UncountedRuns(work),
    }
  }

  async run(): Promise<LoopEnd> {
    await this.#settle()
    await this.#begin()
    for (;;) {
      this.#work.signal.throwIfAborted()
      const run = await this.#store.read()
      const step: SessionStep = this.#openBatch
        ? { kind: 'batch', phases: this.#openBatch.phases }
        : nextStep(this.#stateOf(run))
      if (step.kind === 'rest') {
        if (await this.#work.continuesPast(step.end.outcome)) continue
        return step.end
      }
      if (step.kind === 'archive') return this.#archive()
      const end = this.#limits.check() ?? this.#guard.check(attemptsOf(run))
      if (end) return end
      if (step.kind === 'review') {
        const blocked = await this.#review(run)
        if (blocked) return blocked
      } else if (step.kind === 'run') await this.#runOne(run, step.phase)
      else {
        const rest = await this.#runSeveral(run, step.phases)
        if (rest) return rest
      }
    }
  }

  /** Answers that the session already has, or that belong to another state of it, are not used again. */
  async #settle(): Promise<void> {
    await this.#deps.observer.settle()
    const { note } = this.#turns
    if (note && note.progress === progressOf(await this.#store.read())) this.#openBatch = note.batch
    else await this.#endTurn()
    if (!this.#openBatch) await this.#deps.together.close()
  }

  async #endTurn(): Promise<void> {
    this.#turns.end(UncountedRuns.counted)
    this.#deps.lanes.clear()
    this.#openBatch = null
    await this.#deps.trees.settle('Its phase did not complete.')
  }

  async #begin(): Promise<void> {
    const run = await this.#store.read()
    if (run.phases.some(({ status }) => status !== 'pending')) {
      const { notes } = await resumePoint(run, modifiedIn(this.#work.root), run.files.candidate.folder)
      for (const note of notes) this.#work.log('warn', note)
    }
    if (this.#work.options.retriesFailed === true)
      for (const { details, status } of run.phases) if (status === 'failed') this.#granted.add(details.key)
    const { mode } = this.#settings
    const now = run.state.details.session
    if (mode === null || now?.status.value !== 'in_progress' || now.executionMode.value !== null) return
    await this.#store.change((current, values) => {
      const draft = new SessionDraft(current, values)
      draft.setTop('execution_mode', mode)
      return draft.finish(`Chose to run the phases in ${mode === 'parallel' ? 'parallel' : 'sequence'}`)
    })
  }

  #stateOf({ state, phases, needs }: MaestroRun): SessionState {
    const { session } = state.details
    const mode = session?.executionMode.value
    const values = (facts: readonly { readonly value: string | null }[]) => facts.flatMap(({ value }) => value ?? [])
    const obstacle = needs.find(({ kind, title }) => kind === 'question' || (kind === 'gate' && /design/.test(title)))
    const review = currentReview(state)
    return {
      status: session?.status.value ?? '',
      mode: mode === 'parallel' || mode === 'sequential' ? mode : null,
      maxRetries: this.#settings.maxRetries,
      obstacle: obstacle?.title ?? null,
      review: review
        ? review.verdict === 'blocked'
          ? 'blocked'
          : 'none'
        : changedCode(state.details).length > 0
          ? 'due'
          : 'none',
      archives: this.#settings.archives,
      isInWorktree: this.#work.isInWorktree,
      hasLanes: this.#deps.trees.hasLeft,
      granted: this.#granted,
      phases: phases.map(({ details, title, status }) => ({
        key: details.key,
        title,
        status: status ?? '',
        agents: values(details.agents),
        blockedBy: values(details.blockedBy),
        parallel: details.parallel.value ?? false,
        files: values(details.files.planned),
        retries: details.retries.value ?? 0,
        openError: openErrorOf(details.errors),
      })),
    }
  }

  async #runOne(run: MaestroRun, key: string): Promise<void> {
    const phase = requirePhase(run, key)
    const current = await this.#start([phase])
    this.#turns.begin({ progress: progressOf(current), batch: null })
    await this.#end([await runPhase(this.#deps, current, phase)])
  }

  async #runSeveral(run: MaestroRun, keys: readonly string[]): Promise<LoopEnd | undefined> {
    const phases = keys.map((key) => requirePhase(run, key))
    const open = this.#openBatch
    const place = open?.place ?? (await this.#batchPlace(run, keys))
    const current = await this.#start(phases)
    this.#turns.begin({ progress: progressOf(current), batch: { place, phases: [...keys] } })
    let ends: ReadonlyMap<string, PhaseChange>
    try {
      ends = await runPhases(this.#deps, current, phases, { place, continues: open !== null })
    } catch (error) {
      if (this.#work.signal.aborted || ['FORBIDDEN', 'CANCELLED'].includes(toFailure(error).code)) throw error
      return this.#fallBack(phases, `No parallel dispatch: ${toFailure(error).message}`)
    }
    this.#work.signal.throwIfAborted()
    const done = [...ends.values()]
    if (done.length > 0 && done.every(isDispatchFailure))
      return this.#fallBack(phases, 'All agents of the parallel dispatch failed.')
    await this.#end(done)
    if (done.length === phases.length) return undefined
    return (
      this.#guard.check() ?? {
        outcome: 'paused',
        message: `Paused: ${phases.length - done.length} of ${phases.length} phases of a batch are left.`,
        hint: 'Run the session again to continue.',
      }
    )
  }

  async #fallBack(phases: readonly SessionPhase[], why: string): Promise<undefined> {
    this.#work.log('warn', `${why} Running the phases one after the other.`)
    const changes = phases.map((phase): PhaseChange => ({
      phase: phase.details.key,
      errors: [
        { agent: agentOf(phase), type: 'runtime', message: why, resolution: 'Ran the phases one after the other' },
      ],
    }))
    await this.#write(changes, await this.#deps.uncounted.tokens())
    await this.#endTurn()
    return undefined
  }

  async #start(phases: readonly SessionPhase[]): Promise<MaestroRun> {
    for (const { title } of phases) this.#work.step(`Phase “${title}”`)
    for (const { details } of phases) this.#granted.delete(details.key)
    await this.#write(
      phases
        .filter(({ status }) => status !== 'in_progress')
        .map(({ details, status }) => ({
          phase: details.key,
          status: 'in_progress',
          ...(status === 'failed' ? { resolution: 'Trying again' } : {}),
        })),
      [],
    )
    return this.#store.read()
  }

  async #end(changes: readonly PhaseChange[]): Promise<void> {
    await this.#write(changes, await this.#deps.uncounted.tokens())
    await this.#endTurn()
    for (const change of changes)
      this.#work.log(
        change.status === 'failed' ? 'error' : 'info',
        `Phase ${change.phase}: ${change.status ?? ''}${change.errors?.[0] ? `: ${change.errors[0].message}` : ''}`,
      )
  }

  async #write(changes: readonly PhaseChange[], tokens: readonly TokenUse[]): Promise<void> {
    if (changes.length + tokens.length === 0) return
    const { settled } = await this.#store.change((run, values) => planChanges(run, changes, tokens, values))
    settled.catch((error: unknown) => this.#work.log('warn', toFailure(error).message))
  }

  /** Results of an earlier batch of the same phases stay where they are. */
  async #batchPlace(run: MaestroRun, keys: readonly string[]): Promise<string> {
    const id = `${idOf(run.files, run.session).value ?? 'session'}-phases-${keys.join('-')}`.replaceAll(/[^\w.-]/g, '-')
    const parallel = within(parentOf(parentOf(this.#work.place)), 'parallel')
    for (let number = 1; ; number++) {
      const place = within(parallel, number === 1 ? id : `${id}-${number}`)
      if (!(await lstat(join(this.#work.root, place)).catch(() => undefined))) return place
    }
  }

  async #review(run: MaestroRun): Promise<LoopEnd | undefined> {
    const work = this.#work
    work.step('Reviewing the changed code')
    const files = changedCode(run.state.details)
    this.#turns.begin({ progress: progressOf(run), batch: null })
    const ask = async (prompt: string) => {
      const chosen = agentFor(work, REVIEWER)
      const environment = environmentFor(work, REVIEWER)
      const { result } = await this.#deps.observer.observe({ role: REVIEWER, task: null }, (follow) =>
        work.spawn(REVIEWER, { ...chosen, prompt, purpose: REVIEWER, environment, printsOneObject: true }, { follow }),
      )
      this.#limits.count(result)
      work.signal.throwIfAborted()
      return result
    }
    const answer = await askForJson(
      () => ask(reviewPrompt(run.state.details.session?.task.value ?? '', files)),
      reviewSchema,
      (raw) => ask(repairReviewPrompt(raw)),
    )
    if (answer.kind === 'none') {
      await this.#endTurn()
      return {
        outcome: 'gate',
        message: `No readable code review (${REVIEW_SHAPE}). ${answer.result.reason}`.trim(),
        hint: 'Run the session again to have it reviewed, or archive it without.',
      }
    }
    await this.#store.change((current, values) => {
      const draft = new SessionDraft(current, values)
      logReview(draft, current.session.file, answer.value.findings, values.time)
      return draft.finish('Recorded the code review')
    })
    await this.#endTurn()
    return undefined
  }

  async #archive(): Promise<LoopEnd> {
    const { plan, settled } = await this.#store.change((run, { now }) =>
      maestro.plan(run.files, { name: 'archive', target: '', values: {}, now }),
    )
    await settled
    if (await this.#store.exists())
      throw new AppError('CONFLICT', `${this.#store.file} is there again: another program wrote it at the same time.`)
    for (const warning of plan.warnings) this.#work.log('warn', warning)
    return { outcome: 'done', message: `${plan.summary}.` }
  }
}

const ownName = (folder: string, stateDir: string): string =>
  folder === '' || !stateDir.startsWith(`${folder}/`) ? stateDir : stateDir.slice(folder.length + 1)

const isDispatchFailure = ({ status, errors }: PhaseChange): boolean =>
  status === 'failed' && (errors ?? []).every(({ type }) => type === 'runtime' || type === 'timeout')

function requirePhase({ phases }: MaestroRun, key: string): SessionPhase {
  const phase = phases.find(({ details }) => details.key === key)
  if (phase) return phase
  throw new AppError('CONFLICT', `Phase ${key} is gone from the session.`, { hint: 'Run the session again.' })
}

/** Changes with each attempt: retries of a phase have a limit of their own. */
const attemptsOf = ({ phases }: MaestroRun): string =>
  phases.map(({ status, details }) => `${details.key} ${status ?? ''} ${details.retries.value ?? 0}`).join('\n')

const progressOf = (run: MaestroRun): string =>
  JSON.stringify([attemptsOf(run), run.phases.map(({ errors }) => errors.length), currentReview(run.state) ?? null])

const openErrorOf = (errors: SessionPhase['details']['errors']): string | null => {
  const last = errors.findLast(({ resolved }) => resolved.value !== true)
  return last ? (last.type.value ?? '') : null
}
