import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { configGroup as group } from './group'

export const configList = defineCommand({
  group,
  name: 'list',
  summary: 'List the categories of a machine’s configuration.',
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', categories: 'their names' },
  examples: ['config list --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { categories } = await session.client.call('machine.configurationCategories', { machine }, signal)
    output.result({ machine, categories }, categories)
    return EXIT_OK
  },
})
