import type { VideoStandard } from '../contract/machine'
import { formatAddress } from './address'
import { chips, type ChipId } from './chips'
import { colourName } from './palettes'
import { decodeVideo, ioByte, videoModeTitles } from './video'

/**
 * `read`: what the chip holds or sees. `latched`: not what was written; the chip keeps that apart, where it cannot be
 * read. `writeOnly`: a real chip does not give it back; an emulator shows what was last written.
 */
export type Readability = 'read' | 'latched' | 'writeOnly'

export interface RegisterRow {
  readonly address: number
  readonly name: string
  readonly description: string
  readonly value: number
  readonly meaning: string
  readonly readable: Readability
}

/** Cycles per second. */
export const clockRates: Readonly<Record<VideoStandard, number>> = { pal: 985_248, ntsc: 1_022_727 }

type Read = (offset: number) => number
type Meanings = Readonly<Record<string, (read: Read, offset: number) => string>>

/** @param io 4096 bytes from $D000 */
export function decodeChip(chip: ChipId, io: Uint8Array, standard: VideoStandard): RegisterRow[] {
  const { start, registers } = chips[chip]
  const read: Read = (offset) => ioByte(io, start + offset)
  const meanings: Meanings = { vic: vic(io), sid: sid(standard), cia1: cia(1, standard), cia2: cia(2, standard) }[chip]
  return registers.map(({ name, description }, offset) => ({
    address: start + offset,
    name,
    description,
    value: read(offset),
    meaning: meanings[name.replace(/^(SP|V)\d/, '$1')]?.(read, offset) ?? '',
    readable: readability(chip, name),
  }))
}

export function readability(chip: ChipId, name: string): Readability {
  if (chip === 'sid') return /^(POT|OSC|ENV)/.test(name) ? 'read' : 'writeOnly'
  return /^(RASTER|ICR|T[AB](LO|HI)|TOD.*)$/.test(name) ? 'latched' : 'read'
}

const isSet = (value: number, bit: number): boolean => ((value >> bit) & 1) === 1
const hex = (value: number): string => formatAddress(value)

const bits = (value: number, wanted = 1): string => {
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => ((value >> bit) & 1) === wanted)
  return numbers.length === 0 ? 'none' : numbers.join(', ')
}

const flags = (value: number, titles: readonly (readonly [bit: number, title: string])[], none = 'none'): string => {
  const set = titles.filter(([bit]) => isSet(value, bit)).map(([, title]) => title)
  return set.length === 0 ? none : set.join(', ')
}

const sprites = (read: Read, offset: number): string => {
  const numbers = bits(read(offset))
  return numbers === 'none' ? numbers : `${numbers.includes(',') ? 'sprites' : 'sprite'} ${numbers}`
}
const colour = (read: Read, offset: number): string => colourName(read(offset))

const vicInterrupts = [
  [0, 'raster'],
  [1, 'sprite with foreground'],
  [2, 'sprite with sprite'],
  [3, 'light pen'],
] as const

function vic(io: Uint8Array): Meanings {
  const video = decodeVideo(io)
  const rom = video.charactersFromRom ? ' (ROM)' : ''
  return {
    SPX: (read, offset) => `x ${read(offset) | (isSet(read(0x10), offset >> 1) ? 0x100 : 0)}`,
    SPY: (read, offset) => `y ${read(offset)}`,
    SPXMSB: sprites,
    CONTROL1: () =>
      `${videoModeTitles[video.mode]}, display ${video.displayOn ? 'on' : 'off'}, ${video.rows} rows, scroll ${video.scrollY}`,
    RASTER: () => `line ${video.raster}`,
    LPX: (read, offset) => `x ${read(offset) * 2}`,
    LPY: (read, offset) => `y ${read(offset)}`,
    SPENABLE: sprites,
    CONTROL2: (read, offset) =>
      `multicolour ${isSet(read(offset), 4) ? 'on' : 'off'}, ${video.columns} columns, scroll ${video.scrollX}`,
    SPEXPANDY: sprites,
    MEMORY: () => `screen ${hex(video.screen)}, characters ${hex(video.characters)}${rom}, bitmap ${hex(video.bitmap)}`,
    IRQ: (read, offset) => flags(read(offset), vicInterrupts),
    IRQMASK: (read, offset) => flags(read(offset), vicInterrupts),
    SPBEHIND: sprites,
    SPMULTI: sprites,
    SPEXPANDX: sprites,
    SPSPHIT: sprites,
    SPBGHIT: sprites,
    BORDER: colour,
    BG0: colour,
    BG1: colour,
    BG2: colour,
    BG3: colour,
    SPMC0: colour,
    SPMC1: colour,
    SPCOLOUR: colour,
  }
}

/** Times of the envelope generator at 1 MHz, ms, by the nibble's value; decay and release take three times as long. */
export const attackTimes = [2, 8, 16, 24, 38, 56, 68, 80, 100, 250, 500, 800, 1000, 3000, 5000, 8000]

const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`
const attack = (nibble: number): string => duration(attackTimes[nibble & 0x0f] ?? 0)
const decay = (nibble: number): string => duration((attackTimes[nibble & 0x0f] ?? 0) * 3)

const noteNames = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B']

/** The nearest note of equal temperament, A4 = 440 Hz; empty below C0. */
function noteOf(hertz: number): string {
  const semitones = Math.round(12 * Math.log2(hertz / 440)) + 57
  return semitones < 0 ? '' : `${noteNames[semitones % 12] ?? ''}${Math.floor(semitones / 12)}`
}

/** In Hz, from a SID frequency register. */
export const sidFrequency = (register: number, standard: VideoStandard): number =>
  (register * clockRates[standard]) / 0x1000000

function sid(standard: VideoStandard): Meanings {
  const word = (read: Read, offset: number): number => read(offset) | (read(offset + 1) << 8)
  return {
    VFREQLO: (read, offset) => {
      const hertz = sidFrequency(word(read, offset), standard)
      const note = noteOf(hertz)
      return `${hertz.toFixed(1)} Hz${note === '' ? '' : ` (${note})`}`
    },
    VPULSELO: (read, offset) => `${(((word(read, offset) & 0xfff) / 0x1000) * 100).toFixed(1)} % high`,
    VCONTROL: (read, offset) => {
      const waveform = flags(
        read(offset),
        [
          [4, 'triangle'],
          [5, 'sawtooth'],
          [6, 'pulse'],
          [7, 'noise'],
        ],
        'no waveform',
      )
      const rest = flags(
        read(offset),
        [
          [1, 'sync'],
          [2, 'ring modulation'],
          [3, 'test'],
        ],
        '',
      )
      return `${waveform}, gate ${isSet(read(offset), 0) ? 'on' : 'off'}${rest === '' ? '' : `, ${rest}`}`
    },
    VAD: (read, offset) => `attack ${attack(read(offset) >> 4)}, decay ${decay(read(offset))}`,
    VSR: (read, offset) => `sustain ${read(offset) >> 4} of 15, release ${decay(read(offset))}`,
    CUTOFFLO: (read, offset) => `cut-off ${(read(offset) & 7) | (read(offset + 1) << 3)} of 2047`,
    RESONANCE: (read, offset) =>
      `resonance ${read(offset) >> 4} of 15, filters ${flags(
        read(offset),
        [
          [0, 'voice 1'],
          [1, 'voice 2'],
          [2, 'voice 3'],
          [3, 'external input'],
        ],
        'nothing',
      )}`,
    VOLUME: (read, offset) =>
      `volume ${read(offset) & 0x0f} of 15, ${flags(
        read(offset),
        [
          [4, 'low-pass'],
          [5, 'band-pass'],
          [6, 'high-pass'],
          [7, 'voice 3 off'],
        ],
        'no filter',
      )}`,
    POTX: (read, offset) => `${read(offset)}`,
    POTY: (read, offset) => `${read(offset)}`,
    OSC3: (read, offset) => `${read(offset)}`,
    ENV3: (read, offset) => `${read(offset)}`,
  }
}

const bcd = (value: number): string => value.toString(16).padStart(2, '0')

const ciaInterrupts = [
  [0, 'timer A'],
  [1, 'timer B'],
  [2, 'alarm'],
  [3, 'serial port'],
  [4, 'FLAG line'],
] as const

function cia(which: 1 | 2, standard: VideoStandard): Meanings {
  const timer = (read: Read, offset: number): string => {
    const cycles = read(offset) | (read(offset + 1) << 8)
    return `${cycles} (${((cycles / clockRates[standard]) * 1000).toFixed(2)} ms)`
  }
  const portA = (read: Read, offset: number): string => {
    if (which === 1) return `low: ${bits(read(offset), 0)}`
    const bank = ~read(offset) & 3
    const lines = flags(read(offset), [
      [3, 'ATN out'],
      [4, 'CLOCK out'],
      [5, 'DATA out'],
      [6, 'CLOCK in'],
      [7, 'DATA in'],
    ])
    return `bank ${bank} (${hex(bank * 0x4000)}), high: ${lines}`
  }
  const control = (value: number, counts: string): string =>
    [
      isSet(value, 0) ? 'running' : 'stopped',
      isSet(value, 3) ? 'once' : 'over and over',
      `counts ${counts}`,
      ...(isSet(value, 1) ? ['output on port B'] : []),
    ].join(', ')
  return {
    PRA: portA,
    PRB: (read, offset) => `low: ${bits(read(offset), 0)}`,
    DDRA: (read, offset) => `outputs: ${bits(read(offset))}`,
    DDRB: (read, offset) => `outputs: ${bits(read(offset))}`,
    TALO: timer,
    TBLO: timer,
    TODTENTHS: (read, offset) => `${read(offset) & 0x0f} tenths`,
    TODSEC: (read, offset) => `${bcd(read(offset) & 0x7f)} s`,
    TODMIN: (read, offset) => `${bcd(read(offset) & 0x7f)} min`,
    TODHR: (read, offset) =>
      `${bcd(read(offset) & 0x1f)}:${bcd(read(offset - 1) & 0x7f)}:${bcd(read(offset - 2) & 0x7f)}.${read(offset - 3) & 0x0f} ${isSet(read(offset), 7) ? 'PM' : 'AM'}`,
    ICR: (read, offset) => flags(read(offset), [...ciaInterrupts, [7, which === 1 ? 'IRQ' : 'NMI']]),
    CRA: (read, offset) =>
      `${control(read(offset), isSet(read(offset), 5) ? 'CNT' : 'cycles')}, TOD from ${isSet(read(offset), 7) ? 50 : 60} Hz`,
    CRB: (read, offset) =>
      control(read(offset), ['cycles', 'CNT', 'timer A', 'timer A while CNT is high'][(read(offset) >> 5) & 3] ?? ''),
  }
}
