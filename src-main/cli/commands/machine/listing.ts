import { listBasic } from '@shared/c64/basic/list'
import { AppError } from '@shared/contract/errors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { machineGroup as group } from './group'

const TXTTAB = 0x2b
const MEMORY = 0x10000

export const machineListing = defineCommand({
  group,
  name: 'listing',
  summary: 'List the BASIC program in memory.',
  details: 'As LIST would, with control codes in braces: {clr}, {$01}.',
  options: { machine: machine('The machine to read.') },
  data: { machine: 'the machine’s name', lines: 'texts' },
  examples: ['listing'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const read = async (address: number, length: number): Promise<Uint8Array> =>
      (await session.client.call('memory.read', { machine, space: 'ram', address, length }, signal)).bytes
    const [low = 0, high = 0, endLow = 0, endHigh = 0] = await read(TXTTAB, 4)
    const [start, end] = [low | (high << 8), endLow | (endHigh << 8)]
    if (end <= start)
      throw new AppError('NOT_FOUND', 'There is no BASIC program.', { hint: 'Its pointers at $2B are not in order.' })
    const bytes = await read(start, Math.min(end, MEMORY) - start)
    const lines = listBasic((address) => bytes[address - start] ?? 0, start)
    output.result({ machine, lines }, lines.length === 0 ? 'The BASIC program is empty.' : lines.join('\n'))
    return EXIT_OK
  },
})
