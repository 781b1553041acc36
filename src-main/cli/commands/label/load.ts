import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, required } from '../../parameters'
import { toned } from '../../printed'
import { fileData, labelGroup as group } from './group'

export const labelLoad = defineCommand({
  group,
  name: 'load',
  summary: 'Load the labels of a program from a file.',
  details: 'They stay until you clear them. The file is read again when it changes, while the window or a bridge runs.',
  positionals: { file: required(filePath('What an assembler or a compiler wrote.')) },
  options: { machine: machine('The machine that runs the program.') },
  data: { machine: 'the machine’s name', file: '{ path, origin, format, labels, lines, problem }' },
  examples: ['label load game.lbl', 'label load game.dbg --machine vice:6502'],
  run: async ({ output, signal, openSession }, { file: { path }, machine }) => {
    const { client } = await openSession()
    const file = await client.call('labels.load', { machine, path }, signal)
    const { name, labels, lines, format, problem } = file
    output.result({ machine, file: fileData(file) }, [
      `Loaded ${counted(labels, 'label')}${lines === 0 ? '' : ` and ${lines} source lines`} from ${name} (${format ?? ''}).`,
      toned('notice', problem ?? ''),
    ])
    return EXIT_OK
  },
})
