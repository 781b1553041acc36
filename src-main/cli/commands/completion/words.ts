import { machineNameStarts } from '@shared/contract/machineName'
import { defineCommand, type CommandContext } from '../../command'
import { complete } from '../../completion'
import { EXIT_OK } from '../../exitCodes'
import { text, texts, withDefault } from '../../parameters'
import { completionGroup as group } from './group'

export const completionWords = defineCommand({
  group,
  name: 'words',
  isHidden: true,
  printsPlainText: true,
  summary: 'Print the words that can follow, for the scripts of the shells.',
  positionals: { before: texts('WORD', 'The words before.') },
  options: { current: withDefault(text('TEXT', 'The word that is typed.'), '') },
  examples: ['completion words --current=re', 'completion words --current= -- read --bank'],
  run: async (context, { before, current }) => {
    const { suggestions, also } = complete(before, current, context.commands)
    const lines = suggestions.map(({ word, help }) => `${word}\t${help}`)
    if (also === 'machine') {
      const names = (await machineNames(context)).filter((name) => name.startsWith(current))
      lines.push(...names.map((name) => `${name}\t`))
    } else if (also !== undefined) lines.push(`:${also}`)
    context.output.stream(lines.map((line) => `${line}\n`).join(''))
    return EXIT_OK
  },
})

async function machineNames({ openSession, signal }: CommandContext): Promise<string[]> {
  const { client } = await openSession()
  const { machines } = await client.call('machine.list', {}, signal)
  const { profiles, serial, configured } = await client.call('connections.list', {}, signal)
  const known = [
    ...machines,
    ...profiles,
    ...configured.machines,
    ...serial.ports.flatMap((port) => port.machines.map((machine) => ({ machine }))),
  ]
  return [...new Set([...known.map(({ machine }) => machine), ...machineNameStarts])]
}
