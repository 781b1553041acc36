import { formatAddress, formatRange } from '@shared/c64/address'
import { searchKinds } from '@shared/c64/search/searchMemory'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { hexString } from '../../hexDump'
import { choice, machine, memoryBank, required, text, withDefault } from '../../parameters'
import { placeRange, resolvePlace } from '../../place'
import { table } from '../../printed'
import { machineGroup as group } from './group'

const ALL_MEMORY = { start: 0, end: 0xffff }

export const machineSearch = defineCommand({
  group,
  name: 'search',
  summary: 'Search memory for bytes, text, words, pointers or instructions.',
  details:
    'QUERY is, by --as:\n' +
    '  bytes        a9 ?? 8d 2? d0: hex digits, ? for any digit\n' +
    '  text         letters in both cases, as PETSCII, screen codes or ASCII, ? for any character;\n' +
    '               petscii, screen and ascii search in one of them\n' +
    '  word         an address or number, low byte first\n' +
    '  pointer      an address: words that hold it, operands, and branches to it\n' +
    "  instruction  'sta $d0??', 'ld? #* : sta vic.border': ? for one character, * for any number",
  positionals: { query: required(text('QUERY', 'What to search for.')) },
  options: {
    as: withDefault(choice('KIND', 'What QUERY is.', searchKinds), 'bytes'),
    range: placeRange('Where matches begin. Default: all memory.'),
    bank: memoryBank(),
    machine: machine('The machine to search.'),
  },
  data: {
    machine: 'the machine’s name',
    total: 'how many were found',
    matches: '[{ address, length, bytes, what }], the first 1000; bytes are hexadecimal, 16 at most',
  },
  examples: [
    "search 'a9 ?? 8d 20 d0'",
    'search READY --as text --bank cpu',
    "search 'sta $d0??' --as instruction --range '$0801-$9fff'",
    'search CHROUT --as pointer --bank rom',
  ],
  run: async ({ output, signal, openSession }, { query, as: kind, range, bank: space, machine }) => {
    const { start: address, end } = range ? await resolvePlace(openSession, machine, range, signal) : ALL_MEMORY
    const session = await openSession()
    await session.connect(machine, signal)
    const where = { machine, space, address, length: end + 1 - address }
    const { matches, total } = await session.client.call('memory.search', { ...where, kind, query }, signal)
    const shown = matches.map(({ address, length, bytes, what }) => ({
      address: formatAddress(address),
      length,
      bytes: hexString(bytes),
      what,
    }))
    const more = total > matches.length ? [`… and ${total - matches.length} more.`] : []
    const rows = shown.map(({ address, bytes, what }) => [address, bytes, what ?? ''])
    output.result(
      { machine, total, matches: shown },
      total === 0
        ? `Nothing found in ${formatRange({ start: address, end: end + 1 })}.`
        : [`${counted(total, 'place')}:`, table(rows), ...more],
    )
    return EXIT_OK
  },
})
