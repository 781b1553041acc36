import { toFailure } from '@shared/contract/errors'
import type { CommandGroup } from '../../command'
import { EXIT_FAILED, EXIT_INTERRUPTED } from '../../exitCodes'
import { required, text } from '../../parameters'
import { UsageError } from '../../usageError'

/** The helpers and hooks of specification 003, with its streams, messages and exit codes. */
export const maestroGroup: CommandGroup = {
  name: 'maestro',
  summary: 'Read and write the state of a Maestro session, and answer its hooks, as Maestro’s own scripts do',
  details: 'Paths are relative to the working folder. Errors go to standard error as ERROR: …; there is no --json.',
  hasJson: false,
  reportFailure: (error, _output, usage) => {
    const message =
      error instanceof UsageError ? `Usage: ${usage}` : error instanceof Error ? error.message : String(error)
    process.stderr.write(`ERROR: ${message}\n`)
    return toFailure(error).code === 'CANCELLED' ? EXIT_INTERRUPTED : EXIT_FAILED
  },
}

export const statePath = required(text('<relative-path>', 'The file, inside the working folder.'))
