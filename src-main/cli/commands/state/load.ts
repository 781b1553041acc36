import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, required } from '../../parameters'
import { stateGroup as group } from './group'
import { loadState } from './loadState'

export const stateLoad = defineCommand({
  group,
  name: 'load',
  summary: 'Load a saved state into a machine.',
  positionals: { file: required(filePath('A file of state save.')) },
  options: { machine: machine('The machine that gets it.') },
  data: { machine: 'the machine’s name', path: 'absolute path' },
  examples: ['state load level3.state'],
  run: async (context, { file, machine }) => {
    const { output, signal } = context
    const session = await context.openSession()
    await session.connectLasting(machine, signal)
    await loadState(context, session, machine, file.path)
    output.result({ machine, path: file.path }, `Loaded ${file.written} into ${machine}.`)
    return EXIT_OK
  },
})
