import { AppError, toFailure } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, required } from '../../parameters'
import { table } from '../../printed'
import { configGroup as group, configurationIn, differenceRow, differencesOf, readConfiguration } from './group'

export const configRestore = defineCommand({
  group,
  name: 'restore',
  summary: 'Restore a saved configuration: set what differs.',
  details: 'Where the machine refuses a value, the others are set, and the call fails with those that were not.',
  positionals: { file: required(filePath('The saved configuration.')) },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', restored: '[{ category, item, now, saved }]; now: the value before' },
  examples: ['config restore saved.json --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { file, machine }) => {
    const saved = await configurationIn(file)
    const session = await openSession()
    await session.connect(machine, signal)
    const onCategory = (share: number, name: string): void => output.progress(share, name)
    const now = await readConfiguration(session, machine, Object.keys(saved), { signal, onCategory })
    const restored = differencesOf(saved, now)
    const refused: string[] = []
    for (const { category, item, saved: value } of restored) {
      try {
        await session.client.call('machine.setConfiguration', { machine, category, item, value }, signal)
      } catch (error) {
        if (signal.aborted) throw error
        refused.push(`${category} / ${item}: ${toFailure(error).message}`)
      }
    }
    if (refused.length > 0)
      throw new AppError('INVALID', [`Not restored: ${counted(refused.length, 'setting')}.`, ...refused].join('\n'))
    output.result({ machine, restored }, table(restored.map(differenceRow), 'Nothing differed.'))
    return EXIT_OK
  },
})
