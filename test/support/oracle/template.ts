/** What the cases find in the memory that they may touch. */
import { chance } from './random'

/** Bytes that instructions change; pointers stay as they are. */
export const zeroPageData = [...range(0xe0, 0xf0), ...range(0x02, 0x08), ...range(0x10, 0x20)]
/** Bytes that instructions with absolute operands change; behind them the interrupt handlers keep their notes. */
export const DATA_START = 0x2fc0
export const DATA_END = 0x3020

/** Pointers into the data. The high byte of the one at $FF is the $2F of the processor port's direction. */
export const dataPointers = [0xff, 0x08, 0x0a, 0x0c, 0x0e]
/** Pointers up to a page before the data, for (zp),Y. */
export const nearPointers = [0xff, 0xf0, 0xf2, 0xf4, 0xf6, 0xf8, 0xfa, 0xfc]

const NOTES = 0xe0

/** The 256 bytes of all windows. */
export function randomTemplate(seed: number): Uint8Array {
  const { byte, below } = chance(seed, -1)
  const template = Uint8Array.from({ length: 0x100 }, byte)
  const zeroPage = (address: number): number => (address >= 0xe0 ? address - 0xe0 : address + 0x20)
  const point = (at: number, address: number): void => {
    template[zeroPage(at)] = address & 0xff
    if (at !== 0xff) template[zeroPage(at + 1)] = address >> 8
  }
  for (const at of nearPointers) point(at, DATA_START - 0x80 + below(DATA_END - DATA_START + 0x80))
  for (const at of dataPointers) point(at, DATA_START + below(at === 0xff ? 0x40 : DATA_END - DATA_START))
  template.set([0x2f, 0x35], zeroPage(0))
  template[NOTES] = 0
  return template
}

export function pointed(template: Uint8Array, pointer: number): number {
  const zeroPage = (address: number): number => template[(address + 0x20) & 0xff] ?? 0
  return zeroPage(pointer) | (zeroPage((pointer + 1) & 0xff) << 8)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
