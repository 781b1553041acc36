import { defineCommand } from '../../command'
import { EXIT_OK } from '../../output'
import { machine } from '../../parameters'
import { checkpointNumber, checkpointsGroup as group } from './group'

export const checkpointsDisable = defineCommand({
  group,
  name: 'disable',
  summary: 'Disable a checkpoint.',
  positionals: { number: checkpointNumber },
  options: { machine: machine('The machine.') },
  run: async ({ output, signal, openSession }, { number, machine }) => {
    const session = await openSession()
    session.requireLasting(machine)
    await session.connect(machine, signal)
    await session.client.call('machine.enableCheckpoint', { machine, number, enabled: false }, signal)
    output.result({ machine, number, enabled: false }, `Disabled checkpoint ${number}.`)
    return EXIT_OK
  },
})
