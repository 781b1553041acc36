import { AppError, describeFailure } from '@shared/contract/errors'

/** An invalid command line; has an exit code of its own. */
export class UsageError extends AppError {
  /** @param command whose help to point to; empty for the whole help */
  constructor(message: string, command = '') {
    super('INVALID', message, {
      hint: `See ${['bridgedeck', command, '--help'].filter(Boolean).join(' ')}.`,
      details: { usage: true },
    })
  }
}

/** Calls `read`, and turns its AppError into a UsageError. */
export function asUsage<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof AppError ? new UsageError(describeFailure(error)) : error
  }
}
