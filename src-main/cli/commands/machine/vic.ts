import { describeVideo } from '@shared/c64/videoText'
import { readChipRegisters, videoRegisters } from '../../chipRegisters'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { table } from '../../printed'
import { machineGroup as group } from './group'

export const machineVic = defineCommand({
  group,
  name: 'vic',
  summary: 'Describe the current settings of the VIC-II.',
  options: { machine: machine('The machine to read from.') },
  data: { machine: 'the machine’s name', vic: '[{ what, text }]: mode, bank, screen, characters, size, colours …' },
  examples: ['vic'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const io = await readChipRegisters(session, { machine, ranges: videoRegisters }, signal)
    const vic = describeVideo(io)
    output.result({ machine, vic }, table(vic.map(({ what, text }) => [what, text])))
    return EXIT_OK
  },
})
