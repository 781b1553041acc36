import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table } from '../../printed'
import { bridgeGroup as group } from './group'

export const bridgeQuarantine = defineCommand({
  group,
  name: 'quarantine',
  summary: 'List what stays closed after crashes, and why.',
  details:
    'A project, recording or machine stays closed when the bridge ended unexpectedly twice within a minute of opening it.',
  data: { items: '[{ kind, name, reason, … }]' },
  examples: ['bridge quarantine'],
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const { items } = await client.call('quarantine.list', {}, signal)
    const rows = items.map(({ kind, name, reason }) => [kind, name, `the bridge ${reason}`])
    output.result({ items }, table(rows, 'Nothing was left closed.'))
    return EXIT_OK
  },
})
