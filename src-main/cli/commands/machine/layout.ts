import { formatAddress } from '@shared/c64/address'
import { memoryLayout } from '@shared/c64/memoryLayout'
import { readChipRegisters, videoRegisters } from '../../chipRegisters'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { readRam } from '../../graphicsMemory'
import { machine } from '../../parameters'
import { table } from '../../printed'
import { machineGroup as group } from './group'

export const machineLayout = defineCommand({
  group,
  name: 'layout',
  summary: 'Show the current memory map.',
  details:
    'BASIC’s program and variables, the VIC-II’s screen, characters, bitmap and sprites, the ROM and I/O that the CPU sees, the programs that Bridgedeck loaded since the last reset and whether memory still holds them, and the segments of cc65’s and llvm-mos’s debug files. Parts can lie over each other.',
  options: { machine: machine('The machine to read from.') },
  data: {
    machine: 'the machine’s name',
    parts: '[{ start, end, bytes, name, why, changed }]; changed: of a loaded program, how many bytes; null elsewhere',
  },
  examples: ['layout', 'layout --json'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { client } = session
    const { ram, isHidden } = await readRam(session, machine, signal)
    const io = await readChipRegisters(session, { machine, ranges: videoRegisters }, signal)
    const { programs } = await client.call('running.loaded', { machine }, signal)
    const { segments } = await client.call('labels.segments', { machine }, signal)
    const layout = memoryLayout({ ram, io, isHidden }, { programs, segments })
    const parts = layout.map(({ start, end, name, why, changed = null }) => ({
      start: formatAddress(start),
      end: formatAddress(end),
      bytes: end - start + 1,
      name,
      why,
      changed,
    }))
    output.result(
      { machine, parts },
      table([
        ['start', 'end', 'bytes', 'what', 'by'],
        ...parts.map(({ start, end, bytes, name, why }) => [start, end, String(bytes), name, why]),
      ]),
    )
    return EXIT_OK
  },
})
