import { formatAddress } from '@shared/c64/address'
import { defineCommand } from '../../command'
import { hexDump, hexString } from '../../hexDump'
import { memoryRange, printable, rangeOptions } from '../../memoryRange'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, memoryBank } from '../../parameters'
import { resolvePlace } from '../../place'
import { saveFile } from '../../saveFile'
import { machineGroup as group } from './group'

export const machineRead = defineCommand({
  group,
  name: 'read',
  summary: 'Read memory: as a hex dump, or into a file.',
  options: {
    ...rangeOptions,
    bank: memoryBank(),
    out: filePath('The file that gets the bytes.'),
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
  ],
  run: async ({ output, signal, openSession }, { machine, out, address, ...values }) => {
    const { start } = await resolvePlace(openSession, machine, address, signal)
    const range = memoryRange({ ...values, address: start })
    const session = await openSession()
    await session.connect(machine, signal)
    const { bytes, time } = await session.client.call('memory.read', { machine, ...range }, signal)
    if (out) await saveFile(out, bytes)
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
        : hexDump(range.address, bytes, printable),
    )
    return EXIT_OK
  },
})
