import { toFailure, type ErrorCode } from '@shared/contract/errors'
import type { CommandGroup } from '../../command'
import { EXIT_FAILED } from '../../exitCodes'
import { folderPath, withDefault } from '../../parameters'
import { UsageError } from '../../usageError'

/** 6: already running elsewhere. 7: the folder is not trusted. */
const exitCodes: Partial<Record<ErrorCode, number>> = {
  INVALID: 4,
  NOT_FOUND: 5,
  CONFLICT: 6,
  FORBIDDEN: 7,
  CANCELLED: 130,
}
const EXIT_ERROR = 99

/** Follows the exit codes, streams and lines of the ncrew scripts: the reason of a failure goes to standard error. */
export const ncrewGroup: CommandGroup = {
  name: 'ncrew',
  summary: 'Run crews of experts (ncrew)',
  details:
    'A crew works with the agents that you set up in the window: one task per turn, until CREW_COMPLETE exists.\n' +
    'Exit codes of run and resume: 0 done, 1 usage, 2 all tasks are checked but the crew was not declared complete, 3 no expert, 4 no agent, 5 no crew, 6 already running elsewhere, 7 not trusted, 10 a question waits for you, 11 a phase waits for your approval, 20 iteration limit reached, 21 cost limit reached, 99 error, 100 not done yet, 130 interrupted.\n' +
    'Exit codes of doctor: 0 no errors, 2 errors, 3 no crew.\n' +
    'NOODLECREW_MAX_ITERATIONS, NOODLECREW_MAX_COST and NOODLECREW_DEFAULT_LLM apply where no option is given.',
  reportFailure: (error, output) => {
    const failure = toFailure(error)
    output.failure(failure)
    return error instanceof UsageError ? EXIT_FAILED : (exitCodes[failure.code] ?? EXIT_ERROR)
  },
}

export const crewFolder = withDefault(folderPath('The folder of the crew.'), '.')
