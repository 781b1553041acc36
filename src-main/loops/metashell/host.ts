/**
 * Runs a Meta-Shell session: reads session.json, decides by the table what comes next, has it done by an agent, writes what became
 * of it, and so on. Everything that it needs to go on stands in files, so that it may end anywhere and be started again.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import type { AgentResult } from '../../agents/agent'
import type { Json } from '@shared/json'
import { field, itemsOf, numberOf, plain, textOf } from '../../formats/text/located'
import type { Loop, LoopEnd, LoopWork } from '../loop'
import { planOf, type State } from '../../formats/metashell/state'
import {
  checkPlan,
  checkpointSchema,
  findJson,
  gapsOf,
  planSchema,
  researchSchema,
  summarySchema,
  verificationSchema,
  type Summary,
} from './answers'
import { checkCommits } from './commits'
import {
  follow,
  forgetOldHalt,
  newSession,
  nextStep,
  type Event,
  type Step,
  type TaskOutcome,
  type Verdict,
} from './machine'
import {
  executorMessage,
  fixerMessage,
  joinPrompt,
  orchestratorPrompt,
  plannerMessage,
  researcherMessage,
  verifierMessage,
} from './prompts'
import { PromptStore } from './promptStore'
import { rollBackTask } from './rollBack'
import { SessionFiles } from './runFiles'
import type { Snapshot, TaskState } from './snapshot'

const roles = ['researcher', 'planner', 'executor', 'verifier', 'fixer'] as const
type Role = (typeof roles)[number]

/** s, where config.json says nothing else. */
const timeouts: Readonly<Record<Role, number>> = {
  researcher: 300,
  planner: 300,
  executor: 600,
  verifier: 300,
  fixer: 120,
}
const MAX_TIMEOUT_S = 24 * 3600

/** A planner whose answer cannot be read is asked again. */
const PLAN_ATTEMPTS = 3

/** The name under which the sidecar keeps which task is being executed, and which summary of it was there before. */
const ATTEMPT = 'attempt'

/** @param personas the folder with our own, for a project that has none in `skills/` */
export const metashellLoop = (personas: string): Loop => ({
  system: 'metashell',
  roles: () => roles,
  rollBack: rollBackTask,
  run: (work) => new Host(work, personas).run(),
})

/** What a spawned agent's answer came to: an object that fits, or why there is none. */
type Answer<T> =
  | { readonly kind: 'found'; readonly value: T; readonly json: object }
  | { readonly kind: 'none'; readonly result: AgentResult }

class Host {
  readonly #work: LoopWork
  readonly #personas: string
  readonly #files: SessionFiles
  readonly #prompts: PromptStore
  #hasResearched = false
  #turns = 0
  #cost = 0

  constructor(work: LoopWork, personas: string) {
    this.#work = work
    this.#personas = personas
    this.#files = new SessionFiles(work.root, work.folder, (theirs) => void this.#keepOverwritten(theirs))
    this.#prompts = new PromptStore(join(work.own, 'prompts'))
  }

  async run(): Promise<LoopEnd> {
    await this.#begin()
    for (;;) {
      const { state, snapshot } = await this.#files.read()
      const step = nextStep({ ...snapshot, researchDone: snapshot.researchDone || this.#hasResearched })
      if (step.kind === 'rest') return step.end
      if (step.kind === 'impossible') throw new AppError('INVALID', step.message, { hint: step.hint })
      const end =
        step.kind === 'write'
          ? await this.#apply(() => step.verdict)
          : ((await this.#beforeTurn(step)) ?? (await this.#turn(step, state, snapshot)))
      if (end) return end
    }
  }

  async #begin(): Promise<void> {
    // Without it nothing starts.
    await this.#files.context()
    await this.#files.tidy()
    if (await this.#files.hasSession()) {
      const { status } = (await this.#files.read()).snapshot
      await this.#apply(forgetOldHalt)
      if (status !== 'halted')
        this.#work.log('info', `Resuming an interrupted session (status: ${status ?? 'unknown'}).`)
      return
    }
    await this.#files.createSession(newSession(randomUUID()))
    this.#work.log('info', 'Started a new session.')
  }

  /** Between two agents. */
  async #beforeTurn(step: Step): Promise<LoopEnd | undefined> {
    const { signal, isPausing, options } = this.#work
    signal.throwIfAborted()
    if (isPausing())
      return { outcome: 'paused', message: `Paused before ${describe(step)}.`, hint: 'Start it to continue.' }
    if (options.maxTurns !== undefined && this.#turns >= options.maxTurns)
      return {
        outcome: 'limit',
        message: `Stopped after ${this.#turns} agent run${this.#turns === 1 ? '' : 's'}, as requested.`,
        hint: 'Start it to continue.',
      }
    if (options.maxCost !== undefined && this.#cost >= options.maxCost)
      return {
        outcome: 'limit',
        message: `Cost limit reached: ${this.#cost.toFixed(2)} of ${options.maxCost.toFixed(2)} USD spent.`,
        hint: 'Start it to continue.',
      }
    return undefined
  }

  async #turn(
    step: Exclude<Step, { kind: 'write' | 'rest' | 'impossible' }>,
    state: State,
    snapshot: Snapshot,
  ): Promise<LoopEnd | undefined> {
    const context = await this.#files.context()
    await this.#prompts.keep('orchestrator', orchestratorPrompt(snapshot, step, context))
    switch (step.kind) {
      case 'research':
        return this.#research(state, snapshot, context)
      case 'plan':
        return this.#plan(state, snapshot, context, step.isAgain)
      case 'execute':
        return this.#execute(state, snapshot, step.task)
      case 'verify':
        return this.#verify(state, snapshot)
    }
  }

  async #research(state: State, { phase }: Snapshot, context: string): Promise<LoopEnd | undefined> {
    this.#work.step(`Researching phase ${phase}`)
    this.#hasResearched = true
    const answer = await this.#ask(
      'researcher',
      researcherMessage(phase, context),
      researchSchema,
      state,
      'A research result: {"phase_id", "knowledge": […], "recommendations": […], "risks": […]}',
    )
    if (answer.kind === 'none') {
      this.#work.log(
        'warn',
        `No research result${answer.result.reason === '' ? '' : ` (${answer.result.reason})`}; planning without it.`,
      )
      return undefined
    }
    await this.#files.writeArtefact('research.json', answer.json)
    return this.#follow({ kind: 'researched' })
  }

  async #plan(state: State, { phase }: Snapshot, context: string, isAgain: boolean): Promise<LoopEnd | undefined> {
    this.#work.step(`Planning phase ${phase}`)
    const research = await this.#files.artefact('research.json')
    const gaps = isAgain ? await this.#gaps() : []
    let problem: string | undefined
    for (let attempt = 1; attempt <= PLAN_ATTEMPTS; attempt++) {
      const answer = await this.#ask(
        'planner',
        plannerMessage(phase, context, research, gaps, problem),
        planSchema,
        state,
        'A plan: {"phase_id", "tasks": [{"id", "title", "dependencies": []}, …]}',
      )
      if (answer.kind === 'found') {
        const { tasks, problem: wrong, warnings } = checkPlan(answer.value)
        if (wrong !== undefined)
          return this.#follow({ kind: 'plan-failed', reason: 'plan_invalid', message: `${wrong}.` })
        for (const warning of warnings) this.#work.log('warn', `${warning}.`)
        await this.#files.writeArtefact(
          'plan.json',
          'phase_id' in answer.json ? answer.json : { phase_id: phase, ...answer.json },
        )
        return this.#follow({ kind: 'planned', tasks })
      }
      const { status, reason } = answer.result
      if (status === 'timeout')
        return this.#follow({
          kind: 'plan-failed',
          reason: 'plan_timeout',
          message: `The planner did not finish: ${reason}`,
        })
      if (status !== 'success')
        return this.#follow({ kind: 'plan-failed', reason: 'plan_error', message: `The planner failed: ${reason}` })
      problem = 'It held no JSON object with a list of tasks.'
      this.#work.log('warn', `No plan in the planner’s output (attempt ${attempt} of ${PLAN_ATTEMPTS}).`)
      const end = attempt < PLAN_ATTEMPTS ? await this.#beforeTurn({ kind: 'plan', isAgain }) : undefined
      if (end) return end
    }
    return this.#follow({
      kind: 'plan-failed',
      reason: 'plan_unreadable',
      message: `No readable plan from the planner after ${PLAN_ATTEMPTS} attempts.`,
    })
  }

  async #gaps(): Promise<string[]> {
    const text = await this.#files.artefact('verification.json')
    const found = text === undefined ? undefined : findJson(text, verificationSchema)
    return found && !found.value.passed ? gapsOf(found.value) : []
  }

  async #execute(state: State, snapshot: Snapshot, task: TaskState): Promise<LoopEnd | undefined> {
    const { remembered } = this.#work
    const file = `summary_${task.id}.json`
    const before = await this.#files.artefact(file)
    const attempt = remembered.get(ATTEMPT)
    let outcome: TaskOutcome | undefined
    if (
      before !== undefined &&
      attempt !== undefined &&
      attempt !== attemptOf(task.id, before) &&
      attempt.startsWith(`${task.id} `)
    ) {
      // The last host was killed between storing the answer and taking it.
      const found = findJson(before, summarySchema)
      if (found) {
        this.#work.step(`Executing Task ${task.id}: ${task.title}`)
        this.#work.log('info', `Task ${task.id} was already run; using its stored summary.`)
        outcome = await this.#judge(task.id, found.value)
      }
    }
    if (!outcome) {
      remembered.set({ [ATTEMPT]: attemptOf(task.id, before) })
      this.#work.step(`Executing Task ${task.id}: ${task.title}`)
      outcome = await this.#runTask(state, task, file, snapshot.answer)
    }
    const ended = outcome
    // Before the session: a host that ends in between runs the task once more, and never takes an old summary for a new one.
    remembered.set({ [ATTEMPT]: null })
    return this.#follow({ kind: 'task-ended', taskId: task.id, outcome: ended })
  }

  async #runTask(state: State, task: TaskState, file: string, answer: Snapshot['answer']): Promise<TaskOutcome> {
    const result = await this.#spawn(
      'executor',
      executorMessage(
        taskOf(state, task),
        answer && (answer.taskId ?? task.id) === task.id
          ? { checkpoint_id: answer.checkpoint_id, user_input: answer.user_input }
          : undefined,
      ),
      state,
      task.id,
    )
    if (result.status === 'timeout')
      return { kind: 'timeout', message: `Task ${task.id} did not finish: ${result.reason}` }
    if (result.status === 'limit')
      return { kind: 'limit', message: `Task ${task.id} reached a limit: ${result.reason}` }
    const what = `The summary of task ${task.id}: {"task_id", "status": "complete" | "failed" | "blocked", "verification_result": {…}, "commits": […], "message"}`
    const isError = result.status !== 'success'
    const checkpoint = findJson(result.data, checkpointSchema)
    const found = findJson(result.data, summarySchema)
    if (isError && (!found || found.value.status === 'complete'))
      return { kind: 'error', message: `The executor of task ${task.id} failed: ${result.reason}` }
    if (checkpoint && (!found || found.value.status === 'checkpoint'))
      return checkpointOutcome(task.id, checkpoint.value)
    const summary =
      found ??
      (await this.#repair(state, what, result.data, summarySchema)) ??
      (await this.#writtenByAgent(task.id, file))
    if (!summary) return { kind: 'unreadable', message: `No readable summary from the executor of task ${task.id}.` }
    const { value, json } = summary
    if (value.status === 'checkpoint')
      return checkpointOutcome(task.id, {
        message: value.message ?? value.notes,
        options: value.options,
        resume_id: value.resume_id,
      })
    if (value.task_id !== undefined && value.task_id !== task.id)
      return {
        kind: 'unreadable',
        message: `The executor of task ${task.id} returned a summary of task ${value.task_id.slice(0, 60)}.`,
      }
    await this.#files.writeArtefact(file, 'task_id' in json ? json : { task_id: task.id, ...json })
    return this.#judge(task.id, value)
  }

  /** A summary is a claim: its own evidence and the repository are asked. */
  async #judge(
    taskId: string,
    { status, commits, message, notes, verification_result: verification }: Summary,
  ): Promise<TaskOutcome> {
    const why = message ?? notes ?? ''
    const check = await checkCommits(this.#work.trusted(), commits ?? [], this.#work.signal)
    if (check.unknown !== undefined) this.#work.log('warn', check.unknown)
    for (const commit of check.elsewhere)
      this.#work.log('warn', `Commit ${commit} of task ${taskId} is not on the checked-out branch.`)
    const there = commits?.filter((commit) => !check.missing.includes(commit))
    switch (status) {
      case 'complete':
        if (check.missing.length > 0) {
          return {
            kind: 'commit-missing',
            commits: there ?? [],
            message: `Task ${taskId} needs a look: it reports the commit ${check.missing.join(', ')}, which does not exist.`,
          }
        }
        if (verification?.success === false)
          return {
            kind: 'failed',
            commits: there,
            message: `Task ${taskId} reports success, but its own verification failed${verification.command === undefined ? '' : `: ${verification.command}`}.`,
          }
        return { kind: 'complete', commits: there }
      case 'failed':
        return { kind: 'failed', commits: there, message: why === '' ? `Task ${taskId} failed.` : why }
      case 'timeout':
        return { kind: 'timeout', message: `Task ${taskId} timed out${why === '' ? '.' : `: ${why}`}` }
      case 'checkpoint':
      case 'blocked':
        return { kind: 'blocked', message: `Task ${taskId} is blocked${why === '' ? '.' : `: ${why}`}` }
    }
  }

  /** Some agents write their summary themselves and answer with prose. */
  async #writtenByAgent(taskId: string, file: string): Promise<{ value: Summary; json: object } | undefined> {
    const text = await this.#files.artefact(file)
    return text === undefined || attemptOf(taskId, text) === this.#work.remembered.get(ATTEMPT)
      ? undefined
      : findJson(text, summarySchema)
  }

  async #verify(state: State, { phase, plan }: Snapshot): Promise<LoopEnd | undefined> {
    this.#work.step(`Verifying phase ${phase}`)
    const planText =
      (await this.#files.artefact('plan.json')) ??
      JSON.stringify({ phase_id: phase, tasks: plan?.tasks ?? [] }, null, 2)
    const summaries: string[] = []
    for (const { id } of plan?.tasks ?? []) {
      const summary = await this.#files.artefact(`summary_${id}.json`)
      if (summary !== undefined) summaries.push(summary)
    }
    const answer = await this.#ask(
      'verifier',
      verifierMessage(planText, summaries),
      verificationSchema,
      state,
      'A verification: {"phase_id", "passed": true | false, "checks": […], "gaps": […]}',
    )
    if (answer.kind === 'none') {
      const { status, reason } = answer.result
      if (status === 'timeout')
        return this.#follow({
          kind: 'verification-failed',
          reason: 'verification_timeout',
          message: `The verifier did not finish: ${reason}`,
        })
      if (status !== 'success')
        return this.#follow({
          kind: 'verification-failed',
          reason: 'verification_error',
          message: `The verifier failed: ${reason}`,
        })
      return this.#follow({
        kind: 'verification-failed',
        reason: 'verification_unreadable',
        message: 'No readable result from the verifier.',
      })
    }
    await this.#files.writeArtefact(
      'verification.json',
      'phase_id' in answer.json ? answer.json : { phase_id: phase, ...answer.json },
    )
    return this.#follow({ kind: 'verified', passed: answer.value.passed, gaps: gapsOf(answer.value) })
  }

  /** One answer, repaired once when it holds nothing that fits. */
  async #ask<T>(role: Role, message: string, schema: z.ZodType<T>, state: State, what: string): Promise<Answer<T>> {
    const result = await this.#spawn(role, message, state)
    if (result.status !== 'success') return { kind: 'none', result }
    const found = findJson(result.data, schema) ?? (await this.#repair(state, what, result.data, schema))
    return found ? { kind: 'found', ...found } : { kind: 'none', result }
  }

  async #repair<T>(
    state: State,
    what: string,
    raw: string,
    schema: z.ZodType<T>,
  ): Promise<{ value: T; json: object } | undefined> {
    if (raw.trim() === '') return undefined
    this.#work.log('warn', 'No usable result in the agent’s output; asking the fixer.')
    const { status, data } = await this.#spawn('fixer', fixerMessage(what, raw), state)
    return status === 'success' ? findJson(data, schema) : undefined
  }

  async #spawn(role: Role, message: string, state: State, taskId?: string): Promise<AgentResult> {
    const persona = (await this.#files.persona(role)) ?? (await readFile(join(this.#personas, `${role}.md`), 'utf8'))
    const prompt = joinPrompt(persona, message)
    await this.#prompts.keep(taskId === undefined ? role : `${role}-${taskId}`, prompt)
    this.#turns++
    const purpose = taskId === undefined ? role : `${role} ${taskId}`
    const result = await this.#work.spawn(role, { prompt, purpose, timeLimit: this.#timeLimit(state, role) })
    this.#cost += result.cost ?? 0
    this.#work.signal.throwIfAborted()
    if (result.status === 'stopped')
      throw new AppError('CANCELLED', `The ${role} was stopped.`, { hint: 'Start the run to continue.' })
    const used = [
      `${(result.duration / 1000).toFixed(1)} s`,
      ...(result.tokens === null ? [] : [`${result.tokens} tokens`]),
      ...(result.cost === null ? [] : [`${result.cost.toFixed(2)} USD`]),
    ]
    this.#work.log(
      'info',
      `The ${role} ended: ${result.status === 'success' ? 'success' : `${result.status}, ${result.reason}`} (${used.join(', ')}).`,
    )
    if (result.stillAlive.length > 0)
      this.#work.log('error', `The ${role} is still running: process ${result.stillAlive.join(', ')}.`)
    return result
  }

  /** ms */
  #timeLimit({ config }: State, role: Role): number {
    const configured = numberOf(field(field(config?.root, 'timeouts'), role))
    const seconds =
      configured !== undefined && configured > 0 && configured <= MAX_TIMEOUT_S ? configured : timeouts[role]
    return Math.min(seconds * 1000, this.#work.options.turnTime ?? Infinity)
  }

  #follow(event: Event): Promise<LoopEnd | undefined> {
    return this.#apply((session) => follow(session, event))
  }

  async #apply(decide: (session: Snapshot) => Verdict): Promise<LoopEnd | undefined> {
    const { log, end } = await this.#files.update(decide)
    for (const { level, text } of log) this.#work.log(level, text)
    return end
  }

  /** Neither version is lost: ours stands, theirs is kept beside. */
  async #keepOverwritten(theirs: string | undefined): Promise<void> {
    if (theirs === undefined) {
      this.#work.log('warn', 'Another program replaced session.json at the same moment; its changes are lost.')
      return
    }
    const kept = join(this.#work.own, `session-${Date.now()}.json`)
    await writeFile(kept, theirs, { mode: 0o600 })
    this.#work.log('warn', `Another program wrote session.json at the same moment; its version is kept as ${kept}.`)
  }
}

/** The task's id, and which summary of it was there. */
const attemptOf = (taskId: string, summary: string | undefined): string =>
  `${taskId} ${summary === undefined ? 'none' : createHash('sha256').update(summary).digest('hex')}`

/** As plan.json has it, with all that the planner wrote for the executor; else as the session does. */
function taskOf(state: State, { id, title, dependencies }: TaskState): Json {
  const planned = itemsOf(field(planOf(state)?.document.root, 'tasks')).find((task) => textOf(field(task, 'id')) === id)
  return planned ? (plain(planned) as Json) : { id, title, dependencies: [...dependencies] }
}

const checkpointOutcome = (
  taskId: string,
  {
    message,
    options,
    resume_id,
  }: { message?: string | undefined; options?: string[] | undefined; resume_id?: string | undefined },
): TaskOutcome => ({
  kind: 'checkpoint',
  checkpoint: {
    resume_id: resume_id ?? null,
    message: message ?? 'The task needs a decision.',
    options: options ?? [],
    task_id: taskId,
  },
})

function describe(step: Step): string {
  return step.kind === 'execute'
    ? `task ${step.task.id}`
    : step.kind === 'plan'
      ? 'planning'
      : step.kind === 'verify'
        ? 'the verification'
        : 'the research'
}
