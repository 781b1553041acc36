import {
  commands,
  commandTable,
  isCommandName,
  type CommandName,
  type Input,
  type Output,
  type OwnedBy,
} from '@shared/contract/contract'
import { AppError, toFailure, type Result } from '@shared/contract/errors'
import type { z } from 'zod'

/** One function for each command that the bridge owns. The signal aborts when the caller cancels or goes away. */
export type Handlers = {
  readonly [Name in OwnedBy<'bridge'>]: (
    input: Input<Name>,
    signal: AbortSignal,
  ) => Promise<Output<Name>> | Output<Name>
}

type Answer = Result<unknown>

/**
 * Carries out commands for one caller: checks the input with the command's own schema, runs the handler, and answers
 * with data or a failure, never a throw. Ids are the caller's; `cancelAll` is for a caller that goes away.
 */
export class Dispatcher {
  readonly #handlers: Handlers
  readonly #log: (message: string, error: unknown) => void
  readonly #running = new Map<number, AbortController>()

  constructor(handlers: Handlers, log: (message: string, error: unknown) => void) {
    this.#handlers = handlers
    this.#log = log
  }

  async call(id: number, command: string, input: unknown): Promise<Answer> {
    if (this.#running.has(id)) return failure(new AppError('INVALID', `Call ${id} is already running.`))
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      return { ok: true, data: await this.#run(command, input, controller.signal) }
    } catch (error) {
      if (!(error instanceof AppError)) this.#log(`${command} failed`, error)
      return failure(controller.signal.aborted ? new AppError('CANCELLED', `${command} was cancelled.`) : error)
    } finally {
      this.#running.delete(id)
    }
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort()
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort()
  }

  async #run(command: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    if (!isCommandName(command) || !isBridgeCommand(command))
      throw new AppError('NOT_FOUND', `There is no command “${command.slice(0, 100)}”.`)
    return runOne(this.#handlers, command, input, signal)
  }
}

function isBridgeCommand(name: CommandName): name is OwnedBy<'bridge'> {
  return commands[name].owner === 'bridge'
}

async function runOne<Name extends OwnedBy<'bridge'>>(
  handlers: Handlers,
  name: Name,
  input: unknown,
  signal: AbortSignal,
): Promise<Output<Name>> {
  return handlers[name](parseInput(name, commandTable[name].input, input), signal)
}

/** Parses with the paths of what is wrong, not zod's text: that may quote the input, and is the error's `cause` for a log. */
export function parseInput<T>(name: string, schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || issue.code)
  throw new AppError(
    'INVALID',
    `${name} was called with something it does not take: ${[...new Set(fields)].slice(0, 5).join(', ')}.`,
    {
      cause: parsed.error,
    },
  )
}

const failure = (error: unknown): Answer => ({ ok: false, error: toFailure(error) })
