import { formatAddress } from '@shared/c64/address'
import { byteListings, bytesAs } from '@shared/c64/bytesAs'
import { spaces, type MemorySpace, type Space } from '@shared/contract/memory'
import { defineCommand } from '../../command'
import { hexDump, hexString } from '../../hexDump'
import { memoryRange, printable, rangeOptions, underChips } from '../../memoryRange'
import { EXIT_OK } from '../../exitCodes'
import { namedMemory } from '../../namedMemory'
import { choice, filePath, machine, memoryBank } from '../../parameters'
import { resolvePlace } from '../../place'
import { printedText } from '../../printed'
import { saveFile } from '../../saveFile'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

export const machineRead = defineCommand({
  group,
  name: 'read',
  summary: 'Read memory: as a hex dump, by name or as source text, or into a file.',
  details:
    'With --as names, each byte or word has a row with its name: the program’s labels before those that every C64 has. For a pointer, the row also shows what it points to. Known pointers are those of the system and, on the built-in C64, those that code took an address from.',
  options: {
    ...rangeOptions,
    bank: memoryBank(),
    as: choice('FORM', 'Show names or source text instead of a hex dump.', [...byteListings, 'names']),
    out: filePath('Write the bytes, or the text of --as, to this file.'),
    machine: machine('The machine to read from.'),
  },
  data: {
    machine: 'the machine’s name',
    address: 'such as $0400',
    length: 'bytes',
    bank: 'BANK',
    bytes: 'hexadecimal',
    time: 'ISO time',
    'names?': '--as names: [{ address, bytes, kind, name, holds, target, description }]; kind: byte, word or pointer',
  },
  examples: [
    "read --address '$0400' --length 40",
    'read --machine vice:6502 --address VIC.BORDER --bank io',
    "read --machine vice:6502 --address '$0000' --bank drive8",
    "read --address '$0840' --length 63 --as basic",
    "read --address '$0000' --length 256 --bank cpu --as names",
  ],
  run: async ({ output, signal, openSession }, { machine, out, as, address, ...values }) => {
    const { start } = await resolvePlace(openSession, machine, address, signal)
    const range = memoryRange({ ...values, address: start })
    const space = as === 'names' ? requireOwnMemory(range.space) : null
    const session = await openSession()
    await session.connect(machine, signal)
    const { bytes, time } = await session.client.call('memory.read', { machine, ...range }, signal)
    const shown = { machine, address: range.address, bytes }
    const named = space && (await namedMemory(session, { ...shown, space }, signal))
    const listing = named ? `${printedText(named.printed, plainPaper)}\n` : listingOf(as, shown)
    if (out) await saveFile(out, listing === null ? bytes : new TextEncoder().encode(listing))
    const data = {
      machine,
      address: formatAddress(range.address),
      length: bytes.length,
      bank: range.space,
      bytes: hexString(bytes),
      time: new Date(time).toISOString(),
      ...(named ? { names: named.names } : {}),
    }
    output.result(
      data,
      out
        ? `Saved ${bytes.length} bytes from ${data.address} in ${out.written}.`
        : (named?.printed ?? listing?.trimEnd() ?? dump(range, bytes)),
    )
    return EXIT_OK
  },
})

function dump({ space, address }: { space: MemorySpace; address: number }, bytes: Uint8Array): string {
  const note = underChips(space, address)
  return [hexDump(address, bytes, printable), ...(note === '' ? [] : [note])].join('\n')
}

const plainPaper = { width: Infinity, hasColours: false }

const listingOf = (as: string | undefined, { bytes, address }: { bytes: Uint8Array; address: number }) => {
  const listing = byteListings.find((each) => each === as)
  return listing === undefined ? null : bytesAs(listing, bytes, address)
}

/** @throws UsageError for a drive's memory, whose bytes have no names here */
function requireOwnMemory(space: MemorySpace): Space {
  const own = spaces.find((each) => each === space)
  if (own === undefined) throw new UsageError('Only the C64’s own memory is shown by name.', 'read')
  return own
}
