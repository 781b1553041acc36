import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { machineGroup as group } from './group'

export const machineClearLeft = defineCommand({
  group,
  name: 'clear-left',
  summary: 'Undo what agents left at a machine: pause, speed, checkpoints, frozen values, inputs.',
  details:
    'Only for agents that have gone; bridgedeck status names them. Speed is warp and slow motion; inputs are held keys and joysticks. The machine runs afterwards.',
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', text: 'what was taken back' },
  examples: ['clear-left'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const { text } = await session.client.call('steering.clearLeft', { machine }, signal)
    output.result({ machine, text }, text)
    return EXIT_OK
  },
})
