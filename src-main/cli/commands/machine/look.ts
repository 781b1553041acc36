import { formatAddress } from '@shared/c64/address'
import { describeVideo } from '@shared/c64/videoText'
import { readChipRegisters, videoRegisters } from '../../chipRegisters'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { hexDump, hexString } from '../../hexDump'
import { stateOf } from '../../graphicsMemory'
import { printable } from '../../memoryRange'
import { machine } from '../../parameters'
import { placeRange, resolvePlace } from '../../place'
import { readScreen, screenTextOf } from '../../screenText'
import { describeRegisters } from '../register/group'
import { machineGroup as group } from './group'

export const machineLook = defineCommand({
  group,
  name: 'look',
  summary: 'Show the text screen, the registers, the VIC-II and a part of memory at once.',
  options: {
    range: placeRange('Memory to show as well, as the CPU sees it.'),
    machine: machine('The machine to read from.'),
  },
  data: {
    machine: 'the machine’s name',
    execution: 'running, paused, jammed or unknown',
    rows: '25 texts',
    registers: 'each register’s value by its name; null where the machine does not show them',
    vic: '[{ what, text }]',
    'memory?': '{ address, bytes }',
  },
  examples: ['look', "look --range '$c000-$c03f'"],
  run: async ({ output, signal, openSession }, { machine, range }) => {
    const place = range && (await resolvePlace(openSession, machine, range, signal))
    const session = await openSession()
    await session.connect(machine, signal)
    const { client } = session
    const { execution, capabilities } = await stateOf(session, machine, signal)
    const screen = await readScreen(session, machine, signal)
    const found =
      capabilities.registers === null ? (await client.call('memory.registers', { machine }, signal)).registers : null
    const registers = found && (await describeRegisters(session, machine, found, signal))
    const vic = describeVideo(await readChipRegisters(session, { machine, ranges: videoRegisters }, signal))
    const memory = place && (await client.call('memory.read', { machine, space: 'cpu', ...spanOf(place) }, signal))
    output.result(
      {
        machine,
        execution,
        rows: screen.rows,
        registers: registers?.data.registers ?? null,
        vic,
        ...(place && memory ? { memory: { address: formatAddress(place.start), bytes: hexString(memory.bytes) } } : {}),
      },
      [
        `${machine} is ${execution}. The screen at ${formatAddress(screen.address)}:`,
        screenTextOf(screen),
        registers?.text.replaceAll('\n', '  ') ?? capabilities.registers ?? '',
        vic.map(({ what, text }) => `${what} ${text}`).join('; '),
        ...(place && memory ? [hexDump(place.start, memory.bytes, printable)] : []),
      ],
    )
    return EXIT_OK
  },
})

const spanOf = ({ start, end }: { start: number; end: number }) => ({ address: start, length: end - start + 1 })
