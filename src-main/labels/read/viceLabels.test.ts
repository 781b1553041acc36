import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fullNameOf } from '@shared/c64/labels/programLabel'
import { readViceLabels } from './viceLabels'

const fixture = (name: string): string => readFileSync(`test/fixtures/labels/${name}`, 'latin1')
const brief = (text: string) =>
  readViceLabels(text).labels.map((label) => `${fullNameOf(label)} ${label.address.toString(16)}`)

describe('VICE labels', () => {
  it('are read as 64tass writes them, with what is local to a procedure', () => {
    expect(brief(fixture('border64tass.vs'))).toEqual([
      'draw 819',
      'draw.loop 81b',
      'table 825',
      'main 80d',
      'loop 80f',
    ])
  })

  it('are read as ACME writes them, constants too', () => {
    expect(brief(fixture('borderAcme.vs'))).toEqual(['WIDTH 28', 'border d020', 'main 80d', 'table 825', 'draw 819'])
  })

  it('are read as cc65’s linker writes them', () => {
    expect(brief(fixture('borderCa65.lbl'))).toEqual([
      'table 825',
      'loop 81b',
      'draw 819',
      'loop 80f',
      'main 80d',
      'next 80b',
    ])
  })

  it('may stand among other commands of the monitor, in the lines of any system', () => {
    expect(brief('break 0811\r\nal C:$0811 .start\r\nadd_label 0900 other\r\n; al 1\r\n')).toEqual([
      'start 811',
      'other 900',
    ])
  })

  it('are left out where they are damaged, and the first is named', () => {
    const { labels, problem } = readViceLabels('al C:0810 .a\nal C:xyz .b\nal 12345 .c\nal 0812 .d')
    expect(labels.map(({ name }) => name)).toEqual(['a', 'd'])
    expect(problem).toBe('2 entries were left out, the first at line 2: expected “al C:0810 .name”.')
  })

  it('are refused where nothing can be read', () => {
    expect(() => readViceLabels('al nonsense')).toThrow('This is no complete VICE label file: line 1')
  })
})
