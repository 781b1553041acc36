import { formatAddress, formatByte } from '@shared/c64/address'
import { AppError } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { underChips } from '../../memoryRange'
import { flag, hexBytes, machine, memoryBank, required } from '../../parameters'
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
    verify: flag('Read the bytes back, and fail if they differ.'),
    machine: machine('The machine to write to.'),
  },
  data: { machine: 'the machine’s name', address: 'such as $0400', written: 'bytes', bank: 'BANK' },
  examples: ["write --address '$d020' --bytes 05 --bank io", "write --address '$c000' --bytes 'a9 05' --verify"],
  run: async ({ output, signal, openSession }, { machine, address: written, bytes, bank, verify }) => {
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
    if (verify) {
      const range = { machine, space: bank, address, length: bytes.length }
      requireSame(address, bytes, (await session.client.call('memory.read', range, signal)).bytes)
    }
    output.result(
      { machine, address: formatAddress(address), written: count, bank },
      `Wrote ${counted(count, 'byte')} at ${formatAddress(address)}. ${underChips(bank, address)}`.trimEnd(),
    )
    return EXIT_OK
  },
})

/** @throws AppError CONFLICT that names the first byte that differs */
function requireSame(address: number, written: Uint8Array, found: Uint8Array): void {
  const at = written.findIndex((byte, index) => byte !== found[index])
  if (at < 0) return
  const [wanted, present] = [formatByte(written[at] ?? 0), formatByte(found[at] ?? 0)]
  throw new AppError('CONFLICT', `${formatAddress(address + at)} holds ${present} after ${wanted} was written to it.`, {
    hint: 'ROM and chip registers do not give back what was written; a program may have changed it since.',
  })
}
