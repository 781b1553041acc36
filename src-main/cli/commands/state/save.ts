import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, required } from '../../parameters'
import { stateGroup as group } from './group'

export const stateSave = defineCommand({
  group,
  name: 'save',
  summary: 'Save the state of a machine in a file.',
  positionals: { file: required(filePath('The file to write.')) },
  options: { machine: machine('The machine to save.') },
  data: { machine: 'the machine’s name', path: 'absolute path' },
  examples: ['state save level3.state'],
  run: async ({ output, signal, openSession }, { file, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    await session.client.call('machine.saveState', { machine, path: file.path }, signal)
    output.result({ machine, path: file.path }, `Saved the state of ${machine} in ${file.written}.`)
    return EXIT_OK
  },
})
