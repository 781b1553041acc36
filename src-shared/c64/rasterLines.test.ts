import { describe, expect, it } from 'vitest'
import {
  cycleByte,
  firstHalves,
  secondHalves,
  type FirstHalf,
  type RasterFrame,
  type SecondHalf,
} from '../contract/rasterFrame'
import { cycleFacts, frameUseText, groupLines, instructionAt, lineUses } from './rasterLines'

const LINES = 4
const CYCLES = 63

/** Lines of reads, but for the cycles that are given; line 2 is a bad line. */
function frameWith(
  cells: readonly (readonly [line: number, cycle: number, first: FirstHalf, second: SecondHalf])[],
): RasterFrame {
  const cycles = new Uint8Array(LINES * CYCLES)
  const set = (line: number, cycle: number, first: FirstHalf, second: SecondHalf) =>
    (cycles[line * CYCLES + cycle] = cycleByte(firstHalves.indexOf(first), secondHalves.indexOf(second)))
  for (const cycle of [11, 12, 13]) set(2, cycle, 'refresh', 'waits')
  for (let cycle = 14; cycle < 54; cycle++) set(2, cycle, 'graphics', 'matrix')
  for (const cell of cells) set(...cell)
  const instructions = new Uint8Array(2 * cycles.length)
  instructions.set([0x34, 0x12], 2 * (CYCLES + 5))
  return {
    standard: 'pal',
    cyclesPerLine: CYCLES,
    linesPerFrame: LINES,
    cycles,
    instructions,
    sprites: Array.from({ length: CYCLES }, (_, cycle) => (cycle === 57 || cycle === 58 ? 0 : null)),
    writes: [{ line: 1, cycle: 5, address: 0xd020, value: 7 }],
    picture: { width: 384, height: 272, pixels: new Uint8Array(0) },
  }
}

describe('the raster lines of a frame', () => {
  it('are grouped where they leave the CPU as many cycles', () => {
    const groups = groupLines(lineUses(frameWith([[0, 3, 'idle', 'writes']])))
    expect(groups.map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([
      [0, 1],
      [2, 2],
      [3, 3],
    ])
    expect(groups[1]?.use).toEqual({ reads: 20, writes: 0, waits: 3, matrix: 40, sprite: 0 })
  })

  it('are told in a sentence', () => {
    expect(frameUseText(frameWith([]))).toBe(
      'The CPU has 209 of 252 cycles (82.9 %); the video matrix takes 40, sprites take 0, and the CPU waits in 3.',
    )
  })

  it('have the instruction, the sprite and what was written in each cycle', () => {
    const frame = frameWith([
      [1, 5, 'idle', 'writes'],
      [3, 57, 'pointer', 'sprite'],
    ])
    expect(instructionAt(frame, 1, 5)).toBe(0x1234)
    expect(cycleFacts(frame, 1, 5)).toEqual([
      { label: 'Place', text: 'line 1, cycle 5' },
      { label: 'First half', text: 'VIC-II: nothing it uses' },
      { label: 'Second half', text: 'CPU writes' },
      { label: 'Instruction', text: '$1234', address: 0x1234 },
      { label: 'Write', text: '$D020 BORDER = $07' },
    ])
    expect(cycleFacts(frame, 3, 57)).toContainEqual({
      label: 'Second half',
      text: 'VIC-II: sprite data (sprite 0)',
    })
  })
})
