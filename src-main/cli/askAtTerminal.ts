import { createInterface } from 'node:readline/promises'
import { AppError } from '@shared/contract/errors'
import type { CommandContext } from './command'
import type { StandardStreams } from './streams'
import { terminalText } from './terminalText'

interface Question {
  readonly message: string
  readonly detail: string
  readonly action: string
  readonly withoutTerminal: { readonly message: string; readonly hint: string }
}

export const canAskAtTerminal = ({ stdin, stderr }: StandardStreams): boolean =>
  stdin.isTTY === true && stderr.isTTY === true

/**
 * Asks on standard error, so that results can be piped.
 * @throws AppError FORBIDDEN without a terminal
 */
export async function askAtTerminal(
  { message, detail, action, withoutTerminal }: Question,
  { streams, signal }: Pick<CommandContext, 'streams' | 'signal'>,
): Promise<boolean> {
  if (!canAskAtTerminal(streams))
    throw new AppError('FORBIDDEN', withoutTerminal.message, { hint: withoutTerminal.hint })
  const reader = createInterface({ input: streams.stdin, output: streams.stderr })
  try {
    const answer = await reader.question(terminalText(`${message}\n\n${detail}\n\nType yes to ${action}: `), { signal })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    reader.close()
  }
}
