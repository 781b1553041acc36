import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, flag, machine, required, text, withDefault } from '../../parameters'
import { fileGroup as group } from './group'
import { showTransfers } from './transferProgress'

export const fileUpload = defineCommand({
  group,
  name: 'upload',
  summary: 'Copy a file to a machine’s own storage.',
  positionals: { file: required(filePath('The file on this computer.')) },
  options: {
    folder: withDefault(text('FOLDER', 'The folder that gets it.'), '/'),
    replace: flag('Replace a file of that name.'),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', path: 'on the machine', size: 'bytes' },
  examples: ['file upload game.d64 --folder /Usb0 --machine ultimate:192.168.1.64'],
  run: async (context, { file, folder, replace, machine }) => {
    const { output, signal } = context
    const session = await context.openSession()
    await session.connect(machine, signal)
    const input = { machine, path: file.path, folder, replace }
    const { path, size } = await session.client
      .call('machine.uploadFile', input, signal)
      .finally(showTransfers(context, session, machine))
    output.result({ machine, path, size }, `Copied ${file.written} to ${path} of ${machine} (${size} bytes).`)
    return EXIT_OK
  },
})
