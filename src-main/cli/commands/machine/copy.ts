import { formatAddress } from '@shared/c64/address'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { bank, machine, memoryBank, required } from '../../parameters'
import { place, placeRange, resolvePlace } from '../../place'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

export const machineCopy = defineCommand({
  group,
  name: 'copy',
  summary: 'Copy memory of a machine to another address.',
  details: 'Both places may overlap: everything is read before the first byte is written.',
  options: {
    range: required(placeRange('What to copy.')),
    to: required(place('Where its first byte goes.')),
    bank: bank(),
    'to-bank': memoryBank(),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', from: 'such as $2000', to: 'such as $4000', written: 'bytes' },
  examples: ["copy --range '$2000-$27ff' --to '$3000'", "copy --range '$d000-$dfff' --bank rom --to '$3000'"],
  run: async ({ output, signal, openSession }, { range, to, bank, machine, ...more }) => {
    const { start, end } = await resolvePlace(openSession, machine, range, signal)
    const { start: target } = await resolvePlace(openSession, machine, to, signal)
    const length = end - start + 1
    if (target + length > 0x10000)
      throw new UsageError(`${counted(length, 'byte')} at ${formatAddress(target)} would go past $FFFF.`)
    const session = await openSession()
    await session.connect(machine, signal)
    const { client } = session
    const { bytes } = await client.call('memory.read', { machine, space: bank, address: start, length }, signal)
    const space = more['to-bank']
    const { written } = await client.call('memory.write', { machine, space, address: target, bytes }, signal)
    output.result(
      { machine, from: formatAddress(start), to: formatAddress(target), written },
      `Copied ${counted(written, 'byte')} from ${formatAddress(start)} to ${formatAddress(target)}.`,
    )
    return EXIT_OK
  },
})
