import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../contract/errors'
import { parsePrg } from './prg'

/** 10 SYS2061 at $0801, then one RTS at $080D. */
const stub = Uint8Array.of(0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, 0x60)

const refusal = (bytes: Uint8Array): string => {
  try {
    parsePrg(bytes)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID') return error.message
    throw error
  }
  return 'accepted'
}

describe('a PRG file', () => {
  it('says where it loads and where it ends', () => {
    const program = parsePrg(stub)
    expect(program).toMatchObject({ loadAddress: 0x0801, end: 0x080e })
    expect([...program.bytes]).toEqual([...stub.subarray(2)])
  })

  it('may reach exactly to the end of memory', () => {
    expect(parsePrg(Uint8Array.of(0xff, 0xff, 0x60)).end).toBe(0x10000)
    expect(parsePrg(new Uint8Array(2 + 0x10000)).end).toBe(0x10000)
  })

  it.each([
    [[], 'The program is empty.'],
    [[1], 'The program is cut short: it has one byte, and its load address alone takes two.'],
    [[1, 8], 'The program is cut short: nothing follows its load address $0801.'],
    [[0xff, 0xff, 1, 2, 3], 'The program is too long: 3 bytes from $FFFF go 2 past the end of memory ($FFFF).'],
  ])('%j is refused with the reason', (bytes, message) => {
    expect(refusal(Uint8Array.from(bytes))).toBe(message)
  })

  it('is read out of a P00 wrapper', () => {
    const header = new Uint8Array(26)
    header.set(Array.from('C64File\0', (character) => character.charCodeAt(0)))
    expect(parsePrg(Uint8Array.of(...header, ...stub))).toEqual(parsePrg(stub))
    expect(refusal(header)).toBe('The program is empty.')
  })

  it('never throws anything else, and terminates on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(refusal(Uint8Array.of(0x01, 0x08, ...bytes))).toBeTypeOf('string')
      }),
    )
  })
})
