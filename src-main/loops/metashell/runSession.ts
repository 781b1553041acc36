/** Everything needed to continue stands in files, so the loop may end anywhere and be started again. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { LoopOptions } from '@shared/contract/loopOptions'
import { checkRecord, describeCheck, keepCheck } from '../../formats/hostChecks'
import { openChecks } from '../../formats/metashell/checkCommands'
import type { State } from '../../formats/metashell/state'
import { findJson } from '../askForJson'
import { HostChecks } from '../hostChecks'
import { StartLimits } from '../limits'
import type { LoopEnd, LoopWork } from '../loop'
import { shortNames } from '../lostWork'
import { TurnObserver } from '../turnObserver'
import { RunGuard } from '../runGuard'
import { TurnStore } from '../turnStore'
import { uncommittedEnd } from '../uncommitted'
import { checkPlan, gapsOf, planSchema, researchSchema, verificationSchema } from './answers'
import { applyEvent, type Event } from './applyEvent'
import { attemptSchema, executeTask, summaryFile } from './executeTask'
import { clearOldHalt, newSession, nextStep, type AgentStep } from './nextStep'
import { orchestratorPrompt, plannerMessage, researcherMessage, verifierMessage } from './prompts'
import { RoleAgents } from './roleAgents'
import { SessionFiles } from './sessionFiles'
import type { Change } from './keyPath'
import type { Snapshot, TaskState } from './snapshot'
import type { Verdict } from './verdict'

/** A planner whose answer cannot be read is asked again. */
const PLAN_ATTEMPTS = 3

/** A session variable: the run of the last agent whose answer was applied. */
const LAST_TURN = 'last_turn'

type SessionWork = LoopWork<LoopOptions<'metashell'>>

export const runSession = (work: SessionWork, personas: string): Promise<LoopEnd> =>
  new SessionRun(work, personas).run()

class SessionRun {
  readonly #work: SessionWork
  readonly #files: SessionFiles
  readonly #turns: TurnStore<{ readonly task: string; readonly summaryHash: string | null }>
  readonly #limits: StartLimits
  readonly #guard: RunGuard
  readonly #agents: RoleAgents
  readonly #observer: TurnObserver
  readonly #checks: HostChecks
  #researchedPhase: string | undefined

  constructor(work: SessionWork, personas: string) {
    const files = new SessionFiles(work, (theirs) => void this.#keepOverwritten(theirs))
    const turns = new TurnStore(work, attemptSchema)
    const limits = new StartLimits(work)
    this.#work = work
    this.#files = files
    this.#turns = turns
    this.#limits = limits
    this.#guard = new RunGuard(work)
    this.#checks = new HostChecks(work)
    this.#observer = new TurnObserver({
      work,
      turns,
      ignored: ['.meta'],
      file: async ({ role, task, commits }) => {
        if (commits.length === 0) return
        if (task !== null)
          await this.#write((session) => applyEvent(session, { kind: 'committed', taskId: task, commits }))
        else work.log('warn', `The ${role} committed: ${shortNames(commits)}.`)
      },
    })
    this.#agents = new RoleAgents({
      work,
      files,
      turns,
      observer: this.#observer,
      limits,
      guard: this.#guard,
      personas,
    })
  }

  async run(): Promise<LoopEnd> {
    await this.#begin()
    for (;;) {
      const { state, snapshot } = await this.#files.read()
      const step = nextStep({
        ...snapshot,
        researchDone: snapshot.researchDone || this.#researchedPhase === snapshot.phase,
      })
      if (step.kind === 'impossible') throw new AppError('INVALID', step.message, { hint: step.hint })
      const end =
        step.kind === 'rest'
          ? step.end
          : step.kind === 'write'
            ? await this.#write(() => step.verdict)
            : ((await this.#endBefore(step, snapshot, state)) ?? (await this.#turn(step, state, snapshot)))
      if (end && !(await this.#work.continuesPast(end.outcome))) return end
    }
  }

  async #begin(): Promise<void> {
    await this.#files.context()
    await this.#files.tidy()
    if (await this.#files.hasSession()) {
      const { lastAnswer } = this.#turns
      const { status, variables } = (await this.#files.read()).snapshot
      if (lastAnswer && lastAnswer.run === variables.get(LAST_TURN)) this.#turns.end()
      await this.#observer.settle()
      await this.#write(clearOldHalt)
      if (status !== 'halted')
        this.#work.log('info', `Resuming an interrupted session (status: ${status ?? 'unknown'}).`)
      return
    }
    await this.#files.createSession(newSession(randomUUID()))
    this.#work.log('info', 'Started a new session.')
  }

  async #endBefore(step: AgentStep, session: Snapshot, state: State): Promise<LoopEnd | undefined> {
    this.#work.signal.throwIfAborted()
    const end = this.#limits.check(nameOf(step)) ?? this.#guard.check(progressOf(session))
    const asked = step.kind === 'execute' ? this.#checks.endBefore(openChecks(state)) : undefined
    return end ?? asked ?? uncommittedEnd(this.#work)
  }

  async #turn(step: AgentStep, state: State, snapshot: Snapshot): Promise<LoopEnd | undefined> {
    const context = await this.#files.context()
    await this.#turns.keepPrompt('orchestrator', orchestratorPrompt(snapshot, step, context))
    switch (step.kind) {
      case 'research':
        return this.#research(state, snapshot, context)
      case 'plan':
        return this.#plan(state, snapshot, context, step)
      case 'execute':
        return this.#execute(state, snapshot, step.task)
      case 'verify':
        return this.#verify(state, snapshot)
    }
  }

  async #research(state: State, { phase }: Snapshot, context: string): Promise<LoopEnd | undefined> {
    this.#work.step(`Researching phase ${phase}`)
    this.#researchedPhase = phase
    const answer = await this.#agents.ask(
      'researcher',
      researcherMessage(phase, context),
      researchSchema,
      state,
      'A research result: {"phase_id", "knowledge": […], "recommendations": […], "risks": […]}',
    )
    if (answer.kind === 'none') {
      const { reason } = answer.result
      this.#work.log('warn', `No research result${reason === '' ? '' : ` (${reason})`}; planning without it.`)
      return undefined
    }
    await this.#files.writeArtefact('research.json', answer.json)
    return this.#apply({ kind: 'researched' })
  }

  async #plan(
    state: State,
    session: Snapshot,
    context: string,
    step: AgentStep & { readonly kind: 'plan' },
  ): Promise<LoopEnd | undefined> {
    const { phase, answer, givenAnswers } = session
    this.#work.step(`Planning phase ${phase}`)
    const research = await this.#files.artefact('research.json')
    const last = step.isAgain ? await this.#lastPlan(session) : undefined
    const answers = answer ? [...givenAnswers, answer] : givenAnswers
    let problem: string | undefined
    for (let attempt = 1; attempt <= PLAN_ATTEMPTS; attempt++) {
      const answer = await this.#agents.ask(
        'planner',
        plannerMessage(phase, context, research, last, answers, problem),
        planSchema,
        state,
        'A plan: {"phase_id", "tasks": [{"id", "title", "dependencies": []}, …]}',
      )
      if (answer.kind === 'found') {
        const { tasks, problem: wrong, warnings } = checkPlan(answer.value)
        if (wrong !== undefined) return this.#failPlan('plan_invalid', `${wrong}.`)
        for (const warning of warnings) this.#work.log('warn', `${warning}.`)
        await this.#files.writeArtefact('plan.json', withPhase(phase, answer.json))
        for (const { id } of [...(session.plan?.tasks ?? []), ...tasks]) this.#work.remembered.set(keepCheck(id, null))
        return this.#apply({ kind: 'planned', tasks })
      }
      const { status, reason } = answer.result
      if (status === 'timeout') return this.#failPlan('plan_timeout', `The planner did not finish: ${reason}`)
      if (status !== 'success') return this.#failPlan('plan_error', `The planner failed: ${reason}`)
      problem = 'It held no JSON object with a list of tasks.'
      this.#work.log('warn', `No plan in the planner’s output (attempt ${attempt} of ${PLAN_ATTEMPTS}).`)
      const end = attempt < PLAN_ATTEMPTS ? await this.#endBefore(step, session, state) : undefined
      if (end) return end
    }
    return this.#failPlan('plan_unreadable', `No readable plan from the planner after ${PLAN_ATTEMPTS} attempts.`)
  }

  #failPlan(reason: (Event & { kind: 'plan-failed' })['reason'], message: string): Promise<LoopEnd | undefined> {
    return this.#apply({ kind: 'plan-failed', reason, message })
  }

  async #lastPlan({ plan }: Snapshot) {
    const verification = await this.#files.artefact('verification.json')
    const found = verification === undefined ? undefined : findJson(verification, verificationSchema)
    return {
      text: await this.#files.artefact('plan.json'),
      tasks: plan?.tasks ?? [],
      gaps: found && !found.value.passed ? gapsOf(found.value) : [],
      checks: this.#checksOf(plan?.tasks ?? []),
    }
  }

  #checksOf(tasks: readonly TaskState[]): string | undefined {
    const described = tasks.flatMap(({ id }) => {
      const record = checkRecord(this.#work.remembered, id)
      return record ? [describeCheck(id, record)] : []
    })
    return described.length === 0 ? undefined : described.join('\n')
  }

  async #execute(state: State, snapshot: Snapshot, task: TaskState): Promise<LoopEnd | undefined> {
    const deps = {
      work: this.#work,
      files: this.#files,
      agents: this.#agents,
      turns: this.#turns,
      checks: this.#checks,
    }
    const outcome = await executeTask(deps, state, snapshot, task)
    return this.#apply({ kind: 'task-ended', taskId: task.id, outcome })
  }

  async #verify(state: State, { phase, plan, givenAnswers }: Snapshot): Promise<LoopEnd | undefined> {
    this.#work.step(`Verifying phase ${phase}`)
    const tasks = plan?.tasks ?? []
    const planText = (await this.#files.artefact('plan.json')) ?? JSON.stringify({ phase_id: phase, tasks }, null, 2)
    const summaries: string[] = []
    for (const { id } of tasks) {
      const summary = await this.#files.artefact(summaryFile(id))
      if (summary !== undefined) summaries.push(summary)
    }
    const answer = await this.#agents.ask(
      'verifier',
      verifierMessage(planText, summaries, givenAnswers, this.#checksOf(tasks)),
      verificationSchema,
      state,
      'A verification: {"phase_id", "passed": true | false, "checks": […], "gaps": […]}',
    )
    if (answer.kind === 'none') {
      const { status, reason } = answer.result
      return this.#apply({
        kind: 'verification-failed',
        ...(status === 'timeout'
          ? { reason: 'verification_timeout', message: `The verifier did not finish: ${reason}` }
          : status === 'success'
            ? { reason: 'verification_unreadable', message: 'No readable result from the verifier.' }
            : { reason: 'verification_error', message: `The verifier failed: ${reason}` }),
      })
    }
    await this.#files.writeArtefact('verification.json', withPhase(phase, answer.json))
    return this.#apply({
      kind: 'verified',
      passed: answer.value.passed,
      gaps: gapsOf(answer.value).map(({ description }) => description),
    })
  }

  /** Names its agent in the same write, so that no answer counts twice and none is lost. */
  async #apply(event: Event): Promise<LoopEnd | undefined> {
    const run = this.#turns.lastAnswer?.run
    const end = await this.#write((session) => {
      const verdict = applyEvent(session, event)
      return run === undefined
        ? verdict
        : { ...verdict, changes: [...verdict.changes, [`variables.${LAST_TURN}`, run] satisfies Change] }
    })
    this.#turns.end()
    return end
  }

  async #write(decide: (session: Snapshot) => Verdict): Promise<LoopEnd | undefined> {
    const { log, end } = await this.#files.update(decide)
    for (const { level, text } of log) this.#work.log(level, text)
    return end
  }

  /** Neither version is lost: ours stays in place, theirs is kept in our folder. */
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

const withPhase = (phase: string, json: object): object => ('phase_id' in json ? json : { phase_id: phase, ...json })

const progressOf = ({ phase, plan, researchDone, givenAnswers }: Snapshot): string =>
  JSON.stringify([
    phase,
    researchDone,
    givenAnswers.length,
    plan?.tasks.map(({ id, title, status }) => [id, title, status]),
  ])

function nameOf(step: AgentStep): string {
  switch (step.kind) {
    case 'research':
      return 'the research'
    case 'plan':
      return 'planning'
    case 'execute':
      return `task ${step.task.id}`
    case 'verify':
      return 'the verification'
  }
}
