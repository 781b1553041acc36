import { AppError, describeFailure } from '@shared/contract/errors'

/** An invalid command line; has an exit code of its own. */
export class UsageError extends AppError {
  /** Whose help the hint names; empty for the whole help, undefined where the caller knows it. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super('INVALID', message, { hint: helpHint(command), details: { usage: true } })
    this.command = command
  }
}

const helpHint = (command = ''): string => `See ${['bridgedeck', command, '--help'].filter(Boolean).join(' ')}.`

/** An error of usage with the help of this command, unless it has a hint of its own; any other as it is. */
export function withHelp(error: unknown, command: string): unknown {
  if (error instanceof UsageError) return error.command === undefined ? new UsageError(error.message, command) : error
  if (!(error instanceof AppError) || error.details?.usage !== true || error.hint !== undefined) return error
  return new AppError(error.code, error.message, { hint: helpHint(command), details: error.details })
}

/** Calls `read`, and turns its AppError into a UsageError. */
export function asUsage<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof AppError ? new UsageError(describeFailure(error)) : error
  }
}
