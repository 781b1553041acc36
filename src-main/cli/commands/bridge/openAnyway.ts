import { quarantinedKinds } from '@shared/contract/quarantine'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, required, text } from '../../parameters'
import { bridgeGroup as group } from './group'

export const bridgeOpenAnyway = defineCommand({
  group,
  name: 'open-anyway',
  summary: 'Open what stays closed after crashes.',
  details: 'One more unexpected end within a minute closes it again.',
  positionals: {
    kind: required(choice('KIND', 'What it is.', quarantinedKinds)),
    name: required(text('NAME', 'As bridge quarantine lists it.')),
  },
  data: { kind: 'project, recording or machine', name: 'text' },
  examples: ['bridge open-anyway machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { kind, name }) => {
    const { client } = await openSession()
    await client.call('quarantine.open', { kind, name }, signal)
    output.result({ kind, name }, `Opened the ${kind} ${name}.`)
    return EXIT_OK
  },
})
