import { assert, property, string, json, stringMatching, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTolerantJson, plainText } from './json'

const parse = (text: string): unknown => parseTolerantJson(Buffer.from(text))

describe('JSON as the Ultimate writes it', () => {
  it('is read as JSON where it is', () => {
    assert(
      property(json(), (text) => {
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('may have raw control bytes in its strings', () => {
    expect(parse('{ "file" : "A\u0001B\nC\u001f", "errors" : [ ] }')).toEqual({ file: 'A\u0001B\nC\u001f', errors: [] })
  })

  it('may have bare quotes in its strings', () => {
    expect(parse('{ "file" : "SAY "HI" TWICE", "errors" : [ ] }')).toEqual({ file: 'SAY "HI" TWICE', errors: [] })
  })

  it('may have bare backslashes in its strings, also at their end', () => {
    expect(parse(String.raw`{ "path" : "C:\DIR\", "errors" : [ ] }`)).toEqual({
      path: String.raw`C:\DIR` + '\\',
      errors: [],
    })
  })

  it('may hold bytes that are no UTF-8', () => {
    expect(parseTolerantJson(Buffer.from('{"file":"\u00c1\u00c2"}', 'latin1'))).toEqual({ file: '\u00c1\u00c2' })
  })

  it('keeps any name that has no quote followed by what ends a string', () => {
    assert(
      property(stringMatching(/^[\x01-\x21\x23-\x5b\x5d-\x7e]*$/), (name) => {
        expect(parse(`{ "name" : "${name}", "errors" : [ ] }`)).toEqual({ name, errors: [] })
      }),
    )
  })

  it('is nothing where it is something else', () => {
    expect(parse('<html>')).toBeUndefined()
    expect(parse('{ "cut" : "of')).toBeUndefined()
  })

  it('never throws', () => {
    assert(property(uint8Array({ maxLength: 200 }), (bytes) => void parseTolerantJson(bytes)))
  })
})

it('text of the device becomes one short line', () => {
  expect(plainText(' a\r\n\u0000b ')).toBe('a b')
  assert(
    property(string({ maxLength: 500 }), (text) => {
      expect(plainText(text).length).toBeLessThanOrEqual(300)
    }),
  )
})
