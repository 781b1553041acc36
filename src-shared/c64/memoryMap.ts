/** The C64's memory by name, as the 6510 sees it after power-on ($01 = $37). */
import { chips, type Chip } from './chips'

export interface Region {
  readonly name: string
  readonly start: number
  /** Inclusive. */
  readonly end: number
  readonly description: string
}

/** In address order, without gaps, from $0000 to $FFFF. */
export const regions: readonly Region[] = [
  {
    name: 'Zero page',
    start: 0x0000,
    end: 0x00ff,
    description: 'The 6510 port, then BASIC’s and the KERNAL’s variables',
  },
  { name: 'Stack', start: 0x0100, end: 0x01ff, description: 'The CPU’s stack, from the top down' },
  { name: 'System', start: 0x0200, end: 0x03ff, description: 'Buffers, tables and vectors of BASIC and the KERNAL' },
  {
    name: 'Screen',
    start: 0x0400,
    end: 0x07ff,
    description: 'Screen memory and sprite pointers, where they are after power-on',
  },
  {
    name: 'BASIC RAM',
    start: 0x0800,
    end: 0x9fff,
    description: 'BASIC programs and variables, or free for machine code',
  },
  { name: 'BASIC ROM', start: 0xa000, end: 0xbfff, description: 'BASIC interpreter, with RAM under it' },
  { name: 'Upper RAM', start: 0xc000, end: 0xcfff, description: 'RAM that neither BASIC nor the KERNAL uses' },
  { name: 'VIC-II', start: 0xd000, end: 0xd3ff, description: 'The video chip, repeating every 64 bytes' },
  { name: 'SID', start: 0xd400, end: 0xd7ff, description: 'The sound chip, repeating every 32 bytes' },
  {
    name: 'Colour RAM',
    start: 0xd800,
    end: 0xdbff,
    description: 'A colour for each place of the screen, in the low nibble',
  },
  { name: 'CIA 1', start: 0xdc00, end: 0xdcff, description: 'Keyboard, joysticks and the timer interrupt' },
  { name: 'CIA 2', start: 0xdd00, end: 0xddff, description: 'VIC-II bank, serial bus, user port and NMI' },
  { name: 'Expansion I/O', start: 0xde00, end: 0xdfff, description: 'Registers of cartridges' },
  { name: 'KERNAL ROM', start: 0xe000, end: 0xffff, description: 'Operating system, with RAM under it' },
]

export function regionOf(address: number): Region {
  const region = regions.find(({ end }) => address <= end)
  if (!region || address < 0) throw new RangeError(`${address} is no address`)
  return region
}

export interface Label {
  readonly name: string
  readonly description: string
}

type Entry = readonly [address: number, length: number, name: string, description: string]

const system: readonly Entry[] = [
  [0x0000, 1, 'D6510', '6510 port: direction, 1 is output'],
  [0x0001, 1, 'R6510', '6510 port: bits 0 to 2 choose ROM, RAM or I/O; bits 3 to 5 drive the tape'],
  [0x0003, 2, 'ADRAY1', 'Vector: floating point to integer'],
  [0x0005, 2, 'ADRAY2', 'Vector: integer to floating point'],
  [0x0007, 1, 'CHARAC', 'Character that a BASIC scan looks for'],
  [0x0008, 1, 'ENDCHR', 'Character that ends a BASIC string'],
  [0x000d, 1, 'VALTYP', 'Kind of value: $FF is a string, 0 a number'],
  [0x000e, 1, 'INTFLG', 'Kind of number: $80 is an integer, 0 floating point'],
  [0x0014, 2, 'LINNUM', 'BASIC line number, or the address of POKE, PEEK and SYS'],
  [0x0016, 1, 'TEMPPT', 'Next free place on the stack of temporary strings'],
  [0x0019, 9, 'TEMPST', 'Stack of temporary strings'],
  [0x002b, 2, 'TXTTAB', 'Where the BASIC program starts'],
  [0x002d, 2, 'VARTAB', 'Where BASIC’s variables start, right behind the program'],
  [0x002f, 2, 'ARYTAB', 'Where BASIC’s arrays start'],
  [0x0031, 2, 'STREND', 'Where BASIC’s arrays end'],
  [0x0033, 2, 'FRETOP', 'Lowest string in memory'],
  [0x0037, 2, 'MEMSIZ', 'Where BASIC’s memory ends'],
  [0x0039, 2, 'CURLIN', 'BASIC line that runs; $FF in the high byte in direct mode'],
  [0x003b, 2, 'OLDLIN', 'BASIC line where STOP or END happened'],
  [0x003d, 2, 'OLDTXT', 'Where CONT goes on'],
  [0x003f, 2, 'DATLIN', 'Line of the DATA that is read'],
  [0x0041, 2, 'DATPTR', 'Where READ reads next'],
  [0x0045, 2, 'VARNAM', 'Name of the variable in use'],
  [0x0047, 2, 'VARPNT', 'Address of the variable in use'],
  [0x0061, 6, 'FAC1', 'Floating point accumulator 1'],
  [0x0069, 6, 'FAC2', 'Floating point accumulator 2'],
  [0x0073, 24, 'CHRGET', 'Routine that fetches the next character of BASIC text'],
  [0x007a, 2, 'TXTPTR', 'Where BASIC reads its text'],
  [0x008b, 5, 'RNDX', 'Seed of RND'],
  [0x0090, 1, 'STATUS', 'Result of the last input or output (ST)'],
  [0x0091, 1, 'STKEY', 'Keyboard row with STOP; $7F while STOP is down'],
  [0x0093, 1, 'VERCK', 'LOAD (0) or VERIFY (1)'],
  [0x0097, 1, 'XSAV', 'Keeps X during input'],
  [0x0098, 1, 'LDTND', 'Number of open files'],
  [0x0099, 1, 'DFLTN', 'Input device, usually 0 (keyboard)'],
  [0x009a, 1, 'DFLTO', 'Output device, usually 3 (screen)'],
  [0x009d, 1, 'MSGFLG', 'Which messages the KERNAL prints'],
  [0x00a0, 3, 'TIME', 'The clock TI in sixtieths of a second, high byte first'],
  [0x00ac, 2, 'SAL', 'Pointer for tape and scrolling'],
  [0x00ae, 2, 'EAL', 'Where the last LOAD ended'],
  [0x00b2, 2, 'TAPE1', 'Address of the tape buffer'],
  [0x00b7, 1, 'FNLEN', 'Length of the file name'],
  [0x00b8, 1, 'LA', 'Logical number of the file'],
  [0x00b9, 1, 'SA', 'Secondary address'],
  [0x00ba, 1, 'FA', 'Device number'],
  [0x00bb, 2, 'FNADR', 'Address of the file name'],
  [0x00c1, 2, 'STAL', 'Where SAVE starts'],
  [0x00c3, 2, 'MEMUSS', 'Where LOAD puts the file'],
  [0x00c5, 1, 'LSTX', 'Matrix number of the last key; 64 is none'],
  [0x00c6, 1, 'NDX', 'Characters in the keyboard buffer'],
  [0x00c7, 1, 'RVS', 'Reverse video on'],
  [0x00cb, 1, 'SFDX', 'Matrix number of the key that is down; 64 is none'],
  [0x00cc, 1, 'BLNSW', 'Cursor blinks (0) or is off'],
  [0x00cd, 1, 'BLNCT', 'Interrupts until the cursor blinks again'],
  [0x00ce, 1, 'GDBLN', 'Character under the cursor'],
  [0x00cf, 1, 'BLNON', 'Cursor shows just now'],
  [0x00d0, 1, 'CRSW', 'Input comes from the screen or the keyboard'],
  [0x00d1, 2, 'PNT', 'Address of the cursor’s screen line'],
  [0x00d3, 1, 'PNTR', 'Column of the cursor'],
  [0x00d4, 1, 'QTSW', 'Between quotation marks'],
  [0x00d5, 1, 'LNMX', 'Length of the screen line: 39 or 79'],
  [0x00d6, 1, 'TBLX', 'Row of the cursor'],
  [0x00d8, 1, 'INSRT', 'Inserts that are still open'],
  [0x00d9, 25, 'LDTB1', 'Screen lines: high bytes and which belong together'],
  [0x00f3, 2, 'USER', 'Address of the cursor’s line in colour RAM'],
  [0x00f5, 2, 'KEYTAB', 'Keyboard table in use'],
  [0x00fb, 4, 'FREEZP', 'Four bytes that the system leaves to programs'],
  [0x0100, 256, 'STACK', 'The CPU’s stack'],
  [0x0200, 89, 'BUF', 'Input line of BASIC'],
  [0x0259, 10, 'LAT', 'Logical numbers of the open files'],
  [0x0263, 10, 'FAT', 'Device numbers of the open files'],
  [0x026d, 10, 'SAT', 'Secondary addresses of the open files'],
  [0x0277, 10, 'KEYD', 'Keyboard buffer'],
  [0x0281, 2, 'MEMSTR', 'Where free memory starts'],
  [0x0283, 2, 'MEMEND', 'Where free memory ends'],
  [0x0286, 1, 'COLOR', 'Colour in which text is printed'],
  [0x0287, 1, 'GDCOL', 'Colour under the cursor'],
  [0x0288, 1, 'HIBASE', 'Page of the screen that the KERNAL prints to'],
  [0x0289, 1, 'XMAX', 'Size of the keyboard buffer'],
  [0x028a, 1, 'RPTFLG', 'Keys that repeat: $80 is all'],
  [0x028d, 1, 'SHFLAG', 'SHIFT (1), Commodore (2) and CTRL (4) now'],
  [0x0291, 1, 'MODE', 'SHIFT with Commodore changes the character set (0) or not ($80)'],
  [0x02a6, 1, 'PALNTS', 'PAL (1) or NTSC (0), as found at power-on'],
  [0x0300, 2, 'IERROR', 'Vector: BASIC error message'],
  [0x0302, 2, 'IMAIN', 'Vector: BASIC main loop'],
  [0x0304, 2, 'ICRNCH', 'Vector: turn a line into tokens'],
  [0x0306, 2, 'IQPLOP', 'Vector: list tokens'],
  [0x0308, 2, 'IGONE', 'Vector: run a BASIC command'],
  [0x030a, 2, 'IEVAL', 'Vector: evaluate a BASIC expression'],
  [0x030c, 1, 'SAREG', 'A before and after SYS'],
  [0x030d, 1, 'SXREG', 'X before and after SYS'],
  [0x030e, 1, 'SYREG', 'Y before and after SYS'],
  [0x030f, 1, 'SPREG', 'Flags before and after SYS'],
  [0x0310, 3, 'USRPOK', 'Jump of USR'],
  [0x0314, 2, 'CINV', 'Vector: IRQ'],
  [0x0316, 2, 'CBINV', 'Vector: BRK'],
  [0x0318, 2, 'NMINV', 'Vector: NMI'],
  [0x031a, 2, 'IOPEN', 'Vector: OPEN'],
  [0x031c, 2, 'ICLOSE', 'Vector: CLOSE'],
  [0x031e, 2, 'ICHKIN', 'Vector: CHKIN'],
  [0x0320, 2, 'ICKOUT', 'Vector: CHKOUT'],
  [0x0322, 2, 'ICLRCH', 'Vector: CLRCHN'],
  [0x0324, 2, 'IBASIN', 'Vector: CHRIN'],
  [0x0326, 2, 'IBSOUT', 'Vector: CHROUT'],
  [0x0328, 2, 'ISTOP', 'Vector: STOP'],
  [0x032a, 2, 'IGETIN', 'Vector: GETIN'],
  [0x032c, 2, 'ICLALL', 'Vector: CLALL'],
  [0x0330, 2, 'ILOAD', 'Vector: LOAD'],
  [0x0332, 2, 'ISAVE', 'Vector: SAVE'],
  [0x033c, 192, 'TBUFFR', 'Tape buffer, free for programs without a tape'],
  [0x0400, 1000, 'SCREEN', 'Screen memory after power-on'],
  [0x07f8, 8, 'SPRITEPTR', 'Sprite pointers of the screen at $0400'],
  [0x0801, 1, 'BASIC', 'First byte of a BASIC program'],
  [0xd800, 1000, 'COLOURRAM', 'Colour of each place of the screen'],
  [0xff81, 3, 'CINT', 'KERNAL: initialise the screen'],
  [0xff84, 3, 'IOINIT', 'KERNAL: initialise the chips'],
  [0xff87, 3, 'RAMTAS', 'KERNAL: find and clear RAM'],
  [0xff8a, 3, 'RESTOR', 'KERNAL: set the vectors to their defaults'],
  [0xff8d, 3, 'VECTOR', 'KERNAL: read or set the vectors'],
  [0xff90, 3, 'SETMSG', 'KERNAL: which messages are printed'],
  [0xff93, 3, 'LSTNSA', 'KERNAL: secondary address after LISTEN'],
  [0xff96, 3, 'TALKSA', 'KERNAL: secondary address after TALK'],
  [0xff99, 3, 'MEMTOP', 'KERNAL: read or set the end of memory'],
  [0xff9c, 3, 'MEMBOT', 'KERNAL: read or set the start of memory'],
  [0xff9f, 3, 'SCNKEY', 'KERNAL: scan the keyboard'],
  [0xffa2, 3, 'SETTMO', 'KERNAL: serial bus time-out'],
  [0xffa5, 3, 'IECIN', 'KERNAL: byte from the serial bus'],
  [0xffa8, 3, 'IECOUT', 'KERNAL: byte to the serial bus'],
  [0xffab, 3, 'UNTALK', 'KERNAL: end of TALK'],
  [0xffae, 3, 'UNLSTN', 'KERNAL: end of LISTEN'],
  [0xffb1, 3, 'LISTEN', 'KERNAL: make a device listen'],
  [0xffb4, 3, 'TALK', 'KERNAL: make a device talk'],
  [0xffb7, 3, 'READST', 'KERNAL: read the status'],
  [0xffba, 3, 'SETLFS', 'KERNAL: set file, device and secondary address'],
  [0xffbd, 3, 'SETNAM', 'KERNAL: set the file name'],
  [0xffc0, 3, 'OPEN', 'KERNAL: open a file'],
  [0xffc3, 3, 'CLOSE', 'KERNAL: close a file'],
  [0xffc6, 3, 'CHKIN', 'KERNAL: input from a file'],
  [0xffc9, 3, 'CHKOUT', 'KERNAL: output to a file'],
  [0xffcc, 3, 'CLRCHN', 'KERNAL: input and output back to keyboard and screen'],
  [0xffcf, 3, 'CHRIN', 'KERNAL: read a character'],
  [0xffd2, 3, 'CHROUT', 'KERNAL: print a character'],
  [0xffd5, 3, 'LOAD', 'KERNAL: load'],
  [0xffd8, 3, 'SAVE', 'KERNAL: save'],
  [0xffdb, 3, 'SETTIM', 'KERNAL: set the clock'],
  [0xffde, 3, 'RDTIM', 'KERNAL: read the clock'],
  [0xffe1, 3, 'STOP', 'KERNAL: is the STOP key down?'],
  [0xffe4, 3, 'GETIN', 'KERNAL: get a key'],
  [0xffe7, 3, 'CLALL', 'KERNAL: close all files'],
  [0xffea, 3, 'UDTIM', 'KERNAL: advance the clock'],
  [0xffed, 3, 'SCRORG', 'KERNAL: columns and rows of the screen'],
  [0xfff0, 3, 'PLOT', 'KERNAL: read or set the cursor'],
  [0xfff3, 3, 'IOBASE', 'KERNAL: address of the I/O area'],
  [0xfffa, 2, 'NMIVEC', 'CPU vector: NMI'],
  [0xfffc, 2, 'RESETVEC', 'CPU vector: reset'],
  [0xfffe, 2, 'IRQVEC', 'CPU vector: IRQ and BRK'],
]

const allChips: readonly Chip[] = Object.values(chips)

const chipLabels: readonly Entry[] = allChips.flatMap((chip) =>
  chip.registers.map(
    ({ name, description }, offset) => [chip.start + offset, 1, `${chip.name}.${name}`, description] as const,
  ),
)

export const labels: readonly (Label & { readonly address: number })[] = [...system, ...chipLabels].map(
  ([address, , name, description]) => ({ address, name, description }),
)

/** Where entries overlap, the last one (the more particular) wins. */
const byAddress = new Map<number, Label>()
for (const [address, length, name, description] of [...system, ...chipLabels]) {
  for (let offset = 0; offset < length; offset++) {
    byAddress.set(address + offset, { name: offset === 0 ? name : `${name}+${offset}`, description })
  }
}

export function labelFor(address: number): Label | undefined {
  const label = byAddress.get(address)
  if (label) return label
  const chip = allChips.find(({ start, end }) => address >= start && address <= end)
  if (!chip) return undefined
  const offset = (address - chip.start) % chip.every
  const register = chip.registers[offset]
  if (!register || chip.start + offset === address) return undefined
  return { name: `${chip.name}.${register.name}`, description: `${register.description} (a repetition)` }
}

const byName = new Map<string, number[]>()
for (const [address, , name] of [...system, ...chipLabels]) {
  for (const known of new Set([name, name.slice(name.indexOf('.') + 1)])) {
    byName.set(known, [...(byName.get(known) ?? []), address])
  }
}

/** In any case; several where chips share a register name, as `ICR`. */
export const addressesOf = (name: string): readonly number[] => byName.get(name.toUpperCase()) ?? []
