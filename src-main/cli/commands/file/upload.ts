import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, flag, machine, required, text, withDefault } from '../../parameters'
import { fileGroup as group } from './group'

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
  examples: ['file upload game.d64 --folder /Usb0 --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { file, folder, replace, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const input = { machine, path: file.path, folder, replace }
    const { path, size } = await session.client.call('machine.uploadFile', input, signal)
    output.result({ machine, path, size }, `Copied ${file.written} to ${path} of ${machine} (${size} bytes).`)
    return EXIT_OK
  },
})
