import { AppError, describeFailure } from '@shared/contract/errors'

export class UsageError extends AppError {
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super('INVALID', message, { hint: helpHint(command), details: { usage: true } })
    this.command = command
  }
}

const helpHint = (command = ''): string => `See ${['bridgedeck', command, '--help'].filter(Boolean).join(' ')}.`

export function withHelp(error: unknown, command: string): unknown {
  if (error instanceof UsageError) return error.command === undefined ? new UsageError(error.message, command) : error
  if (!(error instanceof AppError) || error.details?.usage !== true || error.hint !== undefined) return error
  return new AppError(error.code, error.message, { hint: helpHint(command), details: error.details })
}

export function asUsage<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof AppError ? new UsageError(describeFailure(error)) : error
  }
}
