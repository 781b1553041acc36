import { parseAddressRange, parseUnambiguousAddress } from '@shared/c64/address'
import { ALL_PINS, bankingPins, locationOf, spaceShown } from '@shared/c64/banking'
import { toFailure } from '@shared/contract/errors'
import type { Output } from '@shared/contract/contract'
import { MAX_LABELS_FOUND, type DescribedAddress } from '@shared/contract/labels'
import type { CommandContext } from './command'
import type { Space } from '@shared/contract/memory'
import { optional, type Optional } from './parameters'
import type { Session } from './session'
import { asUsage } from './usageError'

export interface WrittenPlace {
  readonly text: string
  readonly range: boolean
  readonly known: Place | null
}

type Place = Output<'labels.resolve'>

const isNumber = (text: string): boolean => /^\s*(?:[$%+\d]|0x)/i.test(text)

export const place = (help: string): Optional<WrittenPlace> => ({
  ...optional('ADDRESS', help, (text) => {
    if (!isNumber(text)) return { text, range: false, known: null }
    const start = asUsage(() => parseUnambiguousAddress(text))
    return { text, range: false, known: { start, end: start, label: null, line: null } }
  }),
  about:
    'ADDRESS is $0400, 0x0400, 1024, a label of the program such as main or main+3, a source line such as game.s:120, or a register’s name such as VIC.BORDER. See bridgedeck label --help.',
})

export const mayHaveLabel = (range: string): boolean => !isNumber(range) || /(?:\.\.|-|\+)\s*[^\s\d$%+-]/.test(range)

/** @throws UsageError for numbers that are no range */
export function writtenRange(text: string): WrittenPlace {
  if (mayHaveLabel(text)) return { text, range: true, known: null }
  const { start, end } = asUsage(() => parseAddressRange(text, parseUnambiguousAddress))
  return { text, range: true, known: { start, end: end - 1, label: null, line: null } }
}

/** Both ends included. */
export const placeRange = (help: string): Optional<WrittenPlace> => ({
  ...optional('RANGE', help, writtenRange),
  about:
    'RANGE is $C000, $C000-$C0FF, $C000..$C0FF, $C000+256, a label of the program or a source line (game.s:120) in place of an address, or a region such as SID or zero page.',
})

/** @throws UsageError for a name that the machine's program does not have */
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

export async function nameLocations(
  session: Session,
  machine: string,
  locations: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, DescribedAddress>> {
  const asked = [...new Set(locations)]
  const names = new Map<number, DescribedAddress>()
  for (let from = 0; from === 0 || from < asked.length; from += MAX_LABELS_FOUND) {
    const some = asked.slice(from, from + MAX_LABELS_FOUND)
    const { described } = await session.client.call('labels.describe', { machine, locations: some }, signal)
    for (const [index, found] of described.entries()) names.set(some[index] ?? 0, found)
  }
  return names
}

export async function nameAddresses(
  session: Session,
  machine: string,
  { bank = 'cpu', addresses, pins = null }: { bank?: Space; addresses: readonly number[]; pins?: number | null },
  signal: AbortSignal,
): Promise<ReadonlyMap<number, DescribedAddress>> {
  const isAsked = pins === null && bank === 'cpu' && addresses.some(isBanked)
  const present = isAsked ? await pinsNow(session, machine, signal) : (pins ?? ALL_PINS)
  const located = (address: number): number => locationOf(spaceShown(bank, present, address), address)
  const named = await nameLocations(session, machine, addresses.map(located), signal)
  return new Map(
    addresses.flatMap((address) => {
      const found = named.get(located(address))
      return found ? [[address, found] as const] : []
    }),
  )
}

const isBanked = (address: number): boolean => address >= 0xa000

async function pinsNow({ client }: Session, machine: string, signal: AbortSignal): Promise<number> {
  const port = { machine, space: 'cpu' as const, address: 0, length: 2 }
  const [direction = 0, data = 0] = (await client.call('memory.read', port, signal)).bytes
  return bankingPins(direction, data)
}
