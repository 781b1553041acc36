import { describeAddress, formatAddress, formatByte, formatChange } from '@shared/c64/address'
import { cycleText } from '@shared/c64/cycleText'
import type { ByteAccess, ByteHistory, ByteWrite } from '@shared/contract/timeTravel'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { address, machine, required } from '../../parameters'
import { table } from '../../printed'
import { machineGroup as group } from './group'

export const machineWhy = defineCommand({
  group,
  name: 'why',
  summary: 'Show who wrote a byte, who read it, and its last changes.',
  details: 'Of the byte as the CPU sees it: at $D000 to $DFFF the chip, unless the program has switched it away.',
  positionals: { address: required(address('The address of the byte.')) },
  options: { machine: machine('The machine.') },
  data: {
    machine: 'the machine’s name',
    address: 'such as $D020',
    value: 'of the byte',
    lastWrite: '{ cyclesAgo, by, text, from, to }, or null',
    lastRead: '{ cyclesAgo, by, text }, or null',
    lastRunCyclesAgo: 'when it was run as the first byte of an instruction, or null',
    changes: '[{ cyclesAgo, by, text, from, to }], newest first',
    searchedCycles: 'how far back changes were searched',
  },
  examples: ["why '$d020'", 'why VIC.BORDER --json'],
  run: async ({ output, signal, openSession }, { address, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const { client } = session
    const { bytes } = await client.call('memory.read', { machine, space: 'cpu', address, length: 1 }, signal)
    const history = await client.call('timeTravel.byteHistory', { machine, address }, signal)
    const value = bytes[0] ?? 0
    const { clock, lastWrite, lastRead, lastRun, changes, since } = history
    const data = {
      machine,
      address: formatAddress(address),
      value,
      lastWrite: lastWrite && writeData(lastWrite, clock),
      lastRead: lastRead && accessData(lastRead, clock),
      lastRunCyclesAgo: lastRun === null ? null : clock - lastRun,
      changes: changes.map((change) => writeData(change, clock)),
      searchedCycles: clock - since,
    }
    output.result(data, [`${describeAddress(address)} holds ${formatByte(value)}`, table(rowsOf(history))])
    return EXIT_OK
  },
})

const accessData = ({ clock, by }: ByteAccess, now: number) => ({
  cyclesAgo: now - clock,
  by: by && formatAddress(by.address),
  text: by?.text ?? null,
})

const writeData = (write: ByteWrite, now: number) => ({ ...accessData(write, now), from: write.from, to: write.to })

function rowsOf(history: ByteHistory): string[][] {
  const { clock, clockRate, lastWrite, lastRead, lastRun, changes, since } = history
  const ago = (when: number): string => `${cycleText(clock - when, clockRate)} ago`
  const by = ({ by }: ByteAccess): string => (by ? `${formatAddress(by.address)}  ${by.text}` : 'an interrupt')
  return [
    lastWrite ? ['written', ago(lastWrite.clock), formatChange(lastWrite), by(lastWrite)] : ['written', 'not seen'],
    lastRead ? ['read', ago(lastRead.clock), '', by(lastRead)] : ['read', 'not seen'],
    lastRun === null ? ['run', 'not seen'] : ['run', ago(lastRun)],
    ...changes.map((write) => ['changed', ago(write.clock), formatChange(write), by(write)]),
    ...(changes.length === 0 ? [['changed', `not in the last ${cycleText(clock - since, clockRate)}`]] : []),
  ]
}
