import { videoStandards } from '@shared/contract/machine'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, machine, required } from '../../parameters'
import { machineGroup as group } from './group'

export const machineStandard = defineCommand({
  group,
  name: 'standard',
  summary: 'Switch a machine to PAL or NTSC.',
  details: 'The built-in C64 and VICE restart for it.',
  positionals: { standard: required(choice('STANDARD', 'The video standard.', videoStandards)) },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', standard: 'pal or ntsc' },
  examples: ['standard ntsc', 'standard pal'],
  run: async ({ output, signal, openSession }, { standard, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    await session.client.call('machine.setStandard', { machine, standard }, signal)
    output.result({ machine, standard }, `${machine} is ${standard.toUpperCase()}.`)
    return EXIT_OK
  },
})
