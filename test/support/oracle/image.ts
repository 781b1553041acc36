/** The 64 KiB that a machine is given: runner.asm, its cases and what memory they find; and the results that it leaves. */
import { join } from 'node:path'
import { assemble } from '../../../scripts/assemble.mjs'
import { codeSize, layOut, type Case } from './program'

const { bytes: runner, symbols } = assemble(join(import.meta.dirname, 'runner.asm'), { format: 'raw' })

function symbol(name: string): number {
  const value = symbols.get(name)
  if (value === undefined) throw new Error(`runner.asm has no symbol ${name}.`)
  return value
}

export const START = symbol('start')
/** Interrupts are off. */
export const START_FLAGS = 0x24
/** The runner stays here when it is through with the cases. */
export const DONE = symbol('done')
/** $FF when the runner is through. */
export const FINISHED = symbol('finished')
const FINISH = symbol('finish')
const TABLE = symbol('table')
const CASE_SIZE = symbol('CASE_SIZE')
const RESULTS = symbol('results')
const TEMPLATE = symbol('template')
const RESULT_SIZE = 9

/** Where the windows of runner.asm begin. */
const WINDOW_STARTS = [0xe0, 0x00, 0x01e0, 0x0100, 0x2fc0, 0x2fe0, 0x3000, 0x3020]
const WINDOW_SIZE = 32

/** Code and descriptions have this much room. */
const CASE_BYTES = RESULTS - TABLE
/** For a result; a case that changes all bytes that it can takes more, and few do. */
const EXPECTED_RESULT_BYTES = 60
const MAX_CASES = Math.floor(((symbol('RESULTS_END') << 8) - RESULTS) / EXPECTED_RESULT_BYTES)

export interface Image {
  readonly ram: Uint8Array<ArrayBuffer>
  readonly cases: readonly Case[]
  /** Where the code of each case begins. */
  readonly starts: readonly number[]
}

export interface Result {
  readonly a: number
  readonly x: number
  readonly y: number
  readonly s: number
  readonly p: number
  /** What the stopwatch counted down to. */
  readonly timer: number
  /** CIA 1's timer B when all was over; with the display on it counts the frame's cycles. */
  readonly later: number
  /** Changed bytes by address. */
  readonly memory: ReadonlyMap<number, number>
}

/** How many of the cases, from the first one, an image has room for. */
export function fitting(cases: readonly Case[]): number {
  let bytes = 0
  for (const [index, { blocks }] of cases.entries()) {
    bytes += CASE_SIZE + codeSize(blocks)
    if (bytes > CASE_BYTES || index === MAX_CASES) return index
  }
  return cases.length
}

/**
 * @param template the 256 bytes that each case finds in the windows
 * @param codeStart for the first case; by default behind the descriptions
 */
export function buildImage(cases: readonly Case[], template: Uint8Array, codeStart?: number): Image {
  const ram = new Uint8Array(0x10000)
  ram.set(runner, START)
  ram.set(template, TEMPLATE)
  for (const [vector, handler] of [
    [0xfffa, 'nmi'],
    [0xfffc, 'start'],
    [0xfffe, 'irq'],
  ] as const)
    ram.set(word(symbol(handler)), vector)
  ram.set(word(cases.length), symbol('count'))
  ram[symbol('display')] = cases.some(({ setup }) => setup.screen !== 0) ? 1 : 0
  let at = codeStart ?? TABLE + cases.length * CASE_SIZE
  const starts = cases.map((tried, index) => {
    const start = at
    ram.set(describe(tried, start), TABLE + index * CASE_SIZE)
    const code = layOut(tried.blocks, start, FINISH)
    ram.set(code, start)
    at += code.length
    return start
  })
  return { ram, cases, starts }
}

const word = (value: number): number[] => [value & 0xff, value >> 8]

function describe({ registers, setup }: Case, start: number): number[] {
  const { a, x, y, s, p } = registers
  return [
    ...word(start),
    a,
    x,
    y,
    s,
    p,
    ...word(setup.timer1A),
    setup.control1A,
    ...word(setup.timer2B),
    setup.control2B,
    setup.control2A,
    setup.mask1,
    setup.mask2,
    setup.screen,
    setup.sprites,
    setup.spriteY,
    ...word(setup.delay),
  ]
}

/** The results that the runner left, in the order of the cases; fewer where it did not get through. */
export function readResults(ram: Uint8Array, cases: number): Result[] {
  const results: Result[] = []
  const byte = (at: number): number => ram[at] ?? 0
  let at = RESULTS
  for (let index = 0; index < cases && at + RESULT_SIZE < ram.length; index++) {
    const changes = byte(at + 8)
    const memory = new Map<number, number>()
    for (let change = 0; change < changes; change++) {
      const entry = at + RESULT_SIZE + change * 2
      const place = byte(entry)
      memory.set((WINDOW_STARTS[place >> 5] ?? 0) + (place % WINDOW_SIZE), byte(entry + 1))
    }
    const [a, x, y, s, p] = [byte(at), byte(at + 1), byte(at + 2), byte(at + 3), byte(at + 4)]
    results.push({ a, x, y, s, p, timer: byte(at + 5) | (byte(at + 6) << 8), later: byte(at + 7), memory })
    at += RESULT_SIZE + changes * 2
  }
  return results
}

/** Cases that the runner did not come to. */
export const casesLeft = (ram: Uint8Array): number =>
  (ram[symbol('count')] ?? 0) | ((ram[symbol('count') + 1] ?? 0) << 8)

/** Everything that no case and no result is kept in: only a CPU that goes astray writes there. */
export function strayWrites(ours: Uint8Array, theirs: Uint8Array): number[] {
  const found: number[] = []
  for (let address = 0x0200; address < RESULTS; address++) if (ours[address] !== theirs[address]) found.push(address)
  return found
}
