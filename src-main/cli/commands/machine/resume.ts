import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { machineGroup as group } from './group'

export const machineResume = defineCommand({
  group,
  name: 'resume',
  summary: 'Let a paused machine run.',
  options: { machine: machine('The machine to resume.') },
  data: { machine: 'the machine’s name', execution: 'running' },
  examples: ['resume'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    await session.client.call('machine.resume', { machine }, signal)
    output.result({ machine, execution: 'running' }, `${machine} is running.`)
    return EXIT_OK
  },
})
