/** Programs that do everything to a C64 that a program can do wrong. */

/** Where the code starts, as a BASIC line calls it, and where its interrupt handler and its main part lie. */
const START = 0x0810
const HANDLER = START + 3
const MAIN = START + 0x20

const low = (address: number) => address & 0xff
const high = (address: number) => address >> 8
const store = (value: number, address: number) => [0xa9, value, 0x8d, low(address), high(address)]
const jump = (address: number) => [0x4c, low(address), high(address)]
/** `body` again and again: SEC, BCS. */
const loop = (body: readonly number[]) => [...body, 0x38, 0xb0, 0x100 - (body.length + 3)]
const forever = loop([])

/** Interrupts go to {@link HANDLER} with the KERNAL's ROM switched off. */
const ownVectors = [
  0x78,
  ...store(0x35, 0x01),
  ...[0xfffa, 0xfffe].flatMap((vector) => [...store(low(HANDLER), vector), ...store(high(HANDLER), vector + 1)]),
]
const RTI = 0x40
const CLI = 0x58
const JAM = 0x02

/** A CIA's timer A that counts from `latch` again and again, and what of the chip interrupts. */
const timer = (cia: number, latch: number, mask: number) =>
  [
    store(latch, cia + 4),
    store(0, cia + 5),
    store(0x7f, cia + 0xd),
    store(0x80 | mask, cia + 0xd),
    store(0x11, cia + 0xe),
  ].flat()
const CIA1 = 0xdc00
const CIA2 = 0xdd00
const everyRasterIrq = [...store(0x0f, 0xd01a), ...store(0x00, 0xd012)]

interface BadProgram {
  readonly name: string
  readonly handler?: readonly number[]
  readonly main: readonly number[]
  /** True for one that stops at a JAM. */
  readonly jams?: true
}

const programs: readonly BadProgram[] = [
  {
    name: 'IRQs of VIC-II and CIA that nobody acknowledges',
    handler: [RTI],
    main: [...ownVectors, ...everyRasterIrq, ...timer(CIA1, 0, 0x1f), CLI, ...forever],
  },
  {
    name: 'an NMI at every acknowledgement',
    handler: [0x2c, 0x0d, 0xdd, RTI],
    main: [...ownVectors, ...timer(CIA2, 0, 0x1f), ...forever],
  },
  {
    name: 'IRQs and NMIs of a timer that counts from 1, and of cascaded timers',
    handler: [0x2c, 0x0d, 0xdc, 0x2c, 0x0d, 0xdd, RTI],
    main: [
      ...[ownVectors, ...[CIA1, CIA2].map((cia) => timer(cia, 1, 0x1f))].flat(),
      ...[CIA1, CIA2].flatMap((cia) => [...store(0, cia + 6), ...store(0, cia + 7), ...store(0x51, cia + 0xf)]),
      CLI,
      ...forever,
    ],
  },
  {
    name: 'a handler that leaves its registers on the stack',
    handler: [0x48, 0x48, 0x48, 0x2c, 0x0d, 0xdc, CLI, ...jump(MAIN + 0x80)],
    main: padded([...ownVectors, ...timer(CIA1, 20, 1), CLI, ...forever], 0x80, forever),
  },
  {
    name: 'a handler that is a JAM',
    handler: [JAM],
    main: [...ownVectors, ...timer(CIA1, 9, 1), CLI, ...forever],
    jams: true,
  },
  {
    name: 'a JAM below NMIs',
    handler: [0x2c, 0x0d, 0xdd, RTI],
    main: [...ownVectors, ...timer(CIA2, 90, 1), JAM],
    jams: true,
  },
  { name: 'subroutines that never return', main: [0x20, low(MAIN), high(MAIN)] },
  { name: 'a stack that is pushed round and round', main: loop([0x48, 0x08, 0x48]) },
  { name: 'a stack that is pulled round and round', main: loop([0x68, 0x28, 0x68]) },
  { name: 'returns to nowhere', main: [0xa2, 0x80, 0x9a, 0x60] },
  { name: 'BRK in its own handler', handler: [0x00], main: [...ownVectors, 0x00] },
  { name: 'RTI without an interrupt', handler: [RTI], main: [...ownVectors, RTI] },
  ...[0x0000, 0x0001, 0xd012, 0xd019, 0xd400, 0xd41b, 0xd800, 0xdc00, 0xdc04, 0xdc0d, 0xdd04, 0xde00, 0xffff].map(
    (address) => ({ name: `code at $${address.toString(16).toUpperCase().padStart(4, '0')}`, main: jump(address) }),
  ),
  ...[0xd011, 0xd012, 0xd018, 0xd019, 0xd01e, 0xdc0d, 0xdc0e, 0xdd00, 0xdd0d, 0x0000, 0x0001].map((address) => ({
    name: `reading, writing and writing $${address.toString(16).toUpperCase().padStart(4, '0')}`,
    main: loop([
      0xee,
      low(address),
      high(address),
      0x0e,
      low(address),
      high(address),
      0xce,
      low(address),
      high(address),
    ]),
  })),
  { name: 'its own memory switched off, with interrupts on', main: loop([CLI, 0xc6, 0x01]) },
  { name: 'all ROM switched off, with interrupts on', main: [CLI, ...store(0x30, 0x01), ...forever] },
  { name: 'the port as an input', main: [...store(0x00, 0x01), ...loop([...store(0x00, 0x00), ...store(0xff, 0x00)])] },
  {
    name: 'an alarm at each tenth of a second that it sets',
    handler: [0x2c, 0x0d, 0xdc, RTI],
    main: [
      ...[ownVectors, ...timer(CIA1, 0, 0x04), ...store(0x80, 0xdc0f)].flat(),
      ...[0xdc0b, 0xdc0a, 0xdc09, 0xdc08].flatMap((register) => store(0, register)),
      ...[store(0, 0xdc0f), CLI].flat(),
      ...loop([0xdc0b, 0xdc0a, 0xdc09, 0xdc08].flatMap((register) => store(0, register))),
    ],
  },
  {
    name: 'a serial register that is written again and again',
    handler: [0x2c, 0x0d, 0xdc, RTI],
    main: [...ownVectors, ...timer(CIA1, 0, 0x08), ...store(0x51, 0xdc0e), CLI, ...loop([0xee, 0x0c, 0xdc])],
  },
  {
    name: 'code that writes itself into the chips and follows it',
    main: [...store(0x4c, 0xd400), ...store(low(MAIN), 0xd401), ...store(high(MAIN), 0xd402), ...jump(0xd400)],
  },
  { name: 'memory filled with itself', main: loop([0xe6, 0xfb, 0xe6, 0xfc, 0xa0, 0x00, 0x91, 0xfb]) },
]

/** Each as a PRG that BASIC starts. */
export const badPrograms = programs.map(({ name, handler = [], main, jams = false }) => {
  const code = [...jump(MAIN), ...padded(handler, MAIN - HANDLER), ...main]
  const line = [0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x34, 0x00, 0x00, 0x00]
  return { name, jams, file: Uint8Array.of(0x01, 0x08, ...padded(line, START - 0x0801), ...code) }
})

function padded(bytes: readonly number[], length: number, rest: readonly number[] = []): number[] {
  return [...bytes, ...Array<number>(length - bytes.length).fill(0xea), ...rest]
}
