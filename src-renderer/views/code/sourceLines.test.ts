import { describe, expect, it } from 'vitest'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { codeText, sourceRows, stopsAt } from './sourceLines'

const code = [
  { line: 2, start: 0x80d, end: 0x80f },
  { line: 2, start: 0x900, end: 0x902 },
]
const rows = sourceRows('; start\r\n  ldx #0\n', code)
const checkpoint = (changes: Partial<LabelledCheckpoint>): LabelledCheckpoint => ({
  number: 1,
  start: 0x80d,
  end: 0x80d,
  operations: ['exec'],
  stop: true,
  enabled: true,
  temporary: false,
  condition: null,
  fromHit: 1,
  log: null,
  hits: 0,
  label: null,
  line: null,
  unbound: null,
  enabledAgain: null,
  ...changes,
})

describe('the lines of a source', () => {
  it('are those of its text, with their code', () => {
    expect(rows.map(({ number, code }) => [number, code.length])).toEqual([
      [1, 0],
      [2, 2],
    ])
    expect(rows.map(codeText)).toEqual(['Line 1 has no code', 'Line 2: $080D-$080E, and 1 more from $0900'])
  })

  it('are shown in part where they are long', () => {
    expect(sourceRows('x'.repeat(3000), [])[0]?.text).toMatch(/^x{2000}… \(3000 characters\)$/)
  })

  it('have the checkpoints that stop where they run', () => {
    const [first, second] = rows
    const at = [checkpoint({}), checkpoint({ number: 2, operations: ['store'] }), checkpoint({ number: 3, end: 0x8ff })]
    const stopping = (row = first) => at.filter((each) => row && stopsAt(row, each)).map(({ number }) => number)
    expect(stopping(second)).toEqual([1])
    expect(stopping(first)).toEqual([])
  })
})
