import { formatAddress } from '@shared/c64/address'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { hexBytes, machine, memoryBank, required } from '../../parameters'
import { place, resolvePlace } from '../../place'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

export const machineWrite = defineCommand({
  group,
  name: 'write',
  summary: 'Write bytes into memory.',
  options: {
    address: required(place('The address of the first byte.')),
    bytes: required(hexBytes('The bytes, two hex digits each.')),
    bank: memoryBank(),
    machine: machine('The machine to write to.'),
  },
  data: { machine: 'the machine’s name', address: 'such as $0400', written: 'bytes', bank: 'BANK' },
  examples: ["write --address '$d020' --bytes 05 --bank io"],
  run: async ({ output, signal, openSession }, { machine, address: written, bytes, bank }) => {
    const { start: address } = await resolvePlace(openSession, machine, written, signal)
    if (address + bytes.length > 0x10000)
      throw new UsageError(`${bytes.length} bytes at ${formatAddress(address)} would go past $FFFF.`)
    const session = await openSession()
    await session.connect(machine, signal)
    const { written: count } = await session.client.call(
      'memory.write',
      { machine, space: bank, address, bytes },
      signal,
    )
    output.result(
      { machine, address: formatAddress(address), written: count, bank },
      `Wrote ${counted(count, 'byte')} at ${formatAddress(address)}.${underChips(bank, address, count)}`,
    )
    return EXIT_OK
  },
})

/** RAM there is what one seldom means. */
const underChips = (bank: string, address: number, count: number): string =>
  bank === 'ram' && address < 0xe000 && address + count > 0xd000
    ? ' This is the RAM under the chips; their registers are the bank io.'
    : ''
