import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { machineGroup as group } from './group'

export const machinePause = defineCommand({
  group,
  name: 'pause',
  summary: 'Pause a machine.',
  options: { machine: machine('The machine to pause.') },
  data: { machine: 'the machine’s name', execution: 'paused' },
  examples: ['pause'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    session.requirePausable(machine)
    await session.connect(machine, signal)
    await session.client.call('machine.pause', { machine }, signal)
    output.result({ machine, execution: 'paused' }, `${machine} is paused.`)
    return EXIT_OK
  },
})
