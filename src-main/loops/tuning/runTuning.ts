/** Everything needed to continue stands in files, so that the run may end anywhere. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { counted } from '@shared/countedText'
import { AppError } from '@shared/contract/errors'
import type { LoopOptions } from '@shared/contract/loopOptions'
import { entriesOf, plain } from '../../formats/text/located'
import {
  isAsked,
  planBegin,
  planEnd,
  planFailure,
  planStep,
  stepLabel,
  type Step,
} from '../../formats/tuning/actions/steps'
import type { TuningState } from '../../formats/tuning/state'
import type { LoopEnd, LoopWork } from '../loop'
import { TuningAgents } from './askAgent'
import { ANALYSIS, nextStep, type StartState } from './nextStep'
import { snapshotOf, type Snapshot } from './snapshot'
import { CONTINUE, stepLimit } from './stepLimit'
import { TuningFiles } from './tuningFiles'

export type TuningWork = LoopWork<LoopOptions<'tuning'>>

const MAX_ATTEMPTS = 3

export const runTuning = (work: TuningWork): Promise<LoopEnd> => new TuningLoop(work).run()

class TuningLoop {
  readonly #work: TuningWork
  readonly #files: TuningFiles
  readonly #agents: TuningAgents
  readonly #undecided = new Set<string>()
  readonly #asked = new Set<string>()
  readonly #attempts = new Map<string, number>()
  #resumes: boolean
  #idleRounds = 0
  #passedBefore: number | undefined
  #last = ''

  constructor(work: TuningWork) {
    this.#work = work
    this.#agents = new TuningAgents(work)
    this.#files = new TuningFiles(work, (file, theirs) => void this.#keepOverwritten(file, theirs))
    this.#resumes = work.options.resumes ?? false
  }

  async run(): Promise<LoopEnd> {
    const { options, signal, chosen, remembered } = this.#work
    await this.#agents.settle()
    for (let steps = 0; ; steps++) {
      signal.throwIfAborted()
      const state = await this.#files.state()
      const snapshot = snapshotOf(state, remembered)
      if (steps === 0) this.#noteStart(state, snapshot)
      const next = nextStep(snapshot, {
        isAuto: options.auto ?? false,
        resumes: this.#resumes,
        undecided: this.#undecided,
        hasFixer: chosen('fixer') !== undefined,
        analyst: this.#analyst(),
        asked: this.#asked,
        answered: this.#agents.answered,
        idleRounds: this.#idleRoundsNow(state),
      })
      if ('end' in next) return next.end
      const end =
        this.#endBefore(steps) ??
        (isAsked(next.step) ? this.#agents.check(hashOf(state)) : undefined) ??
        this.#endOfCircle(state, next.step) ??
        (await this.#perform(next.step, state))
      if (end) return end
    }
  }

  #analyst(): StartState['analyst'] {
    const { options, chosen } = this.#work
    if (chosen('analyst') === undefined) return 'none'
    return options.analyses === true || options.agent === undefined ? 'asked' : 'there'
  }

  #noteStart({ details: { currentAction } }: TuningState, { wantsAnalysis, isDeeplyAnalysed }: Snapshot): void {
    if (wantsAnalysis && !isDeeplyAnalysed && this.#analyst() === 'none')
      this.#work.log('info', 'The focus asks for an analysis by an agent; skipped, as none is chosen as the analyst.')
    if (currentAction.value !== null)
      this.#work.log('warn', `${currentAction.value} was interrupted. It is carried out again where it is needed.`)
  }

  #endBefore(steps: number): LoopEnd | undefined {
    const { options, isPausing } = this.#work
    if (isPausing()) return { outcome: 'paused', message: `Paused after ${counted(steps, 'step')}.`, hint: CONTINUE }
    return stepLimit(steps, options.maxSteps)
  }

  /** A step that follows itself on the same state would do so for ever. */
  #endOfCircle(state: TuningState, step: Step): LoopEnd | undefined {
    const now = `${keyOf(step)} ${hashOf(state)}`
    const isSame = now === this.#last
    this.#last = now
    return isSame
      ? { outcome: 'breaker', message: `${stepLabel(step)} changed nothing.`, hint: 'Check state.json and the skill.' }
      : undefined
  }

  async #perform(step: Step, state: TuningState): Promise<LoopEnd | undefined> {
    this.#work.step(stepLabel(step))
    const startedAt = Date.now()
    try {
      await this.#files.write(step, (files) => planBegin(files, step, Date.now()))
      const asked = isAsked(step) ? await this.#agents.ask(step, () => this.#files.read(step)) : undefined
      if (asked && 'refused' in asked) {
        await this.#noteRefused(step, asked.refused)
        this.#agents.endTurn()
        return undefined
      }
      const plan = await this.#files.write(step, (files) =>
        planStep(files, step, { now: Date.now(), startedAt }, asked?.answer),
      )
      if (asked) this.#agents.endTurn()
      if (plan.changes.length === 0) {
        this.#undecided.add(step.target)
        await this.#files.write(step, (files) => planEnd(files, Date.now()))
      }
      this.#work.log('info', `${plan.summary}.`)
      for (const note of plan.notes ?? []) this.#work.log('info', note)
      for (const warning of plan.warnings) this.#work.log('warn', warning)
    } catch (error) {
      this.#work.signal.throwIfAborted()
      if (!(error instanceof AppError)) throw error
      if (isAsked(step)) this.#agents.endTurn()
      return this.#fail(step, error, startedAt)
    }
    if (step.name === 'resume') this.#resumes = false
    if (step.name === 'continue') this.#beginRound(state)
    return undefined
  }

  async #noteRefused(step: Step, reason: string): Promise<void> {
    this.#asked.add(step.name === 'analyse' ? ANALYSIS : step.target)
    this.#work.log('warn', `${stepLabel(step)} led to nothing: ${reason}`)
    await this.#files.write(step, (files) => planEnd(files, Date.now()))
  }

  async #fail(step: Step, { code, message, hint }: AppError, startedAt: number): Promise<LoopEnd | undefined> {
    const attempt = (this.#attempts.get(keyOf(step)) ?? 0) + 1
    this.#attempts.set(keyOf(step), attempt)
    const recoverable = ['BUSY', 'TIMEOUT', 'LOST'].includes(code)
    await this.#files.write(step, (files) =>
      planFailure(files, step, { message, recoverable }, { now: Date.now(), startedAt }),
    )
    this.#work.log('error', `${stepLabel(step)} failed: ${message}`)
    if ((recoverable && attempt < MAX_ATTEMPTS) || step.name === 'apply-fix') return undefined
    return { outcome: 'failed', message, ...(hint === undefined ? {} : { hint }) }
  }

  #idleRoundsNow(state: TuningState): number {
    const passed = passedFixes(state)
    this.#passedBefore ??= passed
    return passed > this.#passedBefore ? 0 : this.#idleRounds + 1
  }

  #beginRound(state: TuningState): void {
    this.#idleRounds = this.#idleRoundsNow(state)
    this.#passedBefore = passedFixes(state)
  }

  /** Neither version is lost: ours stays in place, theirs goes to our folder. */
  async #keepOverwritten(file: string, theirs: string | undefined): Promise<void> {
    if (theirs === undefined) {
      this.#work.log('warn', `Another program replaced ${file} at the same moment; its changes are lost.`)
      return
    }
    const kept = join(this.#work.own, `${Date.now()}-${basename(file)}`)
    await writeFile(kept, theirs, { mode: 0o600 })
    this.#work.log('warn', `Another program wrote ${file} at the same moment; its version is kept as ${kept}.`)
  }
}

const keyOf = ({ name, target }: Step): string => `${name} ${target}`

const passedFixes = ({ details: { fixes } }: TuningState): number =>
  fixes.filter(({ applied }) => applied.at(-1)?.verification.value === 'pass').length

const volatile: ReadonlySet<string> = new Set(['updated_at', 'current_action', 'action_history', 'completed_actions'])

const hashOf = ({ root }: TuningState): string =>
  createHash('sha256')
    .update(JSON.stringify(entriesOf(root).flatMap(([name, node]) => (volatile.has(name) ? [] : [name, plain(node)]))))
    .digest('hex')
