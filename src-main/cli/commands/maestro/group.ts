import { AppError, toFailure } from '@shared/contract/errors'
import type { CommandGroup } from '../../command'
import { EXIT_FAILED, EXIT_INTERRUPTED } from '../../exitCodes'
import { required, text } from '../../parameters'
import { UsageError } from '../../usageError'

export const maestroGroup: CommandGroup = {
  name: 'maestro',
  summary: 'Dispatch batches of Maestro, read and write its state, and answer its hooks, as Maestro’s own scripts do',
  details:
    'Paths are relative to the working folder. Errors go to standard error as ERROR: …; --json is for dispatch and run only.',
  reportFailure: (error, output, usage) => {
    if (output.isJson) output.failure(toFailure(error))
    else output.rawError(`ERROR: ${describe(error, usage)}\n`)
    return toFailure(error).code === 'CANCELLED' ? EXIT_INTERRUPTED : EXIT_FAILED
  },
}

function describe(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `Usage: ${usage}\n${error.hint ?? ''}`
  if (error instanceof AppError)
    return `${[error.message, error.hint].filter(Boolean).join(' ')}${error.details?.usage ? `\nUsage: ${usage}` : ''}`
  return error instanceof Error ? error.message : String(error)
}

export const statePath = required(text('<relative-path>', 'The file, inside the working folder.'))
