import { readFile, realpath, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure, type Failure } from '@shared/contract/errors'
import type { LogLevel } from '@shared/contract/loops'
import type { AgentGroup } from '../../../agents/agent'
import { AgentSlots } from '../../../agents/agentSlots'
import { containedPath } from '../../../files/containedPath'
import { accept, requireAccepted } from '../../acceptedEnv'
import { Lanes } from '../../lanes'
import type { LaneTrees } from '../../laneTrees'
import type { LoopEnd } from '../../loop'
import { agentFor, environmentFor, requireProgram, type MaestroWork } from '../agentChoice'
import { extensionFolder, settingLayers } from '../stateFiles'
import { chosenSettings, foreignWords, resolveSettings, type SettingTexts } from './dispatchSettings'
import { planBatch, type BatchPlan } from './planBatch'
import { payload, readPrompt, type Prompt } from './prompts'
import { Results } from './results'
import { batchExitCode, endLine, exitCodeOf, failuresOf, summaryText, type AgentOutcome } from './summary'

export const WRITER = 'technical_writer'

interface BatchMeans {
  readonly owned?: Lanes
  readonly trees?: LaneTrees | undefined
  readonly taskOf?: (agent: string) => string | undefined
}

/** @throws AppError before anything was written or started */
export async function runBatch(work: MaestroWork, means: BatchMeans = {}): Promise<LoopEnd> {
  const { owned, trees } = means
  const { root, place, options } = work
  const folder = await batchFolder(work)
  const layers = await settingLayers(join(root, work.folder), process.env)
  const texts = options.settings ?? resolveSettings({ ...layers, chosen: chosenSettings(options) })
  const plan = await planBatch(folder, options.extension ?? extensionFolder(process.env), texts)
  requireSeen(work, texts)
  for (const prompt of plan.prompts) requireProgram(work, agentFor(work, prompt.agent).agent)
  await trees?.begin(options.resumes === true)
  const results = options.resumes ? await Results.resume(folder) : await Results.create(folder)
  const lanes = owned ?? new Lanes(work.remembered, place)
  if (!options.resumes) lanes.clear()
  const end = await new Batch({ ...means, work, folder, plan, results, lanes, readsAll: owned !== undefined }).run()
  if (!owned && end.outcome !== 'paused' && !work.signal.aborted) lanes.clear()
  return end
}

/** A person may type any folder; else it must be in the project. */
async function batchFolder({ root, place, options }: MaestroWork): Promise<string> {
  if (place === '') return root
  return options.settings && place.startsWith('../')
    ? realpath(join(root, place))
    : containedPath(place, { root, isStrict: true })
}

/** @throws AppError FORBIDDEN where the folder's `.env` adds words to command lines that the person has not accepted */
export function requireSeen({ rememberedOfFolder, options }: MaestroWork, texts: SettingTexts): void {
  const words = foreignWords(texts)
  if (options.acceptsEnv && words !== '') accept(rememberedOfFolder, words)
  requireAccepted(rememberedOfFolder, words)
}

interface BatchOptions extends Pick<BatchMeans, 'trees' | 'taskOf'> {
  readonly work: MaestroWork
  readonly folder: string
  readonly plan: BatchPlan
  readonly results: Results
  readonly lanes: Lanes
  readonly readsAll: boolean
}

class Batch {
  readonly #work: MaestroWork
  readonly #folder: string
  readonly #plan: BatchPlan
  readonly #results: Results
  readonly #lanes: Lanes
  readonly #readsAll: boolean
  readonly #trees: BatchMeans['trees']
  readonly #taskOf: BatchMeans['taskOf']
  readonly #group: AgentGroup
  readonly #outcomes = new Map<string, AgentOutcome>()
  readonly #startedAt = performance.now()
  #problem: Failure | undefined

  constructor({ work, folder, plan, results, lanes, readsAll, trees, taskOf }: BatchOptions) {
    this.#work = work
    this.#folder = folder
    this.#plan = plan
    this.#results = results
    this.#lanes = lanes
    this.#readsAll = readsAll
    this.#trees = trees
    this.#taskOf = taskOf
    const { concurrency } = plan.settings
    this.#group = { title: `batch ${basename(folder)}`, slots: new AgentSlots(() => concurrency || Infinity) }
  }

  async run(): Promise<LoopEnd> {
    this.#announce()
    const known = this.#lanes.runs
    const all = await this.#todo()
    // Agents that run already have their places before any other.
    const todo = [...all.filter(({ name }) => known.has(name)), ...all.filter(({ name }) => !known.has(name))]
    const ends: Promise<void>[] = []
    for (const [index, prompt] of todo.entries()) {
      if (this.#isHalting) break
      await new Promise<void>((onBegun) => {
        ends.push(this.#dispatch(prompt, onBegun).catch((error: unknown) => void (this.#problem ??= toFailure(error))))
      })
      if (index < todo.length - 1 && !known.has(prompt.name)) await this.#stagger()
    }
    await Promise.all(ends)
    if (this.#problem) throw new AppError('INVALID', this.#problem.message)
    return this.#end()
  }

  get #isHalting(): boolean {
    return this.#work.signal.aborted || this.#work.isPausing() || this.#problem !== undefined
  }

  #announce(): void {
    const { workFolder } = this.#work
    const log = (level: LogLevel, text: string) => this.#work.log(level, text)
    const { prompts, settings } = this.#plan
    const { model, writerModel, timeout, concurrency, stagger, extraArgs, warnings } = settings
    for (const warning of warnings) log('warn', warning)
    log('info', `Dispatching ${prompts.length} agents from ${this.#folder}`)
    log('info', `Timeout: ${timeout}m`)
    log('info', `Model: ${model ?? 'default'}`)
    if (writerModel !== null) log('info', `Writer Model: ${writerModel}`)
    log('info', `Max Concurrent: ${concurrency === 0 ? 'unlimited' : concurrency}`)
    log('info', `Stagger Delay: ${stagger}s`)
    if (extraArgs.length > 0) log('info', `Extra Args: ${extraArgs.join(' ')}`)
    log('info', `Project Root: ${workFolder}`)
  }

  async #todo(): Promise<Prompt[]> {
    if (!this.#work.options.resumes || this.#readsAll) return [...this.#plan.prompts]
    const todo: Prompt[] = []
    for (const prompt of this.#plan.prompts) {
      const { name } = prompt
      const state = await this.#results.stateOf(name)
      if (state === 'failed') this.#lanes.forget(name)
      if (state === 'done') this.#outcomes.set(name, { name, exitCode: 0 })
      else todo.push(prompt)
    }
    if (this.#outcomes.size > 0)
      this.#work.log('info', `Keeping the results of ${[...this.#outcomes.keys()].join(', ')}`)
    return todo
  }

  /** @param onBegun called once the process was started, or will certainly not be */
  async #dispatch(prompt: Prompt, onBegun: () => void): Promise<void> {
    const { name } = prompt
    try {
      const exitCode = await this.#runAgent(prompt, onBegun)
      if (exitCode === null) return
      const outcome = { name, exitCode }
      await this.#results.end(outcome)
      this.#outcomes.set(name, outcome)
      this.#work.log(exitCode === 0 ? 'info' : 'error', endLine(outcome, this.#plan.settings.timeout))
    } finally {
      onBegun()
    }
  }

  /** @returns null when it was withdrawn before it was started */
  async #runAgent(prompt: Prompt, onBegun: () => void): Promise<number | null> {
    const { pauses, signal } = this.#work
    // A pause withdraws agents that wait for a place, and leaves those that run.
    const withdrawal = new AbortController()
    const withdraw = () => withdrawal.abort()
    pauses.addEventListener('abort', withdraw, { once: true })
    const start = { hasBegun: false, isNew: false }
    try {
      const work = (await this.#trees?.workOf(this.#work.place, prompt.name, this.#work)) ?? this.#work
      const request = await this.#requestOf(prompt, work)
      const { status, exitCode } = await this.#lanes.spawn(work, prompt.name, prompt.agent, request, {
        signal: withdrawal.signal,
        follow: ({ state, reason }) => {
          if (state === 'waiting') start.isNew = true
          if (state === 'waiting' && reason !== '') this.#work.log('info', `${prompt.name}: ${reason}`)
          if (state !== 'running' || start.hasBegun) return
          start.hasBegun = true
          pauses.removeEventListener('abort', withdraw)
          if (start.isNew) this.#work.log('info', `Dispatching: ${prompt.name}`)
          onBegun()
        },
      })
      return start.hasBegun || status !== 'stopped' ? exitCodeOf(status, exitCode) : null
    } catch (error) {
      if (!start.hasBegun && signal.aborted) return null
      this.#work.log('error', `${prompt.name}: ${toFailure(error).message}`)
      return exitCodeOf('error', null)
    } finally {
      pauses.removeEventListener('abort', withdraw)
    }
  }

  async #requestOf(prompt: Prompt, { workFolder }: MaestroWork): Promise<Parameters<MaestroWork['spawn']>[1]> {
    const { file, name, agent } = prompt
    const { model, writerModel, timeout, extraArgs } = this.#plan.settings
    const chosenModel = agent === WRITER ? (writerModel ?? model) : model
    const text = readPrompt(file, await readFile(join(this.#folder, 'prompts', file)))
    return {
      ...agentFor(this.#work, agent),
      prompt: payload(workFolder, text),
      purpose: name,
      task: this.#taskOf?.(agent),
      timeLimit: timeout * 60_000,
      environment: environmentFor(this.#work, agent),
      args: extraArgs,
      printsOneObject: true,
      notesEnd: true,
      copies: await this.#results.begin(name),
      group: this.#group,
      // The agent that gave up its place may have used up the limit.
      mayStart: () => !this.#isHalting,
      ...(chosenModel === null ? {} : { model: chosenModel }),
    }
  }

  async #stagger(): Promise<void> {
    const { signal, pauses } = this.#work
    await wait(this.#plan.settings.stagger * 1000, undefined, { signal: AbortSignal.any([signal, pauses]) }).catch(
      () => undefined,
    )
  }

  async #end(): Promise<LoopEnd> {
    const { prompts, settings } = this.#plan
    const outcomes = prompts.flatMap(({ name }) => this.#outcomes.get(name) ?? [])
    const left = prompts.length - outcomes.length
    if (left > 0 && !this.#work.signal.aborted)
      return {
        outcome: 'paused',
        message: `Paused: ${left} of ${prompts.length} agents are left.`,
        hint: 'Resume the batch to dispatch them.',
      }
    await this.#results.summarise(summaryText(outcomes, performance.now() - this.#startedAt))
    const failed = failuresOf(outcomes)
    if (settings.removesPrompts && failed === 0 && left === 0)
      await rm(join(this.#folder, 'prompts'), { recursive: true, force: true })
    return {
      outcome: failed === 0 ? 'done' : 'failed',
      message: `Batch complete: ${outcomes.length - failed} succeeded, ${failed} failed.`,
      code: batchExitCode(outcomes),
    }
  }
}
