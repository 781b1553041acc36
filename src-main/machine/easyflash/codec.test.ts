import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { encodePiece, greeting, parseAnswer, parseRequest } from './codec'

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the talk with an EasyFlash’s menu', () => {
  it('begins with twelve bytes, a zero among them', () => {
    expect(Buffer.from(greeting('PRG')).toString('hex')).toBe('4546535441' + '52543a505247' + '00')
    expect(Buffer.from(greeting('CRT')).toString('latin1')).toBe('EFSTART:CRT\0')
  })

  it('goes on as the menu says', () => {
    expect(parseAnswer(ascii('LOAD\0'), 'PRG')).toBe('load')
    expect(parseAnswer(ascii('WAIT\0'), 'CRT')).toBe('wait')
  })

  it('ends with a reason where the menu refuses', () => {
    const code = (text: string): unknown => {
      try {
        return parseAnswer(ascii(text), 'PRG')
      } catch (error) {
        return error instanceof AppError ? error.code : error
      }
    }
    expect(code('STOP\0')).toBe('CANCELLED')
    expect(code('ETYP\0')).toBe('UNSUPPORTED')
    expect(code('BTYP\0')).toBe('UNSUPPORTED')
    expect(code('HTTP/')).toBe('CONFLICT')
    expect(code('LOAD!')).toBe('CONFLICT')
  })

  it('has numbers with the least significant byte first', () => {
    expect(parseRequest(Uint8Array.of(0x02, 0x01))).toBe(0x102)
    expect(
      Buffer.from(encodePiece(new Uint8Array(0x102)))
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('0201')
    expect([...encodePiece(new Uint8Array(0))]).toEqual([0, 0])
  })

  it('takes nothing but its own words for an answer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 5, maxLength: 5 }), (bytes) => {
        try {
          expect(['load', 'wait']).toContain(parseAnswer(bytes, 'PRG'))
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
    )
  })
})
