import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, text, withDefault } from '../../parameters'
import { machineGroup as group } from './group'

export const machineUnmount = defineCommand({
  group,
  name: 'unmount',
  summary: 'Remove the disk image from a drive.',
  options: {
    drive: withDefault(text('DRIVE', 'The drive; drive list shows them.'), 'a'),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', drive: 'such as a' },
  examples: ['unmount --drive a --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { drive, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    await session.client.call('machine.removeImage', { machine, drive }, signal)
    output.result({ machine, drive }, `Drive ${drive} of ${machine} is empty.`)
    return EXIT_OK
  },
})
