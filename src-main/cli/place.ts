/** Addresses and ranges as they are written on the command line, with the labels of the program on a machine. */
import { parseAddressRange, parseUnambiguousAddress } from '@shared/c64/address'
import { toFailure } from '@shared/contract/errors'
import type { Output } from '@shared/contract/contract'
import { MAX_LABELS_FOUND, type DescribedAddress } from '@shared/contract/labels'
import type { CommandContext } from './command'
import { optional, type Optional } from './parameters'
import type { Session } from './session'
import { asUsage } from './usageError'

export interface WrittenPlace {
  readonly text: string
  readonly range: boolean
  /** Known without asking for labels; null for what may be a name. */
  readonly known: Place | null
}

type Place = Output<'labels.resolve'>

/** Whether it says so itself, so that no label can be meant. */
const isNumber = (text: string): boolean => /^\s*(?:[$%+\d]|0x)/i.test(text)

/** An address or the name of one. */
export const place = (help: string): Optional<WrittenPlace> => ({
  ...optional('ADDRESS', help, (text) => {
    if (!isNumber(text)) return { text, range: false, known: null }
    const start = asUsage(() => parseUnambiguousAddress(text))
    return { text, range: false, known: { start, end: start, label: null } }
  }),
  about:
    'ADDRESS is $0400, 0x0400, 1024, a label of the program such as main or main+3, or a register’s name such as VIC.BORDER. See bridgedeck label --help.',
})

/** Whether a label may be part of a range. */
export const mayHaveLabel = (range: string): boolean => !isNumber(range) || /(?:\.\.|-|\+)\s*[^\s\d$%+-]/.test(range)

/** Both ends included. */
export const placeRange = (help: string): Optional<WrittenPlace> => ({
  ...optional('RANGE', help, (text) => {
    if (mayHaveLabel(text)) return { text, range: true, known: null }
    const { start, end } = asUsage(() => parseAddressRange(text, parseUnambiguousAddress))
    return { text, range: true, known: { start, end: end - 1, label: null } }
  }),
  about:
    'RANGE is $C000, $C000-$C0FF, $C000..$C0FF, $C000+256, a label of the program in place of an address, or a region such as SID or zero page.',
})

/** @throws UsageError for a name that the machine’s program does not have */
export async function resolvePlace(
  openSession: CommandContext['openSession'],
  machine: string,
  { text, range, known }: WrittenPlace,
  signal: AbortSignal,
): Promise<Place> {
  if (known) return known
  const { client } = await openSession()
  try {
    return await client.call('labels.resolve', { machine, text, range }, signal)
  } catch (error) {
    if (toFailure(error).code !== 'INVALID') throw error
    return asUsage(() => {
      throw error
    })
  }
}

/** What the addresses are called on a machine, and which source lines they come from. */
export async function nameAddresses(
  session: Session,
  machine: string,
  addresses: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, DescribedAddress>> {
  const asked = [...new Set(addresses)]
  const names = new Map<number, DescribedAddress>()
  for (let from = 0; from === 0 || from < asked.length; from += MAX_LABELS_FOUND) {
    const some = asked.slice(from, from + MAX_LABELS_FOUND)
    const { described } = await session.client.call('labels.describe', { machine, addresses: some }, signal)
    for (const [index, found] of described.entries()) names.set(some[index] ?? 0, found)
  }
  return names
}
