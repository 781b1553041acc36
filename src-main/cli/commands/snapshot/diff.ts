import { ALL_PINS, locationOf, spaceShown } from '@shared/c64/banking'
import { formatByte } from '@shared/c64/address'
import { counted } from '@shared/countedText'
import { machineNameSchema } from '@shared/contract/machine'
import { MAX_DIFFERENCES, MAX_DIFFERING_BYTES, type SnapshotSource } from '@shared/contract/memorySnapshots'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { hexByte, hexString } from '../../hexDump'
import { number, optional, required } from '../../parameters'
import { nameLocations, placeRange, resolvePlace } from '../../place'
import { table, toned } from '../../printed'
import { UsageError } from '../../usageError'
import { readName, snapshotGroup as group, spanText } from './group'

const MAX_PRINTED_BYTES = 8

const source = (placeholder: string, help: string) => ({
  ...optional(placeholder, help, readSource),
  about: 'BEFORE and AFTER are names of snapshots, or machines as they are now: @builtin, @vice:6502.',
})

export const snapshotDiff = defineCommand({
  group,
  name: 'diff',
  summary: 'Show where two snapshots, or a snapshot and a machine, differ.',
  details:
    'Compares RAM where both have it, else what the CPU sees without the chips at $D000-$DFFF, then colour RAM and registers.',
  positionals: {
    before: required(source('BEFORE', 'What to compare with.')),
    after: source('AFTER', 'What to compare. Default: @builtin.'),
  },
  options: {
    range: placeRange('Only these addresses.'),
    limit: number('COUNT', 'Ranges to list at most. Default: 50.', { min: 1, max: MAX_DIFFERENCES }),
  },
  data: {
    differences: `[{ bank, range, length, name, before, after }]; before and after: hex, the first ${MAX_DIFFERING_BYTES} bytes; name: of the first address, or null`,
    ranges: 'number of all differing ranges',
    bytes: 'number of differing bytes',
    unread: 'bytes that could not be compared',
    registers: '[{ name, before, after }]',
  },
  examples: [
    'snapshot diff before',
    'snapshot diff @vice:6502 @builtin',
    "snapshot diff before after --range '$0400-$07e7'",
  ],
  run: async ({ output, signal, openSession }, { before, after = { machine: 'builtin' }, range, limit = 50 }) => {
    const session = await openSession()
    const { client } = session
    for (const source of [before, after]) if ('machine' in source) await session.connectLasting(source.machine, signal)
    const machine = [after, before].flatMap((source) => ('machine' in source ? [source.machine] : []))[0] ?? 'builtin'
    const place = range ? await resolvePlace(openSession, machine, range, signal) : undefined
    const within = place ? [{ address: place.start, length: place.end - place.start + 1 }] : []
    const found = await client.call('snapshots.compare', { before, after, within, limit }, signal)
    const located = ({ space, address }: (typeof found.differences)[number]): number =>
      locationOf(spaceShown(space, ALL_PINS, address), address)
    const names = await nameLocations(session, machine, found.differences.map(located), signal)
    const rows = found.differences.map((difference) => {
      const { space, address, length, before, after } = difference
      const name = names.get(located(difference))?.name ?? null
      return { bank: space, range: spanText({ address, length }), length, name, before, after }
    })
    const { differences, ranges, bytes, unread, registers } = found
    output.result(
      {
        differences: rows.map(({ before, after, ...row }) => ({
          ...row,
          before: hexString(before),
          after: hexString(after),
        })),
        ranges,
        bytes,
        unread,
        registers,
      },
      [
        bytes === 0
          ? 'Memory is the same.'
          : `${counted(bytes, 'byte')} in ${counted(ranges, 'range')} ${bytes === 1 ? 'differs' : 'differ'}:`,
        table(
          rows.map(({ bank, range, length, name, before, after }) => [
            range,
            bank === 'colorRam' ? 'colour RAM' : bank === 'cpu' ? 'as the CPU sees it' : '',
            name ?? '',
            `${shown(before, length)} → ${shown(after, length)}`,
          ]),
        ),
        ...(ranges > differences.length
          ? [`… and ${ranges - differences.length} more ranges: --limit lists them.`]
          : []),
        ...registers.map(({ name, before, after }) => `${name}: ${formatByte(before)} → ${formatByte(after)}`),
        toned(
          'notice',
          unread === 0
            ? ''
            : `${counted(unread, 'byte')} could not be compared: reading them would change the machine.`,
        ),
      ],
    )
    return EXIT_OK
  },
})

const shown = (bytes: Uint8Array, length: number): string =>
  `${Array.from(bytes.subarray(0, MAX_PRINTED_BYTES), hexByte).join(' ')}${length > MAX_PRINTED_BYTES ? ' …' : ''}`

function readSource(given: string): SnapshotSource {
  if (!given.startsWith('@')) return { snapshot: readName(given) }
  const { data, error } = machineNameSchema.safeParse(given.slice(1))
  if (error) throw new UsageError(`“${given}” is no machine. Write it as @builtin or @vice:6502.`)
  return { machine: data }
}
