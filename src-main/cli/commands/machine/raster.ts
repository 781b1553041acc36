import { formatAddress, formatByte } from '@shared/c64/address'
import {
  cpuCycles,
  frameUseText,
  groupLines,
  instructionAt,
  lineUses,
  sumOfUses,
  writeText,
} from '@shared/c64/rasterLines'
import { linesText } from '@shared/c64/videoFrame/frameText'
import type { ChipWrite, RasterFrame } from '@shared/contract/rasterFrame'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { table } from '../../printed'
import { machineGroup as group } from './group'

export const machineRaster = defineCommand({
  group,
  name: 'raster',
  summary: 'Show the CPU cycles of each raster line, and the cycle of each write to the VIC-II.',
  details:
    'Waits for line 0, follows the machine for one frame, then leaves it as it was: running or paused. Only the built-in C64 tells what each cycle does. Cycles of a line count from 0.',
  options: { machine: machine('The machine to follow.') },
  data: {
    machine: 'the machine’s name',
    cycles: 'of the frame',
    cpu: 'how many of them the CPU has',
    lines:
      '[{ firstLine, lastLine, cpu, matrix, sprites, waits }]; cycles of each line; lines that follow each other and have as many are one entry',
    writes: '[{ line, cycle, address, value, by }]; of the VIC-II and $DD00; by: the instruction’s address',
  },
  examples: ['raster', 'raster --json'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const frame = await session.client.call('running.rasterFrame', { machine }, signal)
    const uses = lineUses(frame)
    const groups = groupLines(uses)
    output.result(
      {
        machine,
        cycles: frame.cycles.length,
        cpu: cpuCycles(sumOfUses(uses)),
        lines: groups.map(({ firstLine, lastLine, use }) => ({
          firstLine,
          lastLine,
          cpu: cpuCycles(use),
          matrix: use.matrix,
          sprites: use.sprite,
          waits: use.waits,
        })),
        writes: frame.writes.map((write) => writeData(write, frame)),
      },
      [
        frameUseText(frame),
        table([
          ['lines', 'CPU', 'video matrix', 'sprites', 'waits'],
          ...groups.map((lines) => [
            linesText(lines),
            ...[cpuCycles(lines.use), lines.use.matrix, lines.use.sprite, lines.use.waits].map(String),
          ]),
        ]),
        table([
          ['line', 'cycle', 'write', 'by'],
          ...frame.writes.map((write) => [
            String(write.line),
            String(write.cycle),
            writeText(write),
            writeData(write, frame).by,
          ]),
        ]),
      ],
    )
    return EXIT_OK
  },
})

const writeData = ({ line, cycle, address, value }: ChipWrite, frame: RasterFrame) => ({
  line,
  cycle,
  address: formatAddress(address),
  value: formatByte(value),
  by: formatAddress(instructionAt(frame, line, cycle)),
})
