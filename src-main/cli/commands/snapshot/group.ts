import { formatRange } from '@shared/c64/address'
import { snapshotName, type MemorySnapshot } from '@shared/contract/memorySnapshots'
import { MACHINES_HEADING, type CommandGroup } from '../../command'
import { flag, optional, required, type Parameter } from '../../parameters'
import { UsageError } from '../../usageError'

export const snapshotGroup: CommandGroup = {
  name: 'snapshot',
  aliases: ['snapshots'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'Named images of memory, and how they differ',
  details:
    'A snapshot has all RAM that the machine reaches, what the CPU sees, colour RAM and the registers. Bridgedeck keeps it until you delete it; the task compare_snapshot takes one as its baseline: snapshot:NAME.',
}

export const name = (help: string): Parameter<string> => required(optional('NAME', help, readName))

export const replace = flag('Replace a snapshot of that name.')

export function readName(given: string): string {
  const { data, error } = snapshotName.safeParse(given)
  if (error)
    throw new UsageError(
      `“${given}” is no name of a snapshot: up to 60 letters, digits, blanks, dots, dashes and underscores.`,
    )
  return data
}

export const snapshotShape = '{ name, source, time, ranges }'

export const snapshotData = ({ time, ranges, ...snapshot }: MemorySnapshot) => ({
  ...snapshot,
  time: new Date(time).toISOString(),
  ranges: ranges.map(({ space, address, length }) => ({ bank: space, range: spanText({ address, length }) })),
})

export const spanText = ({ address, length }: { readonly address: number; readonly length: number }): string =>
  formatRange({ start: address, end: address + length })
