import { formatAddress, formatByte, formatChange } from '@shared/c64/address'
import { cycleText } from '@shared/c64/cycleText'
import type { DescribedAddress } from '@shared/contract/labels'
import type { ByteAccess, ByteHistory, ByteWrite } from '@shared/contract/timeTravel'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, required } from '../../parameters'
import { nameAddresses, place, resolvePlace } from '../../place'
import { table } from '../../printed'
import { machineGroup as group } from './group'

export const machineWhy = defineCommand({
  group,
  name: 'why',
  summary: 'Show who wrote a byte, who read it, and its last changes.',
  details: 'Of the byte as the CPU sees it: at $D000 to $DFFF the chip, unless the program has switched it away.',
  positionals: { address: required(place('The address of the byte.')) },
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
  run: async ({ output, signal, openSession }, { address: written, machine }) => {
    const session = await openSession()
    const { start: address } = await resolvePlace(openSession, machine, written, signal)
    await session.connectLasting(machine, signal)
    const { client } = session
    const { bytes } = await client.call('memory.read', { machine, space: 'cpu', address, length: 1 }, signal)
    const history = await client.call('timeTravel.byteHistory', { machine, address }, signal)
    const value = bytes[0] ?? 0
    const names = await nameAddresses(session, machine, [address, ...writersOf(history)], signal)
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
    const called = [formatAddress(address), address, names.get(address)?.name ?? null].filter((part) => part !== null)
    output.result(data, [`${called.join(' = ')} holds ${formatByte(value)}`, table(rowsOf(history, names))])
    return EXIT_OK
  },
})

const accessData = ({ clock, by }: ByteAccess, now: number) => ({
  cyclesAgo: now - clock,
  by: by && formatAddress(by.address),
  text: by?.text ?? null,
})

const writeData = (write: ByteWrite, now: number) => ({ ...accessData(write, now), from: write.from, to: write.to })

const writersOf = ({ lastWrite, lastRead, changes }: ByteHistory): number[] =>
  [lastWrite, lastRead, ...changes].flatMap((access) => (access?.by ? [access.by.address] : []))

function rowsOf(history: ByteHistory, names: ReadonlyMap<number, DescribedAddress>): string[][] {
  const { clock, clockRate, lastWrite, lastRead, lastRun, changes, since } = history
  const ago = (when: number): string => `${cycleText(clock - when, clockRate)} ago`
  const by = ({ by }: ByteAccess): string => {
    if (!by) return 'an interrupt'
    const { name = null, source = null } = names.get(by.address) ?? {}
    return [formatAddress(by.address), by.text, name, source].filter((part) => part !== null).join('  ')
  }
  return [
    lastWrite ? ['written', ago(lastWrite.clock), formatChange(lastWrite), by(lastWrite)] : ['written', 'not seen'],
    lastRead ? ['read', ago(lastRead.clock), '', by(lastRead)] : ['read', 'not seen'],
    lastRun === null ? ['run', 'not seen'] : ['run', ago(lastRun)],
    ...changes.map((write) => ['changed', ago(write.clock), formatChange(write), by(write)]),
    ...(changes.length === 0 ? [['changed', `not in the last ${cycleText(clock - since, clockRate)}`]] : []),
  ]
}
