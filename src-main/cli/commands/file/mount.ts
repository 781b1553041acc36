import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { mountOptions } from '../../mountOptions'
import { required, text } from '../../parameters'
import { fileGroup as group } from './group'

export const fileMount = defineCommand({
  group,
  name: 'mount',
  summary: 'Mount a disk image from a machine’s own storage in a drive.',
  positionals: { path: required(text('PATH', 'The disk image, by the machine’s own path.')) },
  options: mountOptions,
  data: {
    machine: 'the machine’s name',
    drive: 'such as a',
    path: 'on the machine',
    mode: 'readwrite, readonly or unlinked',
  },
  examples: ['file mount /Usb0/game.d64 --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { path, drive, mode, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    await session.client.call('machine.mountFile', { machine, drive, path, mode }, signal)
    output.result({ machine, drive, path, mode }, `Mounted ${path} in drive ${drive} of ${machine}.`)
    return EXIT_OK
  },
})
