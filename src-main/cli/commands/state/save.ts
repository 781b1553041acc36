import { MAX_PAST_SECONDS } from '@shared/contract/machine'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, number, required, withDefault } from '../../parameters'
import { stateGroup as group } from './group'

export const stateSave = defineCommand({
  group,
  name: 'save',
  summary: 'Save the state of a machine in a file.',
  positionals: { file: required(filePath('The file to write.')) },
  options: {
    past: withDefault(
      number('SECONDS', 'How many seconds of its history to save with it, for replay.', {
        min: 0,
        max: MAX_PAST_SECONDS,
      }),
      0,
    ),
    machine: machine('The machine to save.'),
  },
  data: { machine: 'the machine’s name', path: 'absolute path' },
  examples: ['state save level3.state', 'state save bug.state --past 30'],
  run: async ({ output, signal, openSession }, { file, past, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    await session.client.call('machine.saveState', { machine, path: file.path, past }, signal)
    output.result({ machine, path: file.path }, `Saved the state of ${machine} in ${file.written}.`)
    return EXIT_OK
  },
})
