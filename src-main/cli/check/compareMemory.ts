import { formatAddress, formatByte } from '@shared/c64/address'
import { fitsAt, type FittingBytes } from '@shared/c64/search/bytePattern'
import { counted } from '@shared/countedText'
import type { Register } from '@shared/contract/memory'
import { hexByte } from '../hexDump'
import type { Mismatch } from './compareScreen'
import type { Cycles } from './planSchema'

const BYTES_A_ROW = 8
const MAX_SHOWN_ROWS = 12

/** Null for any byte. */
export type ExpectedByte = number | null

export function compareBytes(
  where: string,
  address: number,
  found: Uint8Array,
  expected: readonly ExpectedByte[],
): Mismatch | null {
  const fits = (at: number): boolean => expected[at] === null || expected[at] === found[at]
  return describeBytes(where, address, { found, length: expected.length, fits, textOf: (at) => byteText(expected[at]) })
}

export function compareText(
  where: string,
  address: number,
  found: Uint8Array,
  { text, pattern }: { readonly text: string; readonly pattern: readonly FittingBytes[] },
): Mismatch | null {
  const fits = (at: number): boolean => fitsAt(found, at, pattern.slice(at, at + 1))
  const characters = Array.from(text)
  const mismatch = describeBytes(where, address, {
    found,
    length: pattern.length,
    fits,
    textOf: (at) => (fits(at) ? byteText(found[at]) : ` ${characters[at] ?? ''}`),
  })
  return mismatch && { ...mismatch, expected: `“${text.slice(0, 400)}”\n${mismatch.expected}` }
}

const byteText = (byte: number | null | undefined): string =>
  byte === null || byte === undefined ? '??' : hexByte(byte)

interface Compared {
  readonly found: Uint8Array
  readonly length: number
  readonly fits: (at: number) => boolean
  readonly textOf: (at: number) => string
}

function describeBytes(where: string, address: number, { found, length, fits, textOf }: Compared): Mismatch | null {
  const wrong = Array.from({ length }, (_, at) => at).filter((at) => !fits(at))
  const [first] = wrong
  if (first === undefined) return null
  const rows = [...new Set(wrong.map((at) => Math.floor(at / BYTES_A_ROW)))]
  const side = (text: (at: number) => string): string =>
    [
      ...rows.slice(0, MAX_SHOWN_ROWS).map((row) => {
        const from = row * BYTES_A_ROW
        const size = Math.min(BYTES_A_ROW, length - from)
        return `${formatAddress(address + from)} ${Array.from({ length: size }, (_, at) => text(from + at)).join(' ')}`
      }),
      ...(rows.length > MAX_SHOWN_ROWS ? [`… ${rows.length - MAX_SHOWN_ROWS} more rows differ`] : []),
    ].join('\n')
  return {
    message: `${where}: ${counted(wrong.length, 'byte')} of ${length} ${wrong.length === 1 ? 'differs' : 'differ'}, the first at ${formatAddress(address + first)}.`,
    expected: side(textOf),
    found: side((at) => byteText(found[at])),
  }
}

const flagBits = { n: 7, v: 6, b: 4, d: 3, i: 2, z: 1, c: 0 } as const
type Flag = keyof typeof flagBits
const isFlag = (name: string): name is Flag => Object.hasOwn(flagBits, name)

export interface ExpectedRegisters {
  readonly values: ReadonlyMap<string, number>
  readonly flags: Readonly<Partial<Record<Flag, number | undefined>>>
}

export function compareRegisters(
  registers: readonly Register[],
  { values, flags }: ExpectedRegisters,
): Mismatch | null {
  const found = new Map(registers.map(({ name, value }) => [name, value]))
  const status = found.get('FL')
  const sides = [
    ...[...values].map(([name, value]) => {
      const text = name === 'PC' ? formatAddress : formatByte
      const there = found.get(name)
      return { name, expected: text(value), found: there === undefined ? 'unknown' : text(there) }
    }),
    ...Object.entries(flags).flatMap(([name, value]) =>
      value === undefined || !isFlag(name)
        ? []
        : [
            {
              name: name.toUpperCase(),
              expected: String(value),
              found: status === undefined ? 'unknown' : String((status >> flagBits[name]) & 1),
            },
          ],
    ),
  ].filter(({ expected, found }) => expected !== found)
  if (sides.length === 0) return null
  const text = (which: 'expected' | 'found') => sides.map((side) => `${side.name} = ${side[which]}`).join('\n')
  return {
    message: `${sides.map(({ name }) => name).join(', ')} ${sides.length === 1 ? 'differs' : 'differ'}.`,
    expected: text('expected'),
    found: text('found'),
  }
}

export function compareCycles(where: string, counted: number, { min, max, exact }: Cycles): Mismatch | null {
  const low = exact ?? min ?? 0
  const high = exact ?? max ?? Infinity
  if (counted >= low && counted <= high) return null
  const expected =
    exact !== undefined
      ? `exactly ${exact} cycles`
      : max === undefined
        ? `at least ${low} cycles`
        : min === undefined
          ? `at most ${high} cycles`
          : `${low} to ${high} cycles`
  const off = counted > high ? `${counted - high} too many` : `${low - counted} too few`
  return { message: `${where}: ${counted} cycles, ${off}.`, expected, found: `${counted} cycles` }
}
