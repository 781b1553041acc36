import { describe, expect, it } from 'vitest'
import { LineTable } from './lineTable'

const debugLine = (line: number, start: number, end: number) => ({
  debugFile: 'a.dbg',
  line: { file: 'a.s', line, start, end },
})

describe('the lines of a program', () => {
  it('are given the innermost first', () => {
    const table = new LineTable([debugLine(1, 0x1000, 0x1010), debugLine(2, 0x1004, 0x1006)])
    expect(table.at(0x1005).map(({ line }) => line.line)).toEqual([2, 1])
    expect(table.at(0x1005, 1).map(({ line }) => line.line)).toEqual([2])
    expect(table.at(0x1010)).toEqual([])
  })

  it('are a few at each address, however many say to have made it', () => {
    const table = new LineTable(Array.from({ length: 40_000 }, (_, line) => debugLine(line + 1, 0, 0x10000)))
    expect(table.at(0x1234)).toHaveLength(16)
  })
})
