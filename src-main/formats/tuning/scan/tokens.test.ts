import { describe, expect, it } from 'vitest'
import { Code } from './code'

const tokensOf = (text: string, language = 'js'): string[] => {
  const code = new Code(text, [{ start: 0, end: text.length, language }])
  return Array.from({ length: code.length - 1 }, (_, at) => code.text(at))
}

describe('Tokens of code', () => {
  it('leave out comments and regular expressions, and keep strings whole', () => {
    expect(tokensOf('a /* b */ = /c"d/.test("e // f") // g')).toEqual(['a', '=', '.', 'test', '(', '"e // f"', ')'])
    expect(tokensOf('a = b / c / d')).toEqual(['a', '=', 'b', '/', 'c', '/', 'd'])
    expect(tokensOf('a = 1 # b', 'python')).toEqual(['a', '=', '1'])
  })

  it('take templates apart at their interpolations, nested ones too', () => {
    expect(tokensOf('`a ${b({ c: `d ${e}` })} f`')).toEqual([
      '`',
      'a ',
      '${',
      'b',
      '(',
      '{',
      'c',
      ':',
      '`',
      'd ',
      '${',
      'e',
      '}',
      '`',
      '}',
      ')',
      '}',
      ' f',
      '`',
    ])
  })

  it('end an open string at the end of its line, and take no apostrophe for a quote', () => {
    expect(tokensOf("a 'b\nc don't d")).toEqual(['a', "'", 'b', 'c', 'don', "'", 't', 'd'])
  })

  it('know the brackets around each, though some are never closed', () => {
    const text = 'a(b[c)d'
    const code = new Code(text, [{ start: 0, end: text.length, language: 'js' }])
    expect([code.text(code.parent(4)), code.partner(1), code.parent(6), [...code.around(4)]]).toEqual([
      '[',
      5,
      -1,
      [3, 1],
    ])
  })
})
