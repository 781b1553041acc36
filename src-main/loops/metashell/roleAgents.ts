import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import type { AgentResult } from '../../agents/agent'
import type { State } from '../../formats/metashell/state'
import { field, numberOf } from '../../formats/text/located'
import { askForJson, type JsonAnswer, type RepairAgent } from '../askForJson'
import { describeResult, type StartLimits } from '../limits'
import type { LoopWork } from '../loop'
import type { RunGuard } from '../runGuard'
import type { TurnObserver } from '../turnObserver'
import type { TurnStore } from '../turnStore'
import { fixerMessage, joinPrompt } from './prompts'
import type { SessionFiles } from './sessionFiles'

export const roles = ['researcher', 'planner', 'executor', 'verifier', 'fixer'] as const
type Role = (typeof roles)[number]

const DEFAULT_TIMEOUTS_S: Readonly<Record<Role, number>> = {
  researcher: 300,
  planner: 300,
  executor: 600,
  verifier: 300,
  fixer: 120,
}
const MAX_TIMEOUT_S = 24 * 3600

export interface RoleAgentsOptions {
  readonly work: LoopWork
  readonly files: SessionFiles
  readonly turns: TurnStore<unknown>
  readonly observer: TurnObserver
  readonly limits: StartLimits
  readonly guard: RunGuard
  readonly personas: string
}

export class RoleAgents {
  readonly #options: RoleAgentsOptions

  constructor(options: RoleAgentsOptions) {
    this.#options = options
  }

  ask<T>(role: Role, message: string, schema: z.ZodType<T>, state: State, shape: string): Promise<JsonAnswer<T>> {
    return askForJson(() => this.run(role, message, state), schema, this.fixer(state, shape))
  }

  fixer(state: State, shape: string, taskId?: string): RepairAgent {
    return (raw) => {
      this.#options.work.log('warn', 'No usable result in the agent’s output; asking the fixer.')
      return this.run('fixer', fixerMessage(shape, raw), state, taskId)
    }
  }

  /** @throws AppError CANCELLED when it was stopped */
  async run(role: Role, message: string, state: State, taskId?: string): Promise<AgentResult> {
    const { work, files, turns, observer, limits, guard, personas } = this.#options
    const persona = (await files.persona(role)) ?? (await readFile(join(personas, `${role}.md`), 'utf8'))
    const prompt = joinPrompt(persona, message)
    const timeLimit = limits.turnTime(timeoutMs(state, role))
    const { result, hasChanged } = await observer.observe({ role, task: taskId ?? null, timeLimit }, async (follow) => {
      await turns.keepPrompt(taskId === undefined ? role : `${role}-${taskId}`, prompt)
      const purpose = taskId === undefined ? role : `${role} ${taskId}`
      const limits = timeLimit === undefined ? {} : { timeLimit }
      return work.spawn(role, { prompt, purpose, task: taskId, ...limits }, { follow })
    })
    limits.count(result)
    // Only an executor may change files; the fixer repeats what another role has answered.
    if (role !== 'fixer') guard.noteTurn(result, role === 'executor' ? hasChanged : null)
    work.signal.throwIfAborted()
    if (result.status === 'stopped')
      throw new AppError('CANCELLED', `The ${role} was stopped.`, { hint: 'Start the run to continue.' })
    work.log('info', describeResult(role, result))
    if (result.stillAlive.length > 0)
      work.log('error', `The ${role} is still running: process ${result.stillAlive.join(', ')}.`)
    return result
  }
}

function timeoutMs({ config }: State, role: Role): number {
  const configured = numberOf(field(field(config?.root, 'timeouts'), role))
  const isUsable = configured !== undefined && configured > 0 && configured <= MAX_TIMEOUT_S
  return (isUsable ? configured : DEFAULT_TIMEOUTS_S[role]) * 1000
}
