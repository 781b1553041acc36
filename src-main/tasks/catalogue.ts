import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import type { OperationDescription, TaskType } from '@shared/contract/tasks'
import { describeIssues } from '@shared/contract/describeIssues'
import { isJsonObject, type Json } from '@shared/json'
import type { Operation, OperationContext, OperationOutcome } from './operation'
import { describeOperation } from './operations/describe'

const scheduleArguments = {
  retries: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe('How many failed runs in a row are retried before the task fails.'),
  waitForMachine: z.int().min(0).max(86_400).default(600).meta({
    title: 'Wait for machine (s)',
    description: 'How long to wait for a lost machine, in seconds, before the task fails.',
  }),
}
const scheduleSchema = z.object(scheduleArguments)

export interface PreparedTask extends z.infer<typeof scheduleSchema> {
  readonly operation: Operation
  readonly run: (context: OperationContext) => Promise<OperationOutcome>
}

export interface Operations {
  readonly all: readonly Operation[]
  /**
   * Also knows the names that other programs use.
   * @throws AppError INVALID for any other name
   */
  readonly find: (name: string) => Operation
}

export class Catalogue {
  readonly #operations: Operations

  constructor(operations: Operations) {
    this.#operations = operations
  }

  get(name: string): Operation | undefined {
    try {
      return this.#operations.find(name)
    } catch {
      return undefined
    }
  }

  describe(): OperationDescription[] {
    return this.#operations.all.map((operation) =>
      describeOperation({ ...operation, arguments: operation.arguments.safeExtend(scheduleArguments) }),
    )
  }

  /**
   * @throws AppError INVALID for an unknown operation, one that does not run as such a task, or arguments that it does
   * not take
   */
  prepare(name: string, type: TaskType, args: Json): PreparedTask {
    const operation = this.#operations.find(name)
    if (!operation.types.includes(type))
      throw new AppError('INVALID', `${name} does not run as a ${type} task.`, {
        hint: `It runs as a ${operation.types.join(' or ')} task.`,
      })
    const given = isJsonObject(args) ? args : {}
    const schedule = scheduleSchema.safeParse(given)
    if (schedule.error)
      throw new AppError('INVALID', `${name} does not take these arguments: ${describeIssues(schedule.error.issues)}.`)
    const own = Object.fromEntries(Object.entries(given).filter(([key]) => !(key in scheduleArguments)))
    return { operation, ...schedule.data, run: operation.prepare(own) }
  }
}
