import { toFailure, type ErrorCode } from '@shared/contract/errors'
import type { CommandGroup } from '../../command'
import { EXIT_FAILED } from '../../output'
import { folderPath, withDefault } from '../../parameters'
import { UsageError } from '../../usageError'

/** 6: somebody else runs it. 7: the folder is not trusted. */
const exitCodes: Partial<Record<ErrorCode, number>> = {
  INVALID: 4,
  NOT_FOUND: 5,
  CONFLICT: 6,
  FORBIDDEN: 7,
  CANCELLED: 130,
}
const EXIT_ERROR = 99

/** The codes, streams and lines of the ncrew scripts: why a run ended other than well goes to standard error. */
export const ncrewGroup: CommandGroup = {
  name: 'ncrew',
  summary: 'Run crews of experts (ncrew)',
  details:
    'A crew works with your agents, set up in the window: one task each turn, until CREW_COMPLETE exists.\n' +
    'run and resume exit with 0 done, 10 a question waits, 11 a phase waits for your approval, 20 no iterations are left, 21 no money is left, 100 not done yet, 99 an error, 130 interrupted; 2 every task is checked but nobody declared the crew complete, 3 no expert, 4 no agent, 5 no crew, 6 already running elsewhere, 7 not trusted; 1 usage.\n' +
    'doctor exits with 0, with 2 after errors, with 3 without a crew.\n' +
    'NOODLECREW_MAX_ITERATIONS, NOODLECREW_MAX_COST and NOODLECREW_DEFAULT_LLM apply where no option is given.',
  reportFailure: (error, output) => {
    const failure = toFailure(error)
    output.failure(failure)
    return error instanceof UsageError ? EXIT_FAILED : (exitCodes[failure.code] ?? EXIT_ERROR)
  },
}

export const crewFolder = withDefault(folderPath('The folder of the crew.'), '.')
