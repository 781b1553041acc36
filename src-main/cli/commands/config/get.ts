import { AppError } from '@shared/contract/errors'
import type { ConfigurationItem } from '@shared/contract/machineStorage'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { didYouMean } from '../../nearestName'
import { machine, required, text } from '../../parameters'
import { table } from '../../printed'
import { configGroup as group, HIDDEN, isSecret, oneCategory } from './group'

export const configGet = defineCommand({
  group,
  name: 'get',
  summary: 'Show the settings of a category, or one, with their possible values.',
  positionals: { category: required(oneCategory), item: text('ITEM', 'Only this one.') },
  options: { machine: machine('The machine.') },
  data: {
    machine: 'the machine’s name',
    category: 'text',
    items: '[{ item, value, choices, minimum, maximum }]; passwords are not shown',
  },
  examples: [
    "config get 'Drive A Settings' --machine ultimate:192.168.1.64",
    "config get 'Drive A Settings' Drive --machine ultimate:192.168.1.64",
  ],
  run: async ({ output, signal, openSession }, { category, item, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { items: all } = await session.client.call('machine.configuration', { machine, category }, signal)
    const items = all
      .filter((each) => item === undefined || each.item.toLowerCase() === item.toLowerCase())
      .map((each) => (isSecret(each) && each.value !== '' ? { ...each, value: HIDDEN } : each))
    if (item !== undefined && items.length === 0) {
      const names = all.map((each) => each.item)
      throw new AppError('NOT_FOUND', `“${category}” has no setting “${item}”.${didYouMean(item, names)}`)
    }
    output.result({ machine, category, items }, table(items.map(rowOf), `${category} has no settings.`))
    return EXIT_OK
  },
})

const rowOf = ({ item, value, choices, minimum, maximum }: ConfigurationItem): string[] => [
  item,
  String(value),
  choices ? choices.join(' | ') : minimum === null ? '' : `${minimum} to ${maximum ?? ''}`,
]
