import { hasBit } from '../bitmap'
import { formatByte } from './address'
import { disassemble, opcodes, type Instruction } from './disassembler'

export interface ListedLine extends Instruction {
  /** `guess`: an instruction that was not seen to run; it may be data, or begin elsewhere. */
  readonly kind: 'run' | 'guess' | 'data'
}

export const lineTitles: Readonly<Record<ListedLine['kind'], string>> = {
  run: 'Seen run',
  guess: 'Not seen run: it may be data, or begin elsewhere',
  data: 'Not seen run, after the end of a routine or other data',
}

export type Runs = Uint8Array | null

type Read = (address: number) => number

const MAX_DATA_BYTES = 8
const MIN_TEXT_BYTES = 4
const LEAD_BYTES = 48

const endings: ReadonlySet<string> = new Set(['RTS', 'RTI', 'JMP', 'BRK', 'JAM'])
const mnemonicOf = (opcode: number): string => opcodes[opcode]?.mnemonic ?? ''

const endsRoutine = (opcode: number): boolean => endings.has(mnemonicOf(opcode))

/** @param afterRoutine whether the line before ended a routine, or was data */
export function listedLine(read: Read, runs: Runs, address: number, afterRoutine: boolean): ListedLine {
  const instruction = disassemble(read, address)
  if (runs === null) return { ...instruction, kind: 'guess' }
  if (hasBit(runs, address)) return { ...instruction, kind: 'run' }
  const room = unrunBytes(runs, address, instruction.length)
  if (!afterRoutine && room === instruction.length) return { ...instruction, kind: 'guess' }
  return dataLine(read, address, afterRoutine ? unrunBytes(runs, address, MAX_DATA_BYTES) : room)
}

export const leadsToData = ({ kind, bytes }: ListedLine): boolean => kind === 'data' || endsRoutine(bytes[0] ?? 0)

function unrunBytes(runs: Uint8Array, address: number, most: number): number {
  let count = 1
  while (count < most && address + count <= 0xffff && !hasBit(runs, address + count)) count++
  return count
}

export function dataLine(read: Read, address: number, length: number): ListedLine {
  const bytes = Array.from({ length }, (_, offset) => read(address + offset) & 0xff)
  const isText = length >= MIN_TEXT_BYTES && bytes.every((byte) => byte >= 0x20 && byte < 0x60 && byte !== 0x22)
  const text = isText ? `.text "${String.fromCharCode(...bytes)}"` : `.byte ${bytes.map(formatByte).join(',')}`
  return { address, bytes, length, text, undocumented: false, target: null, kind: 'data' }
}

export function listLines(read: Read, runs: Runs, start: number, count: number): ListedLine[] {
  const lines: ListedLine[] = []
  let afterRoutine = startsAsData(runs, start)
  for (let address = start; address <= 0xffff && lines.length < count;) {
    const line = listedLine(read, runs, address, afterRoutine)
    lines.push(line)
    afterRoutine = leadsToData(line)
    address += line.length
  }
  return lines
}

/** Without code just before it, what never ran is data. */
const startsAsData = (runs: Runs, start: number): boolean =>
  runs !== null && (start === 0 || !hasBit(runs, start - 1)) && !hasBit(runs, start)

/** Starts of the lines above an address, so that one of them ends just before it; the nearest last. */
export function linesAbove(read: Read, runs: Runs, address: number, count: number): ListedLine[] {
  const furthest = Math.max(0, address - Math.max(LEAD_BYTES, count * MAX_DATA_BYTES))
  const choices = [0, 1, 2].map((offset) => Math.min(address, furthest + offset))
  for (const start of choices) {
    const lines: ListedLine[] = []
    for (const line of listLines(read, runs, start, address - start)) {
      if (line.address >= address) break
      lines.push(line)
    }
    const last = lines.at(-1)
    if (last && last.address + last.length === address) return lines.slice(-count)
  }
  // No earlier instruction meets it, so the bytes before it stand alone.
  return Array.from({ length: Math.min(count, address - furthest) }, (_, index) =>
    dataLine(read, address - index - 1, 1),
  ).toReversed()
}

export type ReferenceKind = 'calls' | 'jumps' | 'reads' | 'writes' | 'changes'

export interface Reference {
  readonly line: ListedLine
  readonly kind: ReferenceKind
}

const kinds: ReadonlyMap<string, ReferenceKind> = new Map<string, ReferenceKind>([
  ['JSR', 'calls'],
  ...['JMP', 'BPL', 'BMI', 'BVC', 'BVS', 'BCC', 'BCS', 'BNE', 'BEQ'].map((name) => [name, 'jumps'] as const),
  ...['STA', 'STX', 'STY', 'SAX', 'SHA', 'SHX', 'SHY', 'TAS'].map((name) => [name, 'writes'] as const),
  ...['INC', 'DEC', 'ASL', 'LSR', 'ROL', 'ROR', 'SLO', 'RLA', 'SRE', 'RRA', 'DCP', 'ISC'].map(
    (name) => [name, 'changes'] as const,
  ),
])

export const referenceKind = (opcode: number): ReferenceKind => kinds.get(mnemonicOf(opcode)) ?? 'reads'

/** Instructions in all of memory whose operand names the address; those that were seen to run come first. */
export function referencesTo(read: Read, runs: Runs, target: number, most: number): Reference[] {
  const found = listLines(read, runs, 0, 0x10000)
    .filter((line) => line.kind !== 'data' && line.target === target)
    .map((line) => ({ line, kind: referenceKind(line.bytes[0] ?? 0) }))
  const seen = found.filter(({ line }) => line.kind === 'run')
  return [...seen, ...found.filter(({ line }) => line.kind !== 'run')].slice(0, most)
}

export interface JumpArrow {
  readonly from: number
  readonly to: number
  readonly lane: number
}

export function jumpArrows(lines: readonly ListedLine[], lanes: number): JumpArrow[] {
  const indexOf = new Map(lines.map(({ address }, index) => [address, index]))
  const jumps = lines.flatMap((line, from) => {
    const kind = referenceKind(line.bytes[0] ?? 0)
    const to = line.target === null ? undefined : indexOf.get(line.target)
    return line.kind === 'data' || kind !== 'jumps' || line.text.includes('(') || to === undefined || to === from
      ? []
      : [{ from, to }]
  })
  const span = ({ from, to }: { from: number; to: number }) => Math.abs(to - from)
  const arrows: JumpArrow[] = []
  for (const jump of jumps.toSorted((one, other) => span(one) - span(other))) {
    const [top, bottom] = [Math.min(jump.from, jump.to), Math.max(jump.from, jump.to)]
    const isTaken = (lane: number) =>
      arrows.some(
        (other) =>
          other.lane === lane && Math.min(other.from, other.to) <= bottom && Math.max(other.from, other.to) >= top,
      )
    const lane = Array.from({ length: lanes }, (_, index) => index).find((index) => !isTaken(index))
    if (lane !== undefined) arrows.push({ ...jump, lane })
  }
  return arrows
}
