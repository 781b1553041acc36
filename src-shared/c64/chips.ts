export interface RegisterName {
  readonly name: string
  readonly description: string
}

export interface Chip {
  readonly name: string
  readonly start: number
  /** Inclusive. */
  readonly end: number
  /** The registers repeat after this many bytes. */
  readonly every: number
  readonly registers: readonly RegisterName[]
}

const named = (...pairs: (readonly [name: string, description: string])[]): RegisterName[] =>
  pairs.map(([name, description]) => ({ name, description }))

const eight = Array.from({ length: 8 }, (_, n) => n)
const three = [1, 2, 3]

const vic = named(
  ...eight.flatMap((n) => [
    [`SP${n}X`, `Sprite ${n}: X position, bits 0 to 7`] as const,
    [`SP${n}Y`, `Sprite ${n}: Y position`] as const,
  ]),
  ['SPXMSB', 'Bit 8 of the X position, one bit for each sprite'],
  ['CONTROL1', 'Raster bit 8, extended colour, bitmap, display on, 25 rows, vertical scroll'],
  ['RASTER', 'Read: the raster line now. Written: the line of the raster interrupt'],
  ['LPX', 'Light pen X, in steps of two pixels'],
  ['LPY', 'Light pen Y'],
  ['SPENABLE', 'Sprites that are on, one bit each'],
  ['CONTROL2', 'Multicolour, 40 columns, horizontal scroll'],
  ['SPEXPANDY', 'Sprites of double height, one bit each'],
  ['MEMORY', 'Where the VIC-II finds the screen, the characters and the bitmap'],
  ['IRQ', 'Interrupts that came; writing a 1 clears the bit'],
  ['IRQMASK', 'Interrupts that reach the CPU'],
  ['SPBEHIND', 'Sprites that go behind the foreground, one bit each'],
  ['SPMULTI', 'Multicolour sprites, one bit each'],
  ['SPEXPANDX', 'Sprites of double width, one bit each'],
  ['SPSPHIT', 'Sprites that touched a sprite; reading clears it'],
  ['SPBGHIT', 'Sprites that touched the foreground; reading clears it'],
  ['BORDER', 'Border colour'],
  ['BG0', 'Background colour 0'],
  ['BG1', 'Background colour 1 (multicolour, extended colour)'],
  ['BG2', 'Background colour 2 (multicolour, extended colour)'],
  ['BG3', 'Background colour 3 (extended colour)'],
  ['SPMC0', 'Sprite multicolour 0, for bit pair 01'],
  ['SPMC1', 'Sprite multicolour 1, for bit pair 11'],
  ...eight.map((n) => [`SP${n}COLOUR`, `Sprite ${n}: its own colour`] as const),
)

const sid = named(
  ...three.flatMap((n) => [
    [`V${n}FREQLO`, `Voice ${n}: frequency, low byte`] as const,
    [`V${n}FREQHI`, `Voice ${n}: frequency, high byte`] as const,
    [`V${n}PULSELO`, `Voice ${n}: pulse width, low byte`] as const,
    [`V${n}PULSEHI`, `Voice ${n}: pulse width, bits 8 to 11`] as const,
    [`V${n}CONTROL`, `Voice ${n}: waveform, test, ring modulation, sync, gate`] as const,
    [`V${n}AD`, `Voice ${n}: attack and decay`] as const,
    [`V${n}SR`, `Voice ${n}: sustain and release`] as const,
  ]),
  ['CUTOFFLO', 'Filter cut-off, bits 0 to 2'],
  ['CUTOFFHI', 'Filter cut-off, bits 3 to 10'],
  ['RESONANCE', 'Filter resonance, and the voices that go through the filter'],
  ['VOLUME', 'Volume, filter mode, voice 3 off'],
  ['POTX', 'Paddle X or mouse X'],
  ['POTY', 'Paddle Y or mouse Y'],
  ['OSC3', 'Oscillator of voice 3, upper eight bits'],
  ['ENV3', 'Envelope of voice 3'],
)

const cia = (portA: string, portB: string, interrupt: string): RegisterName[] =>
  named(
    ['PRA', portA],
    ['PRB', portB],
    ['DDRA', 'Direction of port A, 1 is output'],
    ['DDRB', 'Direction of port B, 1 is output'],
    ['TALO', 'Timer A, low byte'],
    ['TAHI', 'Timer A, high byte'],
    ['TBLO', 'Timer B, low byte'],
    ['TBHI', 'Timer B, high byte'],
    ['TODTENTHS', 'Time of day: tenths of a second'],
    ['TODSEC', 'Time of day: seconds'],
    ['TODMIN', 'Time of day: minutes'],
    ['TODHR', 'Time of day: hours, bit 7 is PM'],
    ['SDR', 'Serial data'],
    ['ICR', `Read: what came, and clears it. Written: what causes ${interrupt}`],
    ['CRA', 'Control of timer A'],
    ['CRB', 'Control of timer B'],
  )

export const chips = {
  vic: { name: 'VIC', start: 0xd000, end: 0xd3ff, every: 0x40, registers: vic },
  sid: { name: 'SID', start: 0xd400, end: 0xd7ff, every: 0x20, registers: sid },
  cia1: {
    name: 'CIA1',
    start: 0xdc00,
    end: 0xdcff,
    every: 0x10,
    registers: cia('Keyboard columns, joystick 2', 'Keyboard rows, joystick 1', 'an IRQ'),
  },
  cia2: {
    name: 'CIA2',
    start: 0xdd00,
    end: 0xddff,
    every: 0x10,
    registers: cia('VIC-II bank, serial bus', 'User port', 'an NMI'),
  },
} as const satisfies Record<string, Chip>

export type ChipId = keyof typeof chips

const chipIds = Object.keys(chips) as readonly ChipId[]

export const chipAt = (address: number): ChipId | undefined =>
  chipIds.find((id) => address >= chips[id].start && address <= chips[id].end)

/**
 * Whether reading changes the machine: the VIC-II's collisions are cleared, the CIAs' interrupts are acknowledged and
 * their clocks latched, and cartridges switch banks or worse. Registers repeat: every 64 bytes in the VIC-II's area,
 * every 16 in a CIA's.
 */
export function hasSideEffect(address: number): boolean {
  if (address < 0xd000 || address > 0xdfff) return false
  if (address >= 0xde00) return true
  if (address >= 0xdc00) return (address & 0x0f) === 0x0d || (address & 0x0c) === 0x08
  return address < 0xd400 && (address & 0x3e) === 0x1e
}
