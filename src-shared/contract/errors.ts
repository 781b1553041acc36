import { diskProblem } from './diskProblem'

/** Closed set: a caller may branch on these, and the command line maps each to an exit code. */
export const errorCodes = [
  'INVALID',
  'NOT_FOUND',
  'UNREACHABLE',
  'LOST',
  'TIMEOUT',
  'CANCELLED',
  'BUSY',
  'CONFLICT',
  'FORBIDDEN',
  'UNSUPPORTED',
  'BRIDGE_DOWN',
  'INTERNAL',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** An error as it crosses every border: what happened, and what to do next. Never a stack. */
export interface Failure {
  code: ErrorCode
  message: string
  hint?: string | undefined
  details?: Record<string, string | number | boolean> | undefined
}

export const describeFailure = ({
  message,
  hint,
}: {
  readonly message: string
  readonly hint?: string | undefined
}): string => [message, hint].filter(Boolean).join(' ')

export type Result<T> = { ok: true; data: T } | { ok: false; error: Failure }

/** The one error class thrown inside a process; borders turn it into a {@link Failure} with {@link toFailure}. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: Failure['details']

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; details?: Failure['details']; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.hint = options.hint
    this.details = options.details
  }
}

export function diskError(
  error: unknown,
  ...about: [name?: string, action?: 'read' | 'written' | 'used']
): AppError | undefined {
  const problem = diskProblem(error, ...about)
  return problem && new AppError(problem.code, problem.message, { hint: problem.hint, cause: error })
}

/** Unknown errors become INTERNAL without their text: it may hold paths. */
export function toFailure(error: unknown): Failure {
  if (error instanceof AppError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
    }
  }
  // Node's own errors of aborted signals come in several classes, but always under these names.
  if (error instanceof Error && error.name === 'AbortError')
    return { code: 'CANCELLED', message: 'The operation was cancelled.' }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return {
      code: 'TIMEOUT',
      message: 'The operation took too long.',
      hint: 'Try again, or look at the machine’s state.',
    }
  }
  const problem = diskProblem(error)
  if (problem) return problem
  return {
    code: 'INTERNAL',
    message: 'Something went wrong inside Bridgedeck.',
    hint: 'Help > Save diagnostics collects the log.',
  }
}

export function fromFailure(failure: Failure): AppError {
  return new AppError(failure.code, failure.message, {
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    ...(failure.details === undefined ? {} : { details: failure.details }),
  })
}
