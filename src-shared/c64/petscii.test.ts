import { describe, expect, it } from 'vitest'
import { petsciiToScreenCode, petsciiToText, screenCodeToPetscii, textToPetscii } from './petscii'

describe('text for the keyboard', () => {
  it('gives unshifted keys for small letters and shifted ones for capitals', () => {
    expect([...textToPetscii('azAZ')]).toEqual([0x41, 0x5a, 0xc1, 0xda])
  })

  it('types a BASIC line', () => {
    expect([...textToPetscii('10 print"hi":run\n')]).toEqual([
      0x31, 0x30, 0x20, 0x50, 0x52, 0x49, 0x4e, 0x54, 0x22, 0x48, 0x49, 0x22, 0x3a, 0x52, 0x55, 0x4e, 0x0d,
    ])
  })

  it.each(['\n', '\r\n', '\r'])('presses RETURN once for a line end %j', (end) => {
    expect([...textToPetscii(`a${end}b`)]).toEqual([0x41, 0x0d, 0x42])
  })

  it('knows the keys that ASCII has not, and what stands in for them', () => {
    expect([...textToPetscii('£↑←π♥')]).toEqual([0x5c, 0x5e, 0x5f, 0xde, 0xd3])
    expect([...textToPetscii('\\^_~')]).toEqual([0x5c, 0x5e, 0x5f, 0xde])
    expect([...textToPetscii('“it’s”')]).toEqual([0x22, 0x49, 0x54, 0x27, 0x53, 0x22])
  })

  it('puts a question mark where the C64 has nothing', () => {
    expect([...textToPetscii('€😀')]).toEqual([0x3f, 0x3f])
  })
})

describe('PETSCII and screen codes', () => {
  it('lead back to the same screen code', () => {
    for (let code = 0; code < 128; code++) expect(petsciiToScreenCode(screenCodeToPetscii(code))).toBe(code)
  })

  it('follow the table of the reference', () => {
    expect([0x20, 0x3f, 0x41, 0x5f, 0x60, 0x7f, 0xa0, 0xbf, 0xc0, 0xfe, 0xff].map(petsciiToScreenCode)).toEqual([
      0x20, 0x3f, 0x01, 0x1f, 0x40, 0x5f, 0x60, 0x7f, 0x40, 0x7e, 0x5e,
    ])
  })

  it('have no picture for control codes', () => {
    expect([0x00, 0x0d, 0x1f, 0x80, 0x93, 0x9f].map((code) => petsciiToText(code, 'upper'))).toEqual(
      Array(6).fill(null),
    )
    expect(petsciiToText(0x41, 'lower')).toBe('a')
    expect(petsciiToText(0xc1, 'lower')).toBe('A')
  })
})
