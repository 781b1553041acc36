import { createInterface } from 'node:readline/promises'
import { AppError } from '@shared/contract/errors'
import { terminalText } from './terminalText'

interface Question {
  readonly message: string
  readonly detail: string
  /** What typing yes does, such as `trust it`. */
  readonly action: string
  /** The refusal where nobody can be asked. */
  readonly withoutTerminal: { readonly message: string; readonly hint: string }
}

export const canAskAtTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/**
 * Asks on standard error, so that results can be piped.
 * @throws AppError FORBIDDEN without a terminal
 */
export async function askAtTerminal(
  { message, detail, action, withoutTerminal }: Question,
  signal: AbortSignal,
): Promise<boolean> {
  const { stdin, stderr } = process
  if (!canAskAtTerminal()) throw new AppError('FORBIDDEN', withoutTerminal.message, { hint: withoutTerminal.hint })
  const reader = createInterface({ input: stdin, output: stderr })
  try {
    const answer = await reader.question(terminalText(`${message}\n\n${detail}\n\nType yes to ${action}: `), { signal })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    reader.close()
  }
}
