/** Code is told apart from data by what was run; where the machine does not tell, it is a plain disassembly. */
import { setBit } from '@shared/bitmap'
import { formatByte } from '@shared/c64/address'
import { linesAbove, listLines, type ListedLine, type Runs } from '@shared/c64/codeListing'
import { disassemble, type Instruction } from '@shared/c64/disassembler'
import { builtInNames, type Names } from '@shared/c64/labels/names'
import { nameTarget } from '@shared/c64/labels/nameTarget'
import { fullNameOf } from '@shared/c64/labels/programLabel'

export interface CodeLine extends ListedLine {
  readonly labels: readonly string[]
  readonly comment: string
  readonly isNext: boolean
}

type Read = (address: number) => number

interface CodeAround {
  readonly read: Read
  readonly runs: Runs
  readonly pc: number
  readonly place?: number | null
  readonly seen: ReadonlySet<number>
  /** Null for nowhere. */
  readonly anchor: number | null
  readonly names?: Names
  readonly linesBelow: number
}

/** Bytes of plain code above the PC, and how far the PC may move from their beginning before it begins elsewhere. */
const BYTES_ABOVE = 96
const MAX_BYTES_ABOVE = 160
/** Used instead where data are told apart, as a line of data has more bytes. */
const LINES_ABOVE = 24
const MAX_TOLD_BYTES_ABOVE = 256

/** While the PC moves within the code, the lines keep their place. */
export function codeAround({ runs, names = builtInNames, place = null, ...around }: CodeAround): {
  lines: CodeLine[]
  anchor: number
} {
  const code = { ...around, pc: place ?? around.pc, seen: new Set([...around.seen, around.pc]) }
  const { above, below } = runs === null ? plainLines(code) : toldLines(code, runs)
  const line = (listed: ListedLine): CodeLine => ({
    ...listed,
    ...nameTarget(listed, names),
    labels: names.programLabelsAt(listed.address).map(fullNameOf),
    isNext: listed.address === around.pc,
  })
  return {
    lines: [...above, ...below].map(line),
    anchor: above[0]?.address ?? code.pc,
  }
}

interface Lines {
  readonly above: readonly ListedLine[]
  readonly below: readonly ListedLine[]
}

type Plain = Omit<CodeAround, 'runs' | 'names' | 'place'>

function toldLines({ read, pc, seen, anchor, linesBelow }: Plain, runs: Uint8Array): Lines {
  const known = withInstructions(read, runs, [...seen, pc])
  const isNear = anchor !== null && anchor <= pc && pc - anchor <= MAX_TOLD_BYTES_ABOVE
  const kept = isNear ? linesBetween(read, known, anchor, pc) : null
  const below = listLines(read, known, pc, linesBelow + 1)
  return {
    above: kept ?? linesAbove(read, known, pc, LINES_ABOVE),
    below: [...below, ...listLines(read, known, 0, linesBelow + 1 - below.length)],
  }
}

function withInstructions(read: Read, runs: Uint8Array, starts: readonly number[]): Uint8Array {
  const known = runs.slice()
  for (const start of starts)
    for (let offset = 0; offset < disassemble(read, start).length; offset++) setBit(known, (start + offset) & 0xffff)
  return known
}

function linesBetween(read: Read, runs: Uint8Array, start: number, end: number): ListedLine[] | null {
  const lines = listLines(read, runs, start, end - start).filter(({ address }) => address < end)
  const last = lines.at(-1)
  return (last ? last.address + last.length : start) === end ? lines : null
}

function plainLines({ read, pc, seen, anchor, linesBelow }: Plain): Lines {
  const starts = new Set([...seen, pc])
  const isNear = anchor !== null && anchor <= pc && pc - anchor <= MAX_BYTES_ABOVE
  const begin = isNear ? anchor : startAbove(read, pc, starts)
  const below: Instruction[] = []
  for (let address = pc; below.length <= linesBelow; address = (address + (below.at(-1)?.length ?? 1)) & 0xffff)
    below.push(decode(read, address, starts))
  return {
    above: decodeTo(read, begin, pc, starts).map((each) => ({
      ...each,
      kind: starts.has(each.address) ? 'run' : 'guess',
    })),
    below: below.map((each) => ({ ...each, kind: 'run' })),
  }
}

/** Where code may begin so that its instructions meet those that were seen. */
function startAbove(read: Read, pc: number, starts: ReadonlySet<number>): number {
  const furthest = Math.max(0, pc - BYTES_ABOVE)
  const isCut = ({ text }: Instruction) => text.startsWith(DATA)
  const choices = [furthest, furthest + 1, furthest + 2].filter((start) => start <= pc)
  return choices.find((start) => !decodeTo(read, start, pc, starts).some(isCut)) ?? furthest
}

function decodeTo(read: Read, start: number, end: number, starts: ReadonlySet<number>): Instruction[] {
  const instructions: Instruction[] = []
  for (let address = start; address < end; address += instructions.at(-1)?.length ?? 1)
    instructions.push(decode(read, address, starts))
  return instructions
}

const DATA = '.byte'

/** Gives bytes where an instruction was seen to begin in the middle of it. */
function decode(read: Read, address: number, starts: ReadonlySet<number>): Instruction {
  const instruction = disassemble(read, address)
  const length = [1, 2].find((offset) => offset < instruction.length && starts.has((address + offset) & 0xffff))
  if (length === undefined) return instruction
  const bytes = instruction.bytes.slice(0, length)
  const text = `${DATA} ${bytes.map(formatByte).join(',')}`
  return { address, bytes, text, length, undocumented: false, target: null }
}
