import { chips } from './chips'

export type VideoMode = 'text' | 'multicolourText' | 'bitmap' | 'multicolourBitmap' | 'extendedText' | 'invalid'

export const videoModeTitles: Readonly<Record<VideoMode, string>> = {
  text: 'text',
  multicolourText: 'multicolour text',
  bitmap: 'bitmap',
  multicolourBitmap: 'multicolour bitmap',
  extendedText: 'extended colour text',
  invalid: 'invalid mode (black)',
}

export interface Video {
  readonly bank: number
  readonly bankStart: number
  readonly screen: number
  readonly characters: number
  readonly bitmap: number
  readonly charactersFromRom: boolean
  readonly mode: VideoMode
  readonly displayOn: boolean
  readonly rows: 24 | 25
  readonly columns: 38 | 40
  readonly scrollX: number
  readonly scrollY: number
  readonly raster: number
  /**
   * Whether the bytes look like chip registers: unconnected bits of the VIC-II read 1. If false, the program had banked
   * the I/O area out and nothing else here holds.
   */
  readonly visible: boolean
}

export const IO_START = 0xd000
export const IO_SIZE = 0x1000

export const ioByte = (io: Uint8Array, address: number): number => io[address - IO_START] ?? 0

export const BANK_SIZE = 0x4000

export function decodeVideo(io: Uint8Array): Video {
  const control1 = ioByte(io, 0xd011)
  const control2 = ioByte(io, 0xd016)
  const memory = ioByte(io, 0xd018)
  const bank = ~ioByte(io, chips.cia2.start) & 3
  const bankStart = bank * BANK_SIZE
  const characters = bankStart + ((memory & 0x0e) << 10)
  return {
    bank,
    bankStart,
    screen: bankStart + ((memory & 0xf0) << 6),
    characters,
    bitmap: bankStart + ((memory & 0x08) << 10),
    charactersFromRom: isCharacterRom(characters),
    mode: modeOf(control1, control2),
    displayOn: (control1 & 0x10) !== 0,
    rows: control1 & 0x08 ? 25 : 24,
    columns: control2 & 0x08 ? 40 : 38,
    scrollX: control2 & 7,
    scrollY: control1 & 7,
    raster: ioByte(io, 0xd012) | ((control1 & 0x80) << 1),
    visible: looksLikeVic(io),
  }
}

export const isText = ({ mode }: Pick<Video, 'mode'>): boolean =>
  mode === 'text' || mode === 'multicolourText' || mode === 'extendedText'

/** Whether the VIC-II sees character ROM at this address, whatever the CPU sees there. */
export const isCharacterRom = (address: number): boolean => (address & 0x7000) === 0x1000

/** Indexed by the bits ECM, BMM, MCM. */
const modes: readonly VideoMode[] = ['text', 'multicolourText', 'bitmap', 'multicolourBitmap', 'extendedText']

function modeOf(control1: number, control2: number): VideoMode {
  const bits = ((control1 & 0x60) >> 4) | ((control2 & 0x10) >> 4)
  return modes[bits] ?? 'invalid'
}

/** Bits that always read 1, by register; after the chip's documentation, as the $Dxxx captures of real machines show. */
const unconnected: readonly (readonly [address: number, mask: number])[] = [
  [0xd016, 0xc0],
  [0xd018, 0x01],
  [0xd019, 0x70],
  [0xd01a, 0xf0],
  ...Array.from({ length: 15 }, (_, index) => [0xd020 + index, 0xf0] as const),
  ...Array.from({ length: 17 }, (_, index) => [0xd02f + index, 0xff] as const),
]

const looksLikeVic = (io: Uint8Array): boolean =>
  unconnected.every(([address, mask]) => (ioByte(io, address) & mask) === mask)
