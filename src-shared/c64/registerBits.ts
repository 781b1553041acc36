import type { ChipId } from './chips'
import { readability } from './registers'

export interface RegisterBit {
  readonly bit: number
  readonly title: string
}

type Fields = readonly (readonly [title: string, bits: number])[]

const unused = 'not used'
const single = (...titles: readonly string[]): Fields => titles.map((title) => [title, 1])
const numbered = (title: string): Fields => single(...[7, 6, 5, 4, 3, 2, 1, 0].map((n) => `${title} ${n}`))
const colour: Fields = [
  [unused, 4],
  ['colour', 4],
]
const sprites = numbered('sprite')
const ciaInterrupts = single(
  'sets, or clears',
  unused,
  unused,
  'FLAG line',
  'serial port',
  'alarm',
  'timer B',
  'timer A',
)

const fields: Readonly<Record<ChipId, Readonly<Record<string, Fields>>>> = {
  vic: {
    SPXMSB: sprites,
    CONTROL1: [
      ...single('raster line, bit 8 (written: of its interrupt)', 'extended colour', 'bitmap', 'display on', '25 rows'),
      ['vertical scroll', 3],
    ],
    SPENABLE: sprites,
    CONTROL2: [[unused, 3], ...single('multicolour', '40 columns'), ['horizontal scroll', 3]],
    SPEXPANDY: sprites,
    MEMORY: [
      ['screen', 4],
      ['characters, the first of them bitmap', 3],
      [unused, 1],
    ],
    IRQ: single('any', unused, unused, unused, 'light pen', 'sprite with sprite', 'sprite with foreground', 'raster'),
    IRQMASK: [[unused, 4], ...single('light pen', 'sprite with sprite', 'sprite with foreground', 'raster')],
    SPSPHIT: sprites,
    SPBGHIT: sprites,
    SPBEHIND: sprites,
    SPMULTI: sprites,
    SPEXPANDX: sprites,
    BORDER: colour,
    BG0: colour,
    BG1: colour,
    BG2: colour,
    BG3: colour,
    SPMC0: colour,
    SPMC1: colour,
    SPCOLOUR: colour,
  },
  sid: {
    VPULSEHI: [
      [unused, 4],
      ['pulse width', 4],
    ],
    VCONTROL: single('noise', 'pulse', 'sawtooth', 'triangle', 'test', 'ring modulation', 'sync', 'gate'),
    VAD: [
      ['attack', 4],
      ['decay', 4],
    ],
    VSR: [
      ['sustain', 4],
      ['release', 4],
    ],
    CUTOFFLO: [
      [unused, 5],
      ['cut-off', 3],
    ],
    RESONANCE: [
      ['resonance', 4],
      ...single('filter external input', 'filter voice 3', 'filter voice 2', 'filter voice 1'),
    ],
    VOLUME: [...single('voice 3 off', 'high-pass', 'band-pass', 'low-pass'), ['volume', 4]],
  },
  cia1: {
    DDRA: numbered('output'),
    DDRB: numbered('output'),
    ICR: ciaInterrupts,
    CRA: controlFields(['time of day from 50 Hz', 'serial port sends', 'counts CNT'], 6),
    CRB: controlFields(['time of day sets the alarm', 'counts timer A', 'counts CNT'], 7),
  },
  cia2: {
    PRA: [
      ...single('DATA in', 'CLOCK in', 'DATA out', 'CLOCK out', 'ATN out', 'RS-232 out'),
      ['VIC-II bank, inverted', 2],
    ],
    DDRA: numbered('output'),
    DDRB: numbered('output'),
    ICR: ciaInterrupts,
    CRA: controlFields(['time of day from 50 Hz', 'serial port sends', 'counts CNT'], 6),
    CRB: controlFields(['time of day sets the alarm', 'counts timer A', 'counts CNT'], 7),
  },
}

function controlFields(first: readonly string[], output: number): Fields {
  return single(
    ...first,
    'loads the timer',
    'stops after one run',
    'toggles the output',
    `output on PB${output}`,
    'running',
  )
}

export function registerBits(chip: ChipId, name: string): RegisterBit[] {
  const known = fields[chip][name.replace(/^(SP|V)\d/, '$1')] ?? ([['value', 8]] as const)
  let bit = 8
  return known.flatMap(([title, bits]) =>
    Array.from({ length: bits }, (_, index) => {
      bit--
      return { bit, title: bits === 1 || title === unused ? title : `${title}, bit ${bits - 1 - index}` }
    }),
  )
}

export function bitsLimit(chip: ChipId, name: string): string | null {
  if (readability(chip, name) === 'latched') return 'What is written here is kept apart, and cannot be read.'
  return /^(LP[XY]|SPSPHIT|SPBGHIT|POT[XY]|OSC3|ENV3)$/.test(name) ? 'This register can only be read.' : null
}

/** What to write so that one bit changes. @param value what is read */
export function withBitChanged(name: string, value: number, bit: number): number {
  // Writing a 1 clears an interrupt of the VIC-II; a 0 keeps the others.
  if (name === 'IRQ') return 1 << bit
  // Bit 7 reads the raster line now, not what was written.
  const kept = name === 'CONTROL1' && bit !== 7 ? value & 0x7f : value
  return kept ^ (1 << bit)
}
