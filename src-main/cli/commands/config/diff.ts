import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, required } from '../../parameters'
import { table } from '../../printed'
import { configGroup as group, configurationIn, differenceRow, differencesOf, readConfiguration } from './group'

export const configDiff = defineCommand({
  group,
  name: 'diff',
  summary: 'Show where a machine’s configuration differs from a saved one.',
  positionals: { file: required(filePath('The saved configuration.')) },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', differences: '[{ category, item, now, saved }]' },
  examples: ['config diff saved.json --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { file, machine }) => {
    const saved = await configurationIn(file)
    const session = await openSession()
    await session.connect(machine, signal)
    const onCategory = (share: number, name: string): void => output.progress(share, name)
    const now = await readConfiguration(session, machine, Object.keys(saved), { signal, onCategory })
    const differences = differencesOf(saved, now)
    output.result({ machine, differences }, table(differences.map(differenceRow), 'They are the same.'))
    return EXIT_OK
  },
})
