/** Random programs that use the VIC-II in ways that nobody would: any register, at any cycle of any line. */
import { join } from 'node:path'
import type { VideoStandard } from '@shared/contract/machine'
import { assemble } from '../../../scripts/assemble.mjs'
import { DONE, FINISHED, START } from './image'
import { chance, type Chance } from './random'

const { bytes, symbols } = assemble(join(import.meta.dirname, 'bus.asm'), { format: 'raw' })

const symbol = (name: string): number => {
  const value = symbols.get(name)
  if (value === undefined) throw new Error(`bus.asm has no symbol ${name}.`)
  return value
}
const CODE = 0x4000
const PROGRAM = symbol('program')
const SHOWN = symbol('shown')
/** What a program reads goes there, a byte each. */
export const READINGS = 0x0300
const READINGS_END = 0x0500
/** The colours that a program gives colour RAM. */
const COLORS = 0x0900
const KIND_PROGRAM = 4

/** Where a program may write without changing itself or a chip's registers. */
const FREE = [0xa000, 0xd000, 0xe000, 0xfff0] as const
const COLOR_RAM = 0xd800
/** Of port B of CIA 1: the light pen's line. */
const PEN_PIN = 0x10

const [LDA, STA, JMP, NOP, BIT, INC, LSR] = [0xa9, 0x8d, 0x4c, 0xea, 0x24, 0xee, 0x4e]
const word = (address: number): number[] => [address & 0xff, address >> 8]
const store = (address: number, value: number): number[] => [LDA, value, STA, ...word(address)]

export interface VicCase {
  readonly ram: Uint8Array
  /** Each section waits for a line, then writes and reads at random. */
  readonly sections: readonly Section[]
  readonly setup: readonly number[]
}

interface Section {
  readonly line: number
  readonly blocks: readonly (readonly number[])[]
}

const COPY_COLORS = [
  0xa2,
  0x00,
  ...[0, 1, 2, 3].flatMap((page) => [0xbd, ...word(COLORS + page * 0x100), 0x9d, ...word(0xd800 + page * 0x100)]),
  0xe8,
  0xd0,
  0x100 - 4 * 6 - 3,
]
/** Until line 0 begins. */
const WAIT_FOR_FRAME = [0xad, ...word(0xd011), 0x10, 0xfb, 0xad, ...word(0xd011), 0x30, 0xfb]
const waitForLine = (line: number): number[] => [0xad, ...word(0xd012), 0xc9, line, 0xd0, 0xf9]

/** Programs for 64 KiB of a machine. */
export function vicCase(seed: number, index: number): VicCase {
  const random = chance(seed, index)
  const { below, byte, once, pick } = random
  const ram = new Uint8Array(0x10000)
  for (let address = 2; address < 0x10000; address++) ram[address] = once(3) ? byte() & byte() : byte()
  if (once(2)) ram.fill(0, READINGS_END, COLORS)

  const [port, pointers] = [below(3), byte()]
  const seen = { bank: 3 - port, pointers }
  const top = below(3) === 0 ? 20 + below(40) : 45 + below(180)
  const setup = [
    ...COPY_COLORS,
    ...store(0xdd02, 0x3f),
    ...store(0xdd00, 0x3c | port),
    ...Array.from({ length: 16 }, (_, register) => {
      const isY = (register & 1) === 1
      return store(0xd000 + register, isY && !once(4) ? (top + below(60)) & 0xff : byte())
    }).flat(),
    ...store(0xdc03, once(2) ? PEN_PIN : 0),
    ...store(0xdc01, byte()),
    ...store(0xd010, byte()),
    ...store(0xd011, 0x13 | (once(4) ? byte() & 0x68 : 0x08) | below(8)),
    ...store(0xd015, once(3) ? 0 : byte()),
    ...store(0xd016, (once(3) ? byte() & 0x10 : 0) | 0x08 | (once(2) ? below(8) : 0)),
    ...[0xd017, 0xd01b, 0xd01c, 0xd01d].flatMap((register) => store(register, once(2) ? 0 : byte())),
    ...store(0xd018, pointers),
    ...Array.from({ length: 15 }, (_, color) => store(0xd020 + color, byte())).flat(),
    ...WAIT_FOR_FRAME,
  ]
  let reading = READINGS
  const read = (): number[] => {
    if (reading === READINGS_END) return [NOP]
    const register = pick([
      0xd011,
      0xd012,
      0xd013,
      0xd014,
      0xd019,
      0xd01e,
      0xd01f,
      0xd020,
      0xde00,
      0xd800 + below(0x400),
      0xdc04,
    ])
    return [0xad, ...word(register), STA, ...word(reading++)]
  }
  const sections: Section[] = []
  for (let line = top; line < 250; line += 5 + below(40)) {
    const isMemoryOnly = once(4)
    const blocks = Array.from({ length: 1 + below(24) }, () =>
      isMemoryOnly || once(8)
        ? [...Array<number>(below(5)).fill(NOP), ...store(seenAddress(random, line, seen), byte())]
        : blockOf(random, line, read),
    )
    sections.push({ line, blocks })
  }
  return { ram, setup, sections }
}

const favourites = [0xd011, 0xd011, 0xd011, 0xd016, 0xd016, 0xd018, 0xd017, 0xd020, 0xd021]

/** One access, after some cycles. */
function blockOf(random: Chance, line: number, read: () => number[]): number[] {
  const { below, byte, once, pick } = random
  const delay = [...Array<number>(below(once(3) ? 24 : 5)).fill(NOP), ...(once(2) ? [BIT, 0x02] : [])]
  if (once(6)) return [...delay, ...read()]
  if (once(12)) return [...delay, ...store(0xdc01, byte())]
  const register = once(2) ? pick(favourites) : 0xd000 + below(0x2f)
  if (once(8)) return [...delay, pick([INC, LSR]), ...word(register)]
  return [...delay, ...store(register, valueFor(random, register, line))]
}

/** Where the VIC-II reads, most likely in this line or the next ones. */
function seenAddress(
  { below, once }: Chance,
  line: number,
  { bank, pointers }: { readonly bank: number; readonly pointers: number },
): number {
  const cell = Math.min(999, Math.max(0, (line - 51) >> 3) * 40 + below(80))
  if (once(3)) return COLOR_RAM + cell
  const matrix = (bank << 14) | ((pointers & 0xf0) << 6)
  const graphics = (bank << 14) | ((pointers & 0x0e) << 10)
  const address = once(3) ? matrix | 0x3f8 | below(8) : once(2) ? matrix + cell : graphics + below(0x800)
  const [start, chips, afterChips, end] = FREE
  return address < start || address >= end || (address >= chips && address < afterChips) ? COLOR_RAM + cell : address
}

/** Mostly what makes something happen: bad lines, and sprites that begin near the line. */
function valueFor({ below, byte, once }: Chance, register: number, line: number): number {
  if (register === 0xd011)
    return (once(3) ? byte() & 0x70 : 0x10) | (once(3) ? 0 : 0x08) | below(8) | (once(9) ? 0x80 : 0)
  if (register < 0xd010 && (register & 1) === 1 && once(2)) return (line + below(4)) & 0xff
  return byte()
}

/** What a machine is given. */
export function imageOf({ ram, setup, sections }: VicCase, standard: VideoStandard): Uint8Array {
  const image = ram.slice()
  image.set([JMP, ...word(CODE)], START)
  image.set([JMP, ...word(DONE)], DONE)
  image[FINISHED] = 0
  image.set(bytes, CODE)
  image.set(word(FINISHED), symbol('toFinished') + 1)
  image.set(word(DONE), symbol('toDone') + 1)
  image[symbol('kind')] = KIND_PROGRAM
  image[symbol('ntsc')] = standard === 'ntsc' ? 1 : 0
  image[symbol('sprites')] = 0
  const code = sections.flatMap(({ line, blocks }) => [...waitForLine(line), ...blocks.flat()])
  image.set([...setup, ...code, JMP, ...word(SHOWN)], PROGRAM)
  return image
}
