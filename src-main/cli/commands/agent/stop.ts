import { AppError } from '@shared/contract/errors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { required, text } from '../../parameters'
import { agentGroup as group } from './group'

export const agentStop = defineCommand({
  group,
  name: 'stop',
  summary: 'Stop a run of an agent with all processes that it started.',
  positionals: { run: required(text('RUN', 'The run; agent runs lists them.')) },
  data: { run: 'the run’s name' },
  examples: ['agent stop 0001-claude'],
  run: async ({ output, signal, openSession }, { run }) => {
    const { client } = await openSession()
    const { stillAlive } = await client.call('agentRuns.stop', { run }, signal)
    if (stillAlive.length > 0)
      throw new AppError('BUSY', `Some processes of ${run} did not end: ${stillAlive.join(', ')}.`, {
        hint: 'End them by hand.',
      })
    output.result({ run }, `Stopped ${run}.`)
    return EXIT_OK
  },
})
