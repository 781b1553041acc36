import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, required, text, withDefault } from '../../parameters'
import { fileGroup as group } from './group'

export const fileCreateImage = defineCommand({
  group,
  name: 'create-image',
  summary: 'Create an empty disk image in a machine’s own storage.',
  positionals: { path: required(text('PATH', 'Its path on the machine: it ends in .d64, .d71, .d81 or .dnp.')) },
  options: {
    title: withDefault(text('TITLE', 'The name of the disk, up to 16 characters.'), ''),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', path: 'on the machine' },
  examples: ['file create-image /Usb0/new.d64 --title WORK --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { path, title, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    await session.client.call('machine.createImage', { machine, path, title }, signal)
    output.result({ machine, path }, `Created ${path} on ${machine}.`)
    return EXIT_OK
  },
})
