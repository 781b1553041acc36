import { formatAddress } from '@shared/c64/address'
import { byteListings, bytesAs } from '@shared/c64/bytesAs'
import { defineCommand } from '../../command'
import { hexDump, hexString } from '../../hexDump'
import { memoryRange, printable, rangeOptions } from '../../memoryRange'
import { EXIT_OK } from '../../exitCodes'
import { choice, filePath, machine, memoryBank } from '../../parameters'
import { resolvePlace } from '../../place'
import { saveFile } from '../../saveFile'
import { machineGroup as group } from './group'

export const machineRead = defineCommand({
  group,
  name: 'read',
  summary: 'Read memory: as a hex dump or source text, or into a file.',
  options: {
    ...rangeOptions,
    bank: memoryBank(),
    as: choice('FORM', 'As source text in place of a hex dump.', byteListings),
    out: filePath('The file that gets the bytes, or the text of --as.'),
    machine: machine('The machine to read from.'),
  },
  data: {
    machine: 'the machine’s name',
    address: 'such as $0400',
    length: 'bytes',
    bank: 'BANK',
    bytes: 'hexadecimal',
    time: 'ISO time',
  },
  examples: [
    "read --address '$0400' --length 40",
    'read --machine vice:6502 --address VIC.BORDER --bank io',
    "read --machine vice:6502 --address '$0000' --bank drive8",
    "read --address '$0840' --length 63 --as basic",
  ],
  run: async ({ output, signal, openSession }, { machine, out, as, address, ...values }) => {
    const { start } = await resolvePlace(openSession, machine, address, signal)
    const range = memoryRange({ ...values, address: start })
    const session = await openSession()
    await session.connect(machine, signal)
    const { bytes, time } = await session.client.call('memory.read', { machine, ...range }, signal)
    const listing = as && bytesAs(as, bytes, range.address)
    if (out) await saveFile(out, listing === undefined ? bytes : new TextEncoder().encode(listing))
    const data = {
      machine,
      address: formatAddress(range.address),
      length: bytes.length,
      bank: range.space,
      bytes: hexString(bytes),
      time: new Date(time).toISOString(),
    }
    output.result(
      data,
      out
        ? `Saved ${bytes.length} bytes from ${data.address} in ${out.written}.`
        : (listing?.trimEnd() ?? hexDump(range.address, bytes, printable)),
    )
    return EXIT_OK
  },
})
