import {
  commands,
  commandTable,
  isCommandName,
  type CommandName,
  type Input,
  type OwnedBy,
} from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { z } from 'zod'
import type { Handlers } from '../rpc/commands'
import { Responder } from '../rpc/responder'

interface DispatcherOptions {
  /** Whether the caller is trusted to send inputs as their schemas have them: main, which parsed them on its own border. */
  readonly trustsInputs: boolean
  readonly maxCalls: number
  readonly log: (message: string, error: unknown) => void
}

/** Runs commands for one caller. */
export class Dispatcher extends Responder {
  constructor(handlers: Handlers, { trustsInputs, maxCalls, log }: DispatcherOptions) {
    super({
      maxCalls,
      run: (command, input, signal) => {
        if (!isCommandName(command) || !isBridgeCommand(command))
          throw new AppError('NOT_FOUND', `There is no command “${command.slice(0, 100)}”.`)
        return trustsInputs ? runParsed(handlers, command, input, signal) : runOne(handlers, command, input, signal)
      },
      onFault: (command, error) => log(`${command} failed`, error),
    })
  }
}

function isBridgeCommand(name: CommandName): name is OwnedBy<'bridge'> {
  return commands[name].owner === 'bridge'
}

const runOne = <Name extends OwnedBy<'bridge'>>(handlers: Handlers, name: Name, input: unknown, signal: AbortSignal) =>
  handlers[name](parseInput(name, commandTable[name].input, input), signal)

const runParsed = <Name extends OwnedBy<'bridge'>>(
  handlers: Handlers,
  name: Name,
  input: unknown,
  signal: AbortSignal,
) => handlers[name](input as Input<Name>, signal)

/** Parses with the paths of what is wrong, not zod's text: that may quote the input, and is the error's `cause` for a log. */
export function parseInput<T>(name: string, schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || issue.code)
  throw new AppError('INVALID', `Invalid input for ${name}: ${[...new Set(fields)].slice(0, 5).join(', ')}.`, {
    cause: parsed.error,
  })
}
