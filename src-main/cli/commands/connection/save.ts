import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { text } from '../../parameters'
import { connectionGroup as group, machineName } from './group'

export const connectionSave = defineCommand({
  group,
  name: 'save',
  summary: 'Save a machine under a title, or change its title.',
  positionals: { machine: machineName },
  options: { title: text('TITLE', 'What it is called. Default: its name.') },
  data: { machine: 'the machine’s name', title: 'text' },
  examples: ["connection save ultimate:192.168.1.64 --title 'Desk'"],
  run: async ({ output, signal, openSession }, { machine, title = machine }) => {
    const { client } = await openSession()
    await client.call('connections.save', { machine, title }, signal)
    output.result({ machine, title }, `Saved ${machine} as ${title}.`)
    return EXIT_OK
  },
})
