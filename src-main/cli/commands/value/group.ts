import { formatAddress } from '@shared/c64/address'
import type { Values } from '@shared/contract/values'
import { counted } from '@shared/countedText'
import { MACHINES_HEADING, type CommandGroup } from '../../command'
import type { Output } from '../../output'
import { table } from '../../printed'

export const valueGroup: CommandGroup = {
  name: 'value',
  aliases: ['values'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'Find where a running program keeps a value, and freeze it',
  details:
    'value start takes every address. value keep drops those that did not change as the value on the screen did, until few are left. The window and the command line share the search while the window is open or a bridge runs in the background.',
}

const MAX_PRINTED = 20

export const valuesData = {
  machine: 'the machine’s name',
  search:
    '{ bank, size, steps, candidates }, or null; steps: [{ condition, count }]; candidates: [{ address, value }], the first 500',
  frozen: '[{ bank, address, size, value, problem }]',
}

export function printValues(output: Output, machine: string, { search, frozen }: Values): void {
  const data = {
    machine,
    search: search && {
      bank: search.space,
      size: search.size,
      steps: search.steps,
      candidates: search.candidates.map(({ address, value }) => ({ address: formatAddress(address), value })),
    },
    frozen: frozen.map(({ space, address, size, value, problem }) => ({
      bank: space,
      address: formatAddress(address),
      size,
      value,
      problem,
    })),
  }
  const left = search?.steps.at(-1)?.count ?? 0
  const more = left > MAX_PRINTED ? [`… and ${left - MAX_PRINTED} more.`] : []
  output.result(data, [
    ...(search
      ? [
          search.steps.map(({ condition, count }) => `${condition ?? 'all'}: ${count}`).join(', '),
          `${counted(left, 'place')} left${left > 0 ? ':' : '.'}`,
          table(
            search.candidates
              .slice(0, MAX_PRINTED)
              .map(({ address, value }) => [formatAddress(address), String(value)]),
          ),
          ...more,
        ]
      : ['No search for a value is started.']),
    ...frozen.map(
      ({ address, value, problem }) =>
        `${formatAddress(address)} is frozen at ${value}${problem ? `: ${problem}` : '.'}`,
    ),
  ])
}
