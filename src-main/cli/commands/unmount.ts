import { defineCommand } from '../command'
import { EXIT_OK } from '../output'
import { machine, text, withDefault } from '../parameters'

export const unmount = defineCommand({
  name: 'unmount',
  summary: 'Remove the disk image from a drive.',
  options: { drive: withDefault(text('DRIVE', 'The drive; drives lists all.'), 'a'), machine: machine('The machine.') },
  run: async ({ output, signal, openSession }, { drive, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    await session.client.call('machine.removeImage', { machine, drive }, signal)
    output.result({ machine, drive }, `Drive ${drive} of ${machine} is empty.`)
    return EXIT_OK
  },
})
