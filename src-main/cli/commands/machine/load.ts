import { basename } from 'node:path'
import { formatAddress } from '@shared/c64/address'
import { parsePrg } from '@shared/c64/prg'
import { loadedBytes } from '@shared/c64/programStart'
import { MAX_PRG_BYTES } from '@shared/contract/running'
import { counted } from '@shared/countedText'
import { describePlace } from '@shared/outcomeText'
import { readBounded } from '../../../files/readBounded'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { dataOf, outcomeData, outcomeOf } from '../../outcomes'
import { filePath, machine, required } from '../../parameters'
import { place, resolvePlace } from '../../place'
import { programOf } from '../../sourceProgram'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

const BASIC_START = 0x0801

export const machineLoad = defineCommand({
  group,
  name: 'load',
  summary: 'Load a program into memory without running it.',
  details:
    'A PRG or P00, or a source as for bridgedeck run. What is loaded to $0801 is BASIC’s program afterwards, so that it can be listed and run.',
  positionals: { file: required(filePath('The program.')) },
  options: {
    at: place('Load it there, in place of its own load address.'),
    machine: machine('The machine to load it into.'),
  },
  data: {
    machine: 'the machine’s name',
    program: 'as written',
    start: 'such as $0801',
    end: 'the last byte',
    bytes: 'number',
    ...outcomeData,
  },
  examples: ['load game.prg', "load game.prg --at '$c000'"],
  run: async ({ output, environment, signal, openSession }, { file, at, machine }) => {
    const content = await readBounded(await programOf(file, environment), MAX_PRG_BYTES)
    const program = parsePrg(content)
    const start = at ? (await resolvePlace(openSession, machine, at, signal)).start : program.loadAddress
    if (start + program.bytes.length > 0x10000)
      throw new UsageError(`${counted(program.bytes.length, 'byte')} at ${formatAddress(start)} would go past $FFFF.`)
    const moved = { ...program, loadAddress: start, end: start + program.bytes.length }
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const title = basename(file.written)
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 300)
    await session.client.call('running.requireRunnable', { machine, title, bytes: content, at: start }, signal)
    const parts = loadedBytes(moved)
    for (const { address, bytes } of start === BASIC_START ? parts : parts.slice(0, 1))
      await session.client.call('memory.write', { machine, space: 'ram', address, bytes }, signal)
    const outcome = await outcomeOf(session, machine, { awaits: 'now', seconds: 0 }, signal)
    const range = { start: formatAddress(start), end: formatAddress(moved.end - 1) }
    output.result(
      { machine, program: file.written, ...range, bytes: program.bytes.length, ...dataOf(outcome) },
      [
        `Loaded ${counted(program.bytes.length, 'byte')} of ${file.written} to ${range.start}-${range.end}. It does not run yet.`,
        describePlace(outcome),
      ].filter((line) => line !== ''),
    )
    return EXIT_OK
  },
})
