import { formatAddress } from '@shared/c64/address'
import { disassemble, nameOperand, type Instruction } from '@shared/c64/disassembler'
import type { DescribedAddress } from '@shared/contract/labels'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { hexByte, hexString } from '../../hexDump'
import { bank, machine, number, required, withDefault } from '../../parameters'
import { nameAddresses, place, resolvePlace } from '../../place'
import { table } from '../../printed'
import { machineGroup as group } from './group'

const MAX_INSTRUCTIONS = 300
const LONGEST_INSTRUCTION = 3

export const machineDisassemble = defineCommand({
  group,
  name: 'disassemble',
  summary: 'Show memory as instructions, with the labels of the program.',
  options: {
    address: required(place('The first instruction.')),
    count: withDefault(number('N', 'How many instructions.', { min: 1, max: MAX_INSTRUCTIONS }), 20),
    bank: bank(),
    machine: machine('The machine to read from.'),
  },
  data: {
    machine: 'the machine’s name',
    bank: 'BANK',
    instructions: '[{ address, bytes, text, label, target, source }]',
  },
  examples: ["disassemble --address '$fce2' --bank rom --count 8", 'disassemble --address CHROUT --bank cpu --json'],
  run: async ({ output, signal, openSession }, { address: written, count, bank, machine }) => {
    const session = await openSession()
    const { start } = await resolvePlace(openSession, machine, written, signal)
    await session.connect(machine, signal)
    const { client } = session
    const length = Math.min(count * LONGEST_INSTRUCTION, 0x10000 - start)
    const { bytes } = await client.call('memory.read', { machine, space: bank, address: start, length }, signal)
    const code = instructionsIn(bytes, start, count)
    const addresses = code.flatMap(({ address, target }) => (target === null ? [address] : [address, target]))
    const names = await nameAddresses(session, machine, addresses, signal)
    const lines = code.map((instruction) => describeLine(instruction, names))
    output.result(
      { machine, bank, instructions: lines.map(({ data }) => data) },
      table(lines.flatMap(({ rows }) => rows)),
    )
    return EXIT_OK
  },
})

/** As many as are whole. */
function instructionsIn(bytes: Uint8Array, start: number, count: number): Instruction[] {
  const code: Instruction[] = []
  for (let at = 0; at < bytes.length && code.length < count; at += code.at(-1)?.length ?? 1) {
    const instruction = disassemble((address) => bytes[address - start] ?? 0, start + at)
    if (at + instruction.length > bytes.length) break
    code.push(instruction)
  }
  return code
}

function describeLine(instruction: Instruction, names: ReadonlyMap<number, DescribedAddress>) {
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
    },
    rows: [
      ...(label === null ? [] : [[`${label}:`]]),
      [formatAddress(address), bytes.map(hexByte).join(' '), text, here?.source ?? ''],
    ],
  }
}
