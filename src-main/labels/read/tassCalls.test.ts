import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { tassCalls } from './tassCalls'
import { readTassListing } from './tassListing'

const fixture = (name: string) => readFileSync(`test/fixtures/labels/calls/${name}`, 'utf8')
const { lines } = readTassListing(fixture('calls.lst'))
const sources = ['calls.asm', 'macros.inc'].map((file) => ({ file, text: fixture(file) }))
const brief = (given = sources) =>
  tassCalls(lines, given).map(
    ({ file, line, start, end }) => `${file}:${line} ${start.toString(16)}-${end.toString(16)}`,
  )

describe('the calls of macros in a listing of 64tass', () => {
  it('have the code that the macros made for them; where that is not certain, none', () => {
    const start = lines.find(({ file, line }) => file === 'calls.asm' && line === 7)?.end ?? 0
    const at = (from: number, to: number) => `${(start + from).toString(16)}-${(start + to).toString(16)}`
    expect(brief()).toEqual([
      `calls.asm:8 ${at(0, 5)}`,
      `calls.asm:9 ${at(5, 10)}`,
      `calls.asm:10 ${at(10, 18)}`,
      `calls.asm:11 ${at(18, 25)}`,
      `calls.asm:12 ${at(25, 36)}`,
      `calls.asm:16 ${at(41, 46)}`,
      `calls.asm:16 ${at(46, 51)}`,
    ])
  })

  it('are none where a source is not known', () => {
    expect(brief(sources.slice(0, 1))).toEqual([])
    expect(brief([])).toEqual([])
  })

  it('are found in reading each source once, however often the program runs through all of it', () => {
    const source = ['m .macro', ' nop', ' .endm', ...new Array<string>(5_000).fill(' #m'), ' nop']
    const rounds = 3_000
    const listed = Array.from({ length: rounds }, (_, round) => {
      const at = 0x1000 + 3 * round
      return [4, 2, source.length].map((line, index) => ({ file: 'a', line, start: at + index, end: at + index + 1 }))
    }).flat()
    const trim = vi.spyOn(String.prototype, 'trim')
    try {
      tassCalls(listed, [{ file: 'a', text: source.join('\n') }])
      expect(trim.mock.calls.length).toBeLessThan(2 * source.length)
    } finally {
      trim.mockRestore()
    }
  })

  it('are all those of a long listing', () => {
    const rounds = 200_000
    const text = ['m .macro', ' nop', ' .endm', ' nop', ' .rept 200000', ' #m', ' .next'].join('\n')
    const listed = Array.from({ length: rounds }, (_, start) => ({ file: 'a', line: 2, start, end: start + 1 }))
    const before = { file: 'a', line: 4, start: 0, end: 1 }
    expect(tassCalls([before, ...listed], [{ file: 'a', text }])).toHaveLength(rounds)
  })
})
