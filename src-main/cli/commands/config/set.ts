import { toFailure } from '@shared/contract/errors'
import { AppError } from '@shared/contract/errors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, required, texts } from '../../parameters'
import { UsageError } from '../../usageError'
import { configGroup as group, oneCategory } from './group'

export const configSet = defineCommand({
  group,
  name: 'set',
  summary: 'Change settings of a category.',
  details: 'Several at once are set one after the other; where one is refused, those before it stay set.',
  positionals: {
    category: required(oneCategory),
    values: texts('ITEM=VALUE', 'A setting with its new value.'),
  },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', category: 'text', set: 'each setting’s new value by its name' },
  examples: ["config set 'Drive A Settings' Drive=Enabled --machine ultimate:192.168.1.64"],
  run: async ({ output, signal, openSession }, { category, values, machine }) => {
    const pairs = values.map(pairOf)
    if (pairs.length === 0) throw new UsageError('ITEM=VALUE is missing.', 'config set')
    const session = await openSession()
    await session.connect(machine, signal)
    const set: string[] = []
    for (const [item, value] of pairs) {
      try {
        await session.client.call('machine.setConfiguration', { machine, category, item, value }, signal)
      } catch (error) {
        const { code, message, hint } = toFailure(error)
        throw new AppError(code, set.length === 0 ? message : `${message} Set before it: ${set.join(', ')}.`, {
          hint: hint ?? `config get “${category}” shows the values that it can have.`,
        })
      }
      set.push(item)
    }
    output.result({ machine, category, set: Object.fromEntries(pairs) }, `Set ${set.join(', ')} of ${machine}.`)
    return EXIT_OK
  },
})

function pairOf(written: string): readonly [item: string, value: string] {
  const at = written.indexOf('=')
  if (at < 1) throw new UsageError(`“${written.slice(0, 40)}” is not ITEM=VALUE.`, 'config set')
  return [written.slice(0, at).trim(), written.slice(at + 1).trim()]
}
