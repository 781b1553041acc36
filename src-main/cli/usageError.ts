import { AppError, describeFailure } from '@shared/contract/errors'

/** Wrong words on the command line, told apart from bad files and bad answers by its exit code. */
export class UsageError extends AppError {
  /** @param command whose help shows what it takes; the whole help when it is empty */
  constructor(message: string, command = '') {
    super('INVALID', message, {
      hint: `See ${['bridgedeck', command, '--help'].filter(Boolean).join(' ')}.`,
      details: { usage: true },
    })
  }
}

/** What `read` returns. @throws UsageError for the AppError that it throws */
export function asUsage<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof AppError ? new UsageError(describeFailure(error)) : error
  }
}
