import { toFailure } from '@shared/contract/errors'
import type { CommandGroup } from '../../command'
import { EXIT_FAILED, EXIT_INTERRUPTED, specialExitCodesOf } from '../../exitCodes'
import { folderPath, withDefault } from '../../parameters'
import { UsageError } from '../../usageError'

const EXIT_ERROR = 99

export const ncrewGroup: CommandGroup = {
  name: 'ncrew',
  summary: 'Run crews of experts (ncrew)',
  details:
    'A crew works with the agents that you set up in the window: one task per turn, until CREW_COMPLETE exists.\n' +
    'NOODLECREW_MAX_ITERATIONS, NOODLECREW_MAX_COST and NOODLECREW_DEFAULT_LLM apply where no option is given.',
  reportFailure: (error, output) => {
    const failure = toFailure(error)
    output.failure(failure)
    if (error instanceof UsageError) return EXIT_FAILED
    if (failure.code === 'CANCELLED') return EXIT_INTERRUPTED
    return specialExitCodesOf('ncrew').find(({ errors }) => errors.includes(failure.code))?.code ?? EXIT_ERROR
  },
}

export const crewFolder = withDefault(folderPath('The folder of the crew.'), '.')
