import { formatAddress } from '@shared/c64/address'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { address, hexBytes, machine, memoryBank, required } from '../../parameters'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

export const machineWrite = defineCommand({
  group,
  name: 'write',
  summary: 'Write bytes into memory.',
  options: {
    address: required(address('The address of the first byte.')),
    bytes: required(hexBytes('The bytes, two hex digits each.')),
    bank: memoryBank(),
    machine: machine('The machine to write to.'),
  },
  data: { machine: 'the machine’s name', address: 'such as $0400', written: 'bytes', bank: 'BANK' },
  examples: ["write --address '$d020' --bytes 05 --bank io"],
  run: async ({ output, signal, openSession }, { machine, address, bytes, bank }) => {
    if (address + bytes.length > 0x10000)
      throw new UsageError(`${bytes.length} bytes at ${formatAddress(address)} would go past $FFFF.`)
    const session = await openSession()
    await session.connect(machine, signal)
    const { written } = await session.client.call('memory.write', { machine, space: bank, address, bytes }, signal)
    output.result(
      { machine, address: formatAddress(address), written, bank },
      `Wrote ${written === 1 ? '1 byte' : `${written} bytes`} at ${formatAddress(address)}.`,
    )
    return EXIT_OK
  },
})
