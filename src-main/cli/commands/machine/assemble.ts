import { formatAddress } from '@shared/c64/address'
import { assemble } from '@shared/c64/assembler'
import { disassemble } from '@shared/c64/disassembler'
import { findAmong, type NamedAddress } from '@shared/c64/labels/names'
import { counted } from '@shared/countedText'
import { toFailure } from '@shared/contract/errors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { hexString } from '../../hexDump'
import { machine, memoryBank, required, text } from '../../parameters'
import { place, resolvePlace } from '../../place'
import type { Session } from '../../session'
import { asUsage, UsageError } from '../../usageError'
import { machineGroup as group } from './group'

const LONGEST_INSTRUCTION = 3

export const machineAssemble = defineCommand({
  group,
  name: 'assemble',
  summary: 'Write one instruction into memory, with the labels of the program.',
  details:
    'Numbers are decimal unless they say otherwise: $ff, %1010. <NAME and >NAME are the low and the high byte of an address. An instruction that is longer than the one it replaces overwrites the beginning of the next, and says so.',
  options: {
    address: required(place('The address of the instruction.')),
    line: required(text('INSTRUCTION', 'Such as lda #$01, sta $d020,x or bne loop.')),
    bank: memoryBank(),
    machine: machine('The machine to write to.'),
  },
  data: {
    machine: 'the machine’s name',
    address: 'such as $C000',
    bank: 'BANK',
    bytes: 'hexadecimal',
    text: 'as the disassembler shows it',
    replaced: '[{ address, text }]: what stood there, wholly or in part',
  },
  examples: ["assemble --address '$c000' --line 'lda #$01'", "assemble --address '$c002' --line 'sta VIC.BORDER'"],
  run: async ({ output, signal, openSession }, { machine, address: written, line, bank }) => {
    const { start: address } = await resolvePlace(openSession, machine, written, signal)
    const session = await openSession()
    await session.connect(machine, signal)
    const names = findAmong(await namesIn(session, machine, line, signal))
    const bytes = asUsage(() => assemble(line, address, names))
    if (address + bytes.length > 0x10000)
      throw new UsageError(`${bytes.length} bytes at ${formatAddress(address)} would go past $FFFF.`)
    const length = Math.min(2 * LONGEST_INSTRUCTION, 0x10000 - address)
    const { client } = session
    const { bytes: before } = await client.call('memory.read', { machine, space: bank, address, length }, signal)
    await client.call('memory.write', { machine, space: bank, address, bytes }, signal)
    const replaced = instructionsOver(before, address, bytes.length)
    const shown = textAt(bytes, address)
    output.result(
      { machine, address: formatAddress(address), bank, bytes: hexString(bytes), text: shown, replaced },
      [
        `Wrote ${shown} (${hexString(bytes)}) at ${formatAddress(address)}, over ${replaced.map(({ text }) => text).join(' and ')}.`,
        ...(replaced.length > 1 ? [`It overwrites ${counted(replaced.length, 'instruction')}.`] : []),
      ].join(' '),
    )
    return EXIT_OK
  },
})

const textAt = (bytes: Uint8Array, address: number): string =>
  disassemble((each) => bytes[each - address] ?? 0, address).text

function instructionsOver(bytes: Uint8Array, start: number, length: number) {
  const found: { address: string; text: string }[] = []
  for (let at = 0; at < length;) {
    const instruction = disassemble((address) => bytes[address - start] ?? 0, start + at)
    found.push({ address: formatAddress(start + at), text: instruction.text })
    at += instruction.length
  }
  return found
}

async function namesIn(session: Session, machine: string, line: string, signal: AbortSignal): Promise<NamedAddress[]> {
  const words = [...new Set(line.replace(/^\s*\S+/, '').match(/(?<![$%\w])[a-z_.@][\w.@]*/gi) ?? [])]
  const found: NamedAddress[] = []
  for (const name of words) {
    try {
      const { start } = await session.client.call('labels.resolve', { machine, text: name, range: false }, signal)
      found.push({ name, address: start })
    } catch (error) {
      if (toFailure(error).code !== 'INVALID') throw error
    }
  }
  return found
}
