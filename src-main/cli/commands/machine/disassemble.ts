import { formatAddress } from '@shared/c64/address'
import { dataLine, listLines, type ListedLine, type Runs } from '@shared/c64/codeListing'
import { nameOperand } from '@shared/c64/disassembler'
import type { DescribedAddress } from '@shared/contract/labels'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { hexByte, hexString } from '../../hexDump'
import { bank, flag, machine, number, required, withDefault } from '../../parameters'
import { nameAddresses, place, resolvePlace } from '../../place'
import { table } from '../../printed'
import { machineGroup as group } from './group'

const MAX_INSTRUCTIONS = 300
/** Bytes; an instruction has three at most. */
const LONGEST_LINE = 8

export const machineDisassemble = defineCommand({
  group,
  name: 'disassemble',
  summary: 'Show memory as instructions, with the labels of the program.',
  options: {
    address: required(place('The first instruction.')),
    count: withDefault(number('N', 'How many instructions.', { min: 1, max: MAX_INSTRUCTIONS }), 20),
    bank: bank(),
    seen: flag('Tell code from data by what the CPU ran: what never ran is data.'),
    machine: machine('The machine to read from.'),
  },
  data: {
    machine: 'the machine’s name',
    bank: 'BANK',
    instructions:
      '[{ address, bytes, text, label, target, source, kind }]; kind: run, guess (did not run, may be data) or data; null without --seen',
  },
  examples: [
    "disassemble --address '$fce2' --bank rom --count 8",
    'disassemble --address CHROUT --bank cpu --json',
    "disassemble --address '$e000' --bank cpu --seen",
  ],
  run: async ({ output, signal, openSession }, { address: written, count, bank, seen, machine }) => {
    const session = await openSession()
    const { start } = await resolvePlace(openSession, machine, written, signal)
    await session.connect(machine, signal)
    const { client } = session
    const length = Math.min(count * LONGEST_LINE, 0x10000 - start)
    const { bytes } = await client.call('memory.read', { machine, space: bank, address: start, length }, signal)
    const runs = seen ? (await client.call('running.coverage', { machine, seconds: null }, signal))[bank].runs : null
    const code = linesIn(bytes, start, count, runs)
    const addresses = code.flatMap(({ address, target }) => (target === null ? [address] : [address, target]))
    const names = await nameAddresses(session, machine, { bank, addresses }, signal)
    const lines = code.map((instruction) => describeLine(instruction, names, seen))
    output.result(
      { machine, bank, instructions: lines.map(({ data }) => data) },
      table(lines.flatMap(({ rows }) => rows)),
    )
    return EXIT_OK
  },
})

function linesIn(bytes: Uint8Array, start: number, count: number, runs: Runs): ListedLine[] {
  const end = start + bytes.length
  const lines = listLines((address) => bytes[address - start] ?? 0, runs, start, count)
  const isWhole = ({ address, length }: ListedLine) => address + length <= end
  const cut = end === 0x10000 ? lines.find((line) => !isWhole(line)) : undefined
  const rest = cut ? [dataLine((address) => bytes[address - start] ?? 0, cut.address, end - cut.address)] : []
  return [...lines.filter(isWhole), ...rest]
}

function describeLine(instruction: ListedLine, names: ReadonlyMap<number, DescribedAddress>, seen: boolean) {
  const { address, bytes, target } = instruction
  const here = names.get(address)
  const label = here?.isLabel === true ? here.name : null
  const text = nameOperand(instruction, target === null ? null : (names.get(target)?.name ?? null))
  return {
    data: {
      address: formatAddress(address),
      bytes: hexString(Uint8Array.from(bytes)),
      text,
      label,
      target: target === null ? null : formatAddress(target),
      source: here?.source ?? null,
      kind: seen ? instruction.kind : null,
    },
    rows: [
      ...(label === null ? [] : [[`${label}:`]]),
      [
        formatAddress(address),
        bytes.map(hexByte).join(' '),
        text,
        here?.source ?? '',
        ...(seen && instruction.kind === 'guess' ? ['not seen to run'] : []),
      ],
    ],
  }
}
