/**
 * Nothing enforces that agents only read, as they are told. The loop writes what they propose, once it fits the skill.
 */
import { listNames } from '@shared/listNames'
import { AppError, describeFailure } from '@shared/contract/errors'
import { z } from 'zod'
import type { RunFiles } from '../../formats/format'
import { planStep, questionOf, type Step } from '../../formats/tuning/actions/steps'
import { openState } from '../../formats/tuning/state'
import { askUntilFits } from '../askForJson'
import { describeResult } from '../limits'
import type { LoopEnd, LoopWork } from '../loop'
import { RunGuard } from '../runGuard'
import { shortNames } from '../lostWork'
import { TurnObserver } from '../turnObserver'
import { TurnStore } from '../turnStore'
import { unreadablePlace } from './tuningFiles'

export const tuningRoles = ['fixer', 'analyst'] as const
type TuningRole = (typeof tuningRoles)[number]
const FIXER: TuningRole = 'fixer'

const TURN_LIMIT_MS = 5 * 60_000

export type StepAnswer = { readonly answer: object } | { readonly refused: string }

type AgentWork = Pick<
  LoopWork,
  | 'own'
  | 'remembered'
  | 'holds'
  | 'elsewhere'
  | 'budget'
  | 'folder'
  | 'place'
  | 'trusted'
  | 'log'
  | 'adopt'
  | 'spawn'
  | 'signal'
>

export class TuningAgents {
  readonly #work: AgentWork
  readonly #guard: RunGuard
  readonly #turns: TurnStore<never>
  readonly #observer: TurnObserver

  constructor(work: AgentWork) {
    const { folder, place } = work
    this.#work = work
    this.#guard = new RunGuard(work)
    this.#turns = new TurnStore(work, z.never())
    const own = folder === '' || !place.startsWith(`${folder}/`) ? place : place.slice(folder.length + 1)
    this.#observer = new TurnObserver({ work, turns: this.#turns, ignored: [own] })
  }

  async settle(): Promise<void> {
    await this.#observer.settle()
  }

  check = (progress: string): LoopEnd | undefined => this.#guard.check(progress)

  get answered(): string | null {
    const { lastAnswer } = this.#turns
    return lastAnswer?.role === FIXER ? lastAnswer.task : null
  }

  endTurn(): void {
    this.#turns.end()
  }

  async ask(step: Step, read: () => Promise<RunFiles>): Promise<StepAnswer> {
    const before = await read()
    const question = questionOf(before, step)
    if (!question) throw new AppError('INTERNAL', `${step.name} asks nothing.`)
    const role = roleOf(step)
    const found = await askUntilFits(
      async (problem) => {
        if (problem !== undefined)
          this.#work.log('warn', `The ${role}’s answer cannot be used: ${problem} Asking again.`)
        const again =
          problem === undefined ? '' : `\n\n# Your last answer could not be used\n\n${problem}\n\nAnswer again.`
        return this.#turn(role, step, `${question.prompt}${again}`)
      },
      question.schema,
      async (answer) => problemWith(requireWhole(await read()), step, answer),
    )
    this.#warnOfChanges(role, before, await read())
    return found.kind === 'fits' ? { answer: found.value } : { refused: found.reason }
  }

  async #turn(role: TuningRole, { name, target }: Step, prompt: string) {
    const task = target === '' ? null : target
    const { result, record } = await this.#observer.observe(
      { role, task, timeLimit: TURN_LIMIT_MS },
      async (follow) => {
        await this.#turns.keepPrompt(`${name}-${target.replaceAll(/[^\w-]/g, '')}`.slice(0, 60), prompt)
        const purpose = task === null ? role : `${role} ${task}`
        return this.#work.spawn(
          role,
          { prompt, purpose, task: task ?? undefined, timeLimit: TURN_LIMIT_MS },
          { follow },
        )
      },
    )
    this.#guard.noteTurn(result, null)
    this.#work.signal.throwIfAborted()
    if (result.status === 'stopped')
      throw new AppError('CANCELLED', `The ${role} was stopped.`, { hint: 'Start the run to continue.' })
    this.#work.log('info', describeResult(role, result))
    if (record && record.commits.length > 0)
      this.#work.log('warn', `The ${role}, which was to read only, committed ${shortNames(record.commits)}.`)
    if (result.stillAlive.length > 0)
      this.#work.log('error', `The ${role} is still running: process ${result.stillAlive.join(', ')}.`)
    return result
  }

  #warnOfChanges(role: TuningRole, before: RunFiles, after: RunFiles): void {
    const run = `${before.candidate.marker}/`
    const paths = new Set([...before.files.keys(), ...after.files.keys()])
    const changed = [...paths].filter(
      (path) => !path.startsWith(run) && before.files.get(path)?.text !== after.files.get(path)?.text,
    )
    if (changed.length > 0)
      this.#work.log('warn', `Changed while the ${role} worked, which was to read only: ${listNames(changed)}.`)
  }
}

const roleOf = ({ name }: Step): TuningRole => (name === 'analyse' ? 'analyst' : FIXER)

/** @throws AppError INVALID with the place where the state cannot be read */
function requireWhole(files: RunFiles): RunFiles {
  const problem = unreadablePlace(openState(files))
  if (problem) throw problem
  return files
}

function problemWith(files: RunFiles, step: Step, answer: object): string | undefined {
  const now = Date.now()
  try {
    planStep(files, step, { now, startedAt: now }, answer)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') return describeFailure(error)
    throw error
  }
}
