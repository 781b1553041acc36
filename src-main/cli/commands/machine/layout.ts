import { formatAddress } from '@shared/c64/address'
import { memoryLayout } from '@shared/c64/memoryLayout'
import { readChipRegisters, videoRegisters } from '../../chipRegisters'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { table } from '../../printed'
import type { Session } from '../../session'
import { machineGroup as group } from './group'

export const machineLayout = defineCommand({
  group,
  name: 'layout',
  summary: 'Show what lies where in memory now.',
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

/** Around the chips, where some registers cannot be read without disturbing the program. */
const aroundChips = [
  [0x0000, 0xd000],
  [0xe000, 0x2000],
] as const

/** All RAM, or what the CPU sees where the machine reaches no more. */
async function readRam({ client }: Session, machine: string, signal: AbortSignal) {
  const { machines } = await client.call('machine.list', {}, signal)
  const limit = machines.find((listed) => listed.machine === machine)?.capabilities.ramUnderRom ?? null
  if (limit === null) {
    const whole = { machine, space: 'ram' as const, address: 0, length: 0x10000 }
    return { ram: (await client.call('memory.read', whole, signal)).bytes, isHidden: false }
  }
  const ram = new Uint8Array(0x10000)
  for (const [address, length] of aroundChips)
    ram.set((await client.call('memory.read', { machine, space: 'cpu', address, length }, signal)).bytes, address)
  return { ram, isHidden: true }
}
