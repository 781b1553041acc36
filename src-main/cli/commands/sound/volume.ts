import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, number, required } from '../../parameters'
import { LOUDEST, soundGroup as group, VOLUME } from './group'

export const soundVolume = defineCommand({
  group,
  name: 'volume',
  summary: 'Set the volume of the SID.',
  details: 'Switches the filter’s modes off, which share its register and cannot be read.',
  positionals: { volume: required(number('N', '0 is silent.', { min: 0, max: LOUDEST })) },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', volume: '0 to 15' },
  examples: ['sound volume 15'],
  run: async ({ output, signal, openSession }, { volume, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const bytes = Uint8Array.of(volume)
    await session.client.call('memory.write', { machine, space: 'io', address: VOLUME, bytes }, signal)
    output.result({ machine, volume }, `The volume is ${volume}.`)
    return EXIT_OK
  },
})
