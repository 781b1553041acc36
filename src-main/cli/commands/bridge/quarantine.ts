import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { bridgeGroup as group } from './group'

export const bridgeQuarantine = defineCommand({
  group,
  name: 'quarantine',
  summary: 'List what was left closed after crashes, and why.',
  details:
    'A project, recording or machine stays closed when the bridge ended unexpectedly twice within a minute of opening it.',
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const { items } = await client.call('quarantine.list', {}, signal)
    const lines = items.map(({ kind, name, reason }) => `${kind.padEnd(10)} ${name}  the bridge ${reason}`)
    output.result({ items }, items.length === 0 ? 'Nothing was left closed.' : lines.join('\n'))
    return EXIT_OK
  },
})
