import { formatAddress, formatByte } from '@shared/c64/address'
import { FIRST_TOKEN, keywords } from '@shared/c64/basic/tokens'
import { chips } from '@shared/c64/chips'
import { modeLengths, opcodes } from '@shared/c64/disassembler'
import { labels, regions } from '@shared/c64/memoryMap'
import { counted } from '@shared/countedText'

export interface Reference {
  readonly uri: string
  readonly title: string
  readonly text: () => string
}

const KERNAL_START = 0xff81
/** End of the zero page, the stack and the system's buffers and vectors. */
const LOW_END = 0x0400

const lines = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join('  ')).join('\n')

const labelled = (from: number, to: number) => (): string =>
  lines(
    labels
      .filter(({ address }) => address >= from && address < to)
      .map(({ address, name, description }) => [formatAddress(address), name, description]),
  )

const modeNames = {
  imp: 'implied',
  acc: 'A',
  imm: '#n',
  zp: 'zp',
  zpx: 'zp,X',
  zpy: 'zp,Y',
  abs: 'abs',
  abx: 'abs,X',
  aby: 'abs,Y',
  ind: '(abs)',
  izx: '(zp,X)',
  izy: '(zp),Y',
  rel: 'relative',
} as const satisfies Record<keyof typeof modeLengths, string>

export const references: readonly Reference[] = [
  {
    uri: 'bridgedeck://c64/memory-map',
    title: 'Memory map of the C64',
    text: () =>
      lines(
        regions.map(({ start, end, name, description }) => [
          `${formatAddress(start)}-${formatAddress(end)}`,
          name,
          description,
        ]),
      ),
  },
  { uri: 'bridgedeck://c64/low-memory', title: 'Zero page, vectors and system variables', text: labelled(0, LOW_END) },
  { uri: 'bridgedeck://c64/kernal', title: 'Routines of the KERNAL', text: labelled(KERNAL_START, 0x10000) },
  {
    uri: 'bridgedeck://c64/chips',
    title: 'Registers of VIC-II, SID and CIAs',
    text: () =>
      lines(
        Object.values(chips).flatMap(({ name: chip, start, registers }) =>
          registers.map(({ name, description }, index) => [
            formatAddress(start + index),
            `${chip}.${name}`,
            description,
          ]),
        ),
      ),
  },
  {
    uri: 'bridgedeck://c64/opcodes',
    title: 'The 256 opcodes of the 6510',
    text: () =>
      lines(
        opcodes.map(({ mnemonic, mode, undocumented }, code) => [
          formatByte(code),
          mnemonic,
          modeNames[mode],
          counted(modeLengths[mode], 'byte'),
          ...(undocumented ? ['undocumented'] : []),
        ]),
      ),
  },
  {
    uri: 'bridgedeck://c64/basic',
    title: 'BASIC V2: keywords and their tokens',
    text: () => lines(keywords.map((keyword, index) => [formatByte(FIRST_TOKEN + index), keyword])),
  },
]
