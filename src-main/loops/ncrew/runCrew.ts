import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import type { LoopOptions } from '@shared/contract/loopOptions'
import type { LogLevel } from '@shared/contract/loops'
import { listNames } from '@shared/listNames'
import { SEE_LOG } from '@shared/seeLog'
import { turnRecords } from '@shared/turnRecord'
import { z } from 'zod'
import type { AgentResult } from '../../agents/agent'
import { removeAbandoned } from '../../files/stagedWrite'
import { failureOf, HostChecks } from '../hostChecks'
import { describeResult, dollars, StartLimits } from '../limits'
import { withLock } from '../lock'
import type { LoopWork } from '../loop'
import { noAgent } from '../noAgent'
import { holdRun, RunGuard, type HeldEnd } from '../runGuard'
import { TurnObserver, type ObservedTurn } from '../turnObserver'
import { TurnStore } from '../turnStore'
import { uncommittedEnd } from '../uncommitted'
import { gateName, gatesOf, reachedAt } from '../../formats/ncrew/gates'
import { slug } from '../../formats/ncrew/heading'
import type { State } from '../../formats/ncrew/state'
import { changesSeen, lostTasks } from './changesSeen'
import { readCrew, type Crew } from './crewFiles'
import { crewLimits, crewUsage, type CrewLimits, type CrewUsage } from './crewLimits'
import { checkedTasks, openGateNames, progressOf } from './progress'
import { keepOutOfCommits, ownFolder } from './ownFolder'
import { agentFor, llmOf, resolve, type Turn } from './resolve'
import { checkTermination } from './termination'
import { countersOf } from './track'
import { TurnLog, type LogWord } from './turnLog'
import { turnPrompt } from './turnPrompt'
import { endWithoutCommits } from './withoutCommits'
import { writeIndex } from './writeIndex'

export interface CrewOptions extends LoopOptions<'ncrew'> {
  readonly retries?: number
  /** ms before the first retry; each further one waits as much longer. */
  readonly retryPause?: number
  readonly now?: () => number
}

/**
 * ncrew's codes: 0 done, 10 a question waits, 11 a gate waits, 20 and 21 a limit, 22 a run that repeats itself, 100 it
 * could continue (paused, or the requested turns are done), 99 an error while it ran, 130 stopped. For what is not set
 * up: 2 every task is checked but nobody created CREW_COMPLETE, 3 no expert for the phase, 4 no agent, 5 no crew or no
 * tasks.
 */
export interface CrewEnd {
  readonly code: number
  readonly message: string
  readonly hint?: string
}

const DEFAULT_RETRIES = 2
const RETRY_PAUSE_MS = 2_000
/** A sidecar key: USD below what INDEX.md has decimals for. */
const REMAINDER = 'cost remainder'

const turnNoteSchema = z.object({
  iteration: z.number().nullable(),
  cost: z.number().nullable(),
  openGates: z.array(z.string()),
  wasLaunched: z.boolean().optional(),
})
type TurnNote = z.infer<typeof turnNoteSchema>

/** @throws AppError when somebody else runs the crew, or its folder cannot be read or written */
export async function runCrew(work: LoopWork, options: CrewOptions = {}): Promise<CrewEnd> {
  const crew = await readCrew(join(work.root, work.folder), () => () => work.remembered, work.signal)
  if (!crew) return noCrew(join(work.root, work.folder))
  await keepOutOfCommits(crew.root)
  const lock = join(await ownFolder(crew.root, '.noodlecrew'), '.lock')
  return withLock(lock, { subject: 'The crew' }, async (left) => {
    for (const folder of [crew.root, join(crew.root, '.noodlecrew')]) await removeAbandoned(folder)
    if (left)
      work.log(
        'warn',
        `The previous run (process ${left.pid}${left.since === undefined ? '' : `, since ${left.since}`}) ended unexpectedly; its lock was taken over.`,
      )
    return new CrewRun(work, options).run(crew)
  })
}

export const noCrew = (folder: string): CrewEnd => ({
  code: 5,
  message: `No crew in ${folder}.`,
  hint: 'Run ncrew init to create one.',
})

class CrewRun {
  readonly #work: LoopWork
  readonly #options: CrewOptions
  readonly #now: () => number
  readonly #turns: TurnStore<TurnNote>
  readonly #observer: TurnObserver
  readonly #startLimits: StartLimits
  readonly #guard: RunGuard
  readonly #checks: HostChecks
  #failures = 0
  #hasAskedForEnd = false
  #remainder: number
  /**
   * The least that counts as used: an expert that resets the counters of INDEX.md gets no more than the person allowed.
   */
  #atLeast: CrewUsage = { iterations: 0, cost: 0 }

  constructor(work: LoopWork, options: CrewOptions) {
    this.#work = work
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#turns = new TurnStore(work, turnNoteSchema)
    this.#observer = new TurnObserver({ work, turns: this.#turns })
    this.#remainder = Number(work.remembered.get(REMAINDER) ?? 0)
    this.#startLimits = new StartLimits({ options, isPausing: work.isPausing })
    this.#guard = new RunGuard(work)
    this.#checks = new HostChecks({ ...work, options })
  }

  async run(start: Crew): Promise<CrewEnd> {
    const { remembered } = this.#work
    let crew = await this.#reconcile(start)
    this.#atLeast = crewUsage(crew.state)
    for (;;) {
      const limits = crewLimits(crew.state, this.#options)
      const verdict = checkTermination(crew.state, this.#used(crew.state), limits, remembered)
      if (verdict.code !== 100) {
        const end = await this.#verified(verdict)
        if (!(await this.#continuesPast(end))) return end
        crew = await this.#reread(crew)
        continue
      }
      if (this.#isStopped) return stopped
      const rest = this.#startLimits.check()
      if (rest) return { code: 100, message: rest.message, hint: rest.hint }
      const held = this.#guard.check(progressOf(crew.state))
      if (held) return crewEnd(held)
      const dirty = await uncommittedEnd(this.#work)
      if (dirty) return { code: 10, message: dirty.message, hint: dirty.hint }
      const resolution = resolve(crew.state)
      if ('code' in resolution) return resolution
      const { turn } = resolution
      if (turn.task === undefined && this.#hasAskedForEnd) {
        return {
          code: 2,
          message: 'Every task is checked, but no expert created CREW_COMPLETE.',
          hint: 'Add a task, or create the empty file CREW_COMPLETE yourself.',
        }
      }
      const { end, crew: after } = await this.#turn(crew, turn, limits)
      this.#hasAskedForEnd = turn.task === undefined && this.#failures === 0
      if (end && !(await this.#continuesPast(end))) return end
      crew = end ? await this.#reread(after) : after
    }
  }

  async #reconcile(crew: Crew): Promise<Crew> {
    const { note, openTurn, lastAnswer } = this.#turns
    const wasLaunched = note?.wasLaunched === true || lastAnswer !== undefined || (openTurn?.run ?? null) !== null
    if (note && wasLaunched) this.#turns.begin({ ...note, wasLaunched })
    const result = await this.#observer.settle()
    if (!note) return crew
    if (!wasLaunched) {
      this.#turns.end()
      return crew
    }
    this.#work.log('warn', 'The last turn was interrupted before it was recorded; its changes are kept.')
    if (result) this.#startLimits.count(result)
    const { crew: after } = await this.#note(await this.#reread(crew), note, result?.cost ?? null)
    const { task } = turnRecords(this.#work.remembered).at(-1) ?? {}
    await this.#checkDone(checkedTasks(after.state).filter((key) => key === task))
    return after
  }

  /** Uses the person's own command; a failure holds the crew. */
  async #checkDone(done: readonly string[]): Promise<CrewEnd | undefined> {
    const failure = failureOf('The check', await this.#checks.checkOwn(done, true))
    return failure === null ? undefined : crewEnd(this.#guard.hold('check', `${failure}.`))
  }

  async #turn(crew: Crew, turn: Turn, limits: CrewLimits): Promise<{ end?: CrewEnd; crew: Crew }> {
    const work = this.#work
    const agent = this.#agentOf(crew.state, turn)
    if ('code' in agent) return { end: agent, crew }
    const log = await TurnLog.create(crew.root, this.#now)
    const say = async (word: LogWord, text: string) => {
      work.log(levels[word], text)
      await log.say(word, text)
    }
    try {
      const { role } = turn.expert
      const phase = slug(turn.phase.name)
      const what = turn.task ?? 'say that the crew is done'
      await say('INFO', `Starting iteration ${this.#used(crew.state).iterations + 1}/${limits.maxIterations}`)
      work.step(`${role}, ${phase}: ${what}`)
      await log.say('INFO', `Phase ${phase}, expert ${role}: ${what}`)
      if (agent.note) await say('WARN', agent.note)
      const prompt = await turnPrompt(crew, turn)
      const before: TurnNote = { ...countersOf(crew.state), openGates: openGateNames(crew.state) }
      this.#turns.begin(before)
      const launched = await this.#launch(turn, { ...agent, prompt })
      if ('code' in launched) {
        this.#turns.end()
        await say('ERROR', launched.message)
        return { end: launched, crew }
      }
      const { result, record, hasChanged } = launched
      this.#startLimits.count(result)
      this.#guard.noteTurn(result, hasChanged)
      await say(result.status === 'success' ? 'INFO' : 'ERROR', describeResult(result.agent ?? agent.agent, result))
      await log.answer(result.data)
      const noted = await this.#note(await this.#reread(crew), before, result.cost)
      const after = noted.crew
      if (noted.problem !== undefined) await say('WARN', `Cannot write INDEX.md: ${noted.problem}`)
      for (const [word, text] of changesSeen(crew.state, after.state, result, record)) await say(word, text)
      const used = this.#used(after.state)
      await say(
        'INFO',
        `${used.iterations}/${limits.maxIterations} iterations, ${dollars(used.cost)} of ${dollars(limits.maxCost)}`,
      )
      const known = checkedTasks(crew.state)
      const failed =
        result.status === 'success'
          ? await this.#checkDone(checkedTasks(after.state).filter((key) => !known.includes(key)))
          : undefined
      const end = failed ?? (await this.#endAfter(result, crew.state, after.state, limits))
      if (end) await log.say(end.code === 0 ? 'INFO' : 'WARN', end.message)
      return { ...(end ? { end } : {}), crew: after }
    } finally {
      await log.close()
    }
  }

  async #launch(
    { expert: { role }, phase, task, taskKey }: Turn,
    { prompt, agent, model }: { prompt: string; agent: string; model?: string },
  ): Promise<ObservedTurn | CrewEnd> {
    const timeLimit = this.#startLimits.turnTime()
    const purpose = `${role}, ${phase.key}${task === undefined ? '' : `: ${task}`}`.slice(0, 200)
    try {
      return await this.#observer.observe({ role, task: taskKey ?? null, taskTitle: task, timeLimit }, (follow) =>
        this.#work.spawn(
          role,
          {
            agent,
            prompt,
            purpose,
            task: taskKey,
            ...(model === undefined ? {} : { model }),
            ...(timeLimit === undefined ? {} : { timeLimit }),
          },
          { follow },
        ),
      )
    } catch (error) {
      if (this.#isStopped) return stopped
      if (!(error instanceof AppError)) throw error
      const { message, hint } = toFailure(error)
      return { code: 4, message, ...(hint === undefined ? {} : { hint }) }
    }
  }

  #agentOf(
    state: State,
    { expert }: Turn,
  ): { readonly agent: string; readonly model?: string; readonly note?: string } | CrewEnd {
    const { agents, chosen } = this.#work
    const choice = chosen(expert.role)
    if (choice !== undefined) return { agent: choice }
    const llm = llmOf(state, expert, this.#options.llm)
    const [only, ...others] = agents
    if (only === undefined) return { code: 4, ...noAgent }
    const named = llm === undefined ? undefined : agentFor(llm, agents)
    if (named) return named
    if (others.length === 0)
      return {
        agent: only,
        ...(llm === undefined
          ? {}
          : { note: `The crew asks for “${llm}”, which is not set up; ${only} is the only agent.` }),
      }
    return {
      code: 4,
      message:
        llm === undefined
          ? `No agent is assigned to ${expert.role}.`
          : `${expert.role} needs the agent “${llm}”, which is not set up.`,
      hint: `Choose one: ${agents.join(', ')}.`,
    }
  }

  async #note(crew: Crew, before: TurnNote, cost: number | null): Promise<{ crew: Crew; problem: string | undefined }> {
    const written = await writeIndex(crew, before, cost === null ? null : cost + this.#remainder, this.#work)
    if (cost !== null) this.#remainder = written.remainder
    this.#atLeast = {
      iterations: Math.max(this.#atLeast.iterations + 1, crewUsage(written.crew.state).iterations),
      cost: this.#atLeast.cost + (cost ?? 0),
    }
    const reached = gatesOf(written.crew.state).filter(
      ({ phase }) => phase.derived === 'COMPLETE' && before.openGates.includes(gateName(phase)),
    )
    this.#turns.end({
      ...Object.fromEntries(reached.map(({ phase }) => [gateName(phase), reachedAt(this.#now())])),
      [REMAINDER]: this.#remainder === 0 ? null : String(this.#remainder),
    })
    return written
  }

  async #endAfter(result: AgentResult, before: State, state: State, limits: CrewLimits): Promise<CrewEnd | undefined> {
    const { signal, remembered } = this.#work
    if (result.stillAlive.length > 0)
      return this.#failed(
        `The expert is still running: process ${result.stillAlive.join(', ')}.`,
        'End it before the next turn, so that two experts do not write at once.',
      )
    const lost = state.complete === undefined ? lostTasks(before, state) : []
    if (lost.length > 0)
      return crewEnd(
        this.#guard.hold(
          'lost-tasks',
          `The turn took ${lost.length} open task${lost.length === 1 ? '' : 's'} off the list: ${listNames(lost)}.`,
        ),
      )
    const verdict = checkTermination(state, this.#used(state), limits, remembered)
    if (verdict.code !== 100) return this.#verified(verdict)
    if (this.#isStopped) return stopped
    if (result.status === 'stopped')
      return { code: 130, message: 'The expert was stopped.', hint: 'Run it again to continue.' }
    if (result.status === 'success') {
      this.#failures = 0
      return undefined
    }
    const retries = this.#options.retries ?? DEFAULT_RETRIES
    if (this.#failures >= retries)
      return this.#failed(
        `The expert failed ${this.#failures + 1} times in a row: ${result.reason}`,
        `${SEE_LOG} Then run it again.`,
      )
    this.#failures++
    this.#work.log('warn', `Retry ${this.#failures} of ${retries}.`)
    const isStopped = await wait((this.#options.retryPause ?? RETRY_PAUSE_MS) * this.#failures, undefined, {
      signal,
    }).then(
      () => false,
      () => true,
    )
    return isStopped ? stopped : undefined
  }

  async #verified(verdict: CrewEnd): Promise<CrewEnd> {
    const held = verdict.code === 0 ? await endWithoutCommits(this.#work) : undefined
    return held ? crewEnd(held) : verdict
  }

  /** The crew's files do not say that it failed, so the inbox does. */
  #failed(message: string, hint: string): CrewEnd {
    holdRun(this.#work.holds, 'failed', message)
    return { code: 99, message, hint }
  }

  #continuesPast({ code }: CrewEnd): Promise<boolean> {
    return this.#work.continuesPast(code === 10 ? 'waiting' : code === 11 ? 'gate' : 'paused')
  }

  async #reread(crew: Crew): Promise<Crew> {
    const again = await readCrew(crew.root, () => () => this.#work.remembered, new AbortController().signal)
    if (!again)
      throw new AppError('NOT_FOUND', `The crew in ${crew.root} is gone.`, {
        hint: 'An expert may have deleted it; restore it from git.',
      })
    return again
  }

  get #isStopped(): boolean {
    return this.#work.signal.aborted
  }

  #used(state: State): CrewUsage {
    const recorded = crewUsage(state)
    return {
      iterations: Math.max(recorded.iterations, this.#atLeast.iterations),
      cost: Math.max(recorded.cost, this.#atLeast.cost),
    }
  }
}

const crewEnd = ({ code, message, hint }: HeldEnd): CrewEnd => ({ code, message, hint })

const stopped: CrewEnd = { code: 130, message: 'Stopped.', hint: 'Run it again to continue.' }

const levels: Readonly<Record<LogWord, LogLevel>> = { INFO: 'info', WARN: 'warn', ERROR: 'error' }
