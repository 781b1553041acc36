import { halvesOf, type ChipWrite, type FirstHalf, type RasterFrame, type SecondHalf } from '../contract/rasterFrame'
import { formatAddress, formatByte } from './address'
import { chips } from './chips'

/** Cycles of a line by the use of their second half; they add up to the length of the line. */
export type CycleUse = Readonly<Record<SecondHalf, number>>

const noUse: CycleUse = { reads: 0, writes: 0, waits: 0, matrix: 0, sprite: 0 }

export function lineUses({ cycles, cyclesPerLine, linesPerFrame }: RasterFrame): CycleUse[] {
  return Array.from({ length: linesPerFrame }, (_, line) => {
    const use: Record<SecondHalf, number> = { ...noUse }
    for (const byte of cycles.subarray(line * cyclesPerLine, (line + 1) * cyclesPerLine)) use[halvesOf(byte).second]++
    return use
  })
}

export const sumOfUses = (uses: readonly CycleUse[]): CycleUse =>
  uses.reduce(
    (sum, use) => ({
      reads: sum.reads + use.reads,
      writes: sum.writes + use.writes,
      waits: sum.waits + use.waits,
      matrix: sum.matrix + use.matrix,
      sprite: sum.sprite + use.sprite,
    }),
    noUse,
  )

export interface LineGroup {
  readonly firstLine: number
  readonly lastLine: number
  readonly use: CycleUse
}

export function groupLines(uses: readonly CycleUse[]): LineGroup[] {
  const groups: LineGroup[] = []
  for (const [line, use] of uses.entries()) {
    const last = groups.at(-1)
    if (last && isAlike(last.use, use)) groups[groups.length - 1] = { ...last, lastLine: line }
    else groups.push({ firstLine: line, lastLine: line, use })
  }
  return groups
}

const isAlike = (a: CycleUse, b: CycleUse): boolean =>
  a.waits === b.waits && a.matrix === b.matrix && a.sprite === b.sprite

export const cpuCycles = ({ reads, writes }: CycleUse): number => reads + writes

export const lineText = (use: CycleUse): string =>
  [
    [cpuCycles(use), 'CPU'],
    [use.matrix, 'video matrix'],
    [use.sprite, 'sprites'],
    [use.waits, 'waits'],
  ]
    .flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
    .join(', ')

/** @param cycle of the line, from 0 */
export function instructionAt({ instructions, cyclesPerLine }: RasterFrame, line: number, cycle: number): number {
  const at = 2 * (line * cyclesPerLine + cycle)
  return (instructions[at] ?? 0) | ((instructions[at + 1] ?? 0) << 8)
}

const secondHalfTitles: Readonly<Record<SecondHalf, string>> = {
  reads: 'CPU reads',
  writes: 'CPU writes',
  waits: 'CPU waits',
  matrix: 'VIC-II: video matrix',
  sprite: 'VIC-II: sprite data',
}

const firstHalfTitles: Readonly<Record<FirstHalf, string>> = {
  idle: 'nothing it uses',
  refresh: 'RAM refresh',
  graphics: 'graphics',
  pointer: 'sprite pointer',
  sprite: 'sprite data',
}

export interface CycleFact {
  readonly label: string
  readonly text: string
  readonly address?: number
}

export function cycleFacts(frame: RasterFrame, line: number, cycle: number): readonly CycleFact[] {
  const { first, second } = halvesOf(frame.cycles[line * frame.cyclesPerLine + cycle] ?? 0)
  const sprite = frame.sprites[cycle] ?? null
  const ofSprite = (isSprite: boolean): string => (isSprite && sprite !== null ? ` (sprite ${sprite})` : '')
  const firstText = `${firstHalfTitles[first]}${ofSprite(first === 'pointer' || first === 'sprite')}`
  const address = instructionAt(frame, line, cycle)
  const writes = writesIn(frame, line, cycle)
  return [
    { label: 'Place', text: `line ${line}, cycle ${cycle}` },
    { label: 'First half', text: `VIC-II: ${firstText}` },
    { label: 'Second half', text: `${secondHalfTitles[second]}${ofSprite(second === 'sprite')}` },
    { label: 'Instruction', text: formatAddress(address), address },
    ...writes.map((write) => ({ label: 'Write', text: writeText(write) })),
  ]
}

const writesIn = ({ writes }: RasterFrame, line: number, cycle: number): readonly ChipWrite[] =>
  writes.filter((write) => write.line === line && write.cycle === cycle)

export const writeText = ({ address, value }: ChipWrite): string =>
  `${formatAddress(address)} ${registerName(address)} = ${formatByte(value)}`

const registerName = (address: number): string => {
  const chip = address >= chips.cia2.start ? chips.cia2 : chips.vic
  return chip.registers[address - chip.start]?.name ?? ''
}

export function frameUseText(frame: RasterFrame): string {
  const sum = sumOfUses(lineUses(frame))
  const all = frame.cycles.length
  const share = ((100 * cpuCycles(sum)) / all).toFixed(1)
  const { matrix, sprite, waits } = sum
  return `The CPU has ${cpuCycles(sum)} of ${all} cycles (${share} %); the video matrix takes ${matrix}, sprites take ${sprite}, and the CPU waits in ${waits}.`
}
