import type { Price } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag } from '../../parameters'
import { table, type Cell } from '../../printed'
import { oneLine } from '../../runText'
import { agentGroup as group } from './group'

export const agentPrices = defineCommand({
  group,
  name: 'prices',
  summary: 'Show your prices of models, and the file that has them.',
  details:
    'Bridgedeck knows no prices. With yours, turns whose agent does not tell its cost are priced by their tokens when they end, marked with ≈, and count for cost limits. Prices are USD for a million tokens; the first entry whose model fits counts.',
  options: { create: flag('Make the file, with instructions and without a price, where it is not there yet.') },
  data: {
    path: 'absolute path of the file',
    isThere: 'whether the file is there',
    prices: '[{ model, input, output, cachedRead, cachedWrite, date, source }]',
    problem: 'what is wrong with the file, or null',
  },
  examples: ['agent prices', 'agent prices --create'],
  run: async ({ output, signal, openSession }, { create }) => {
    const { client } = await openSession()
    if (create) await client.call('agents.createPrices', {}, signal)
    const shown = await client.call('agents.prices', {}, signal)
    if (shown.problem !== null)
      throw new AppError('INVALID', shown.problem, { hint: `Costs stay unknown until ${shown.path} is corrected.` })
    const none = shown.isThere ? 'It has no prices yet.' : 'It is not there yet. --create makes it.'
    output.result(shown, [shown.path, table(shown.prices.map(rowOf), none)])
    return EXIT_OK
  },
})

const rowOf = ({ model, input, output, cachedRead, cachedWrite, date, source }: Price): Cell[] => [
  model,
  `in ${input}`,
  `out ${output}`,
  `cached ${cachedRead ?? '—'}`,
  `into the cache ${cachedWrite ?? '—'}`,
  date,
  oneLine(source),
]
