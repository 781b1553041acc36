import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine } from '../../parameters'
import { fileData, filesShape, labelGroup as group } from './group'

export const labelClear = defineCommand({
  group,
  name: 'clear',
  summary: 'Remove the labels of one file, or all. No file is deleted.',
  positionals: { file: filePath('The file; left out, all.') },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', files: `those that stay: ${filesShape}` },
  examples: ['label clear', 'label clear game.lbl --machine vice:6502'],
  run: async ({ output, signal, openSession }, { file, machine }) => {
    const { client } = await openSession()
    const { files } = await client.call('labels.clear', { machine, file: file?.path ?? null }, signal)
    output.result(
      { machine, files: files.map(fileData) },
      file ? `Cleared the labels of ${file.written}.` : 'Cleared all labels.',
    )
    return EXIT_OK
  },
})
