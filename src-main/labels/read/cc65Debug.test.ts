import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fullNameOf } from '@shared/c64/labels/programLabel'
import { readCc65Debug } from './cc65Debug'

const text = readFileSync('test/fixtures/labels/borderCa65.dbg', 'latin1')

describe('a cc65 debug file', () => {
  it('has labels with scope and size, and tells code from data', () => {
    expect(
      readCc65Debug(text).labels.map((label) =>
        [fullNameOf(label), label.address.toString(16), label.size, label.kind].join(' '),
      ),
    ).toEqual([
      'table 825  data',
      'draw.loop 81b  code',
      'draw 819 12 code',
      'main.loop 80f  code',
      'main 80d 12 code',
      'next 80b  code',
      'width 28  constant',
      'border d020  label',
    ])
  })

  it('has the address of each source line', () => {
    const lines = readCc65Debug(text).lines.filter(({ line }) => line >= 14 && line <= 16)
    expect(lines.sort((a, b) => a.line - b.line)).toEqual([
      { file: 'borderCa65.s', line: 14, start: 0x80f, end: 0x810 },
      { file: 'borderCa65.s', line: 15, start: 0x810, end: 0x813 },
      { file: 'borderCa65.s', line: 16, start: 0x813, end: 0x816 },
    ])
  })

  it('has the segments that have bytes in memory', () => {
    expect(readCc65Debug(text).segments).toEqual([
      { name: 'CODE', start: 0x801, end: 0x825 },
      { name: 'DATA', start: 0x825, end: 0x84e },
    ])
  })

  it('names a cheap local label after the label before it', () => {
    const sym = 'sym\tid=8,name="@skip",addrsize=absolute,parent=2,val=0x81E,seg=0,type=lab\n'
    expect(readCc65Debug(text + sym).labels.map(fullNameOf)).toContain('draw.@skip')
  })

  it('keeps what can be read where records are missing', () => {
    const { labels, problem } = readCc65Debug(text.replace(/^seg\tid=0.*\n/m, ''))
    expect(labels).toHaveLength(8)
    expect(problem).toMatch(/^\d+ entries were left out, the first at line \d+: expected a file, spans and segments/)
  })

  it('keeps what stands before a sudden end', () => {
    const { labels, problem } = readCc65Debug(text.slice(0, text.lastIndexOf('sym\t')))
    expect(labels).toHaveLength(7)
    expect(problem).toBe('1 entry was left out, the first at its end: expected 8 records “sym”, not 7.')
  })

  it('is refused in a version that is not known', () => {
    expect(() => readCc65Debug(text.replace('major=2', 'major=3'))).toThrow('has version 3; Bridgedeck reads version 2')
  })

  it('takes linear time for a circle of scopes and for a line that never ends', () => {
    const circle = 'scope\tid=3,name="x",mod=0,parent=4\nscope\tid=4,name="y",mod=0,parent=3\n'
    const sym = 'sym\tid=9,name="z",scope=3,val=0x900,type=lab\n'
    const { labels } = readCc65Debug(`${text}${circle}${sym}line\t${'a'.repeat(1_000_000)}\n`)
    expect(labels.at(-1)).toMatchObject({ name: 'z', address: 0x900 })
  })
})
