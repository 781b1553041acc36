import { formatAddress, formatByte } from './address'

export const byteListings = ['hex', 'assembler', 'basic', 'c'] as const
export type ByteListing = (typeof byteListings)[number]

export const listingTitles: Readonly<Record<ByteListing, string>> = {
  hex: 'Hexadecimal',
  assembler: 'Assembler',
  basic: 'BASIC DATA',
  c: 'C',
}

const BYTES_A_LINE = 16
const BASIC_CHARACTERS = 80
const FIRST_LINE = 1000
const LINE_STEP = 10

const listings: Readonly<Record<ByteListing, (bytes: Uint8Array, start: number) => string[]>> = {
  hex: (bytes) => linesOf(bytes).map((line) => line.map((byte) => hex(byte).toUpperCase()).join(' ')),
  assembler: (bytes, start) => [
    `* = ${formatAddress(start)}`,
    ...linesOf(bytes).map((line) => `        .byte ${line.map((byte) => formatByte(byte)).join(', ')}`),
  ],
  basic: (bytes) => basicLines(bytes).map((line, index) => `${FIRST_LINE + index * LINE_STEP} data ${line}`),
  c: (bytes, start) => [
    `/* ${formatAddress(start)} */`,
    `static const unsigned char bytes[${bytes.length}] = {`,
    ...linesOf(bytes).map((line) => `  ${line.map((byte) => `0x${hex(byte)}`).join(', ')},`),
    '};',
  ],
}

/**
 * Each line with its end. Hexadecimal as `write` and the window take it; assembler for 64tass, ca65 and KickAssembler;
 * BASIC as DATA in small letters, as typed on a C64.
 */
export const bytesAs = (listing: ByteListing, bytes: Uint8Array, start: number): string =>
  listings[listing](bytes, start)
    .map((line) => `${line}\n`)
    .join('')

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')

const linesOf = (bytes: Uint8Array): number[][] =>
  Array.from({ length: Math.ceil(bytes.length / BYTES_A_LINE) }, (_, line) => [
    ...bytes.subarray(line * BYTES_A_LINE, (line + 1) * BYTES_A_LINE),
  ])

function basicLines(bytes: Uint8Array): string[] {
  const lines: string[] = []
  for (const byte of bytes) {
    const head = `${FIRST_LINE + (lines.length - 1) * LINE_STEP} data `
    const longer = `${lines.at(-1) ?? ''},${byte}`
    if (lines.length > 0 && head.length + longer.length <= BASIC_CHARACTERS) lines[lines.length - 1] = longer
    else lines.push(String(byte))
  }
  return lines
}
