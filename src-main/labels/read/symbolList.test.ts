import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fullNameOf } from '@shared/c64/labels/programLabel'
import { readSymbolList } from './symbolList'

const fixture = (name: string): string => readFileSync(`test/fixtures/labels/${name}`, 'latin1')
const brief = (text: string) =>
  readSymbolList(text).labels.map((label) => `${fullNameOf(label)} ${label.address.toString(16)} ${label.kind}`)

describe('a label list', () => {
  it('of 64tass has addresses with a $, and decimal constants; texts are none', () => {
    expect(brief(fixture('border.lbl'))).toEqual([
      'WIDTH 28 constant',
      'draw 819 label',
      'PAD 0 constant',
      'table 825 label',
      'main 80d label',
      'border d020 label',
      'loop 80f label',
    ])
  })

  it('of ACME has all in hexadecimal, with remarks', () => {
    expect(brief(fixture('borderAcme.sym'))).toEqual([
      'WIDTH 28 label',
      'main 80d label',
      'border d020 label',
      'table 825 label',
      'draw 819 label',
    ])
  })

  it('of 64tass may have variables, and the place of each before it', () => {
    expect(brief('C:\\game\\main.asm:38:14: i := 3\nmy: 1.inc:4:1: draw.inner._local = $082a\nvx := $40\n')).toEqual([
      'i 3 constant',
      'draw.inner._local 82a label',
      'vx 40 label',
    ])
    expect(readSymbolList('i := 3\nmain = $0810').problem).toBeNull()
  })

  it('keeps scopes, and leaves out what is no address', () => {
    expect(brief('; remark\ndraw.loop = $081b\nbig = $12345\npi = 3.14\nneg = -1\n\tname\t= "a = $1"\n')).toEqual([
      'draw.loop 81b label',
    ])
  })

  it('tells of lines that are none of its own', () => {
    expect(readSymbolList('main = $0810\nthis is prose').problem).toBe(
      '1 entry was left out, the first at line 2: expected “name = $0810”.',
    )
  })
})
