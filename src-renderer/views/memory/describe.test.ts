import { describe, expect, it } from 'vitest'
import { describeAge, describeByte, speakByte } from './describe'

describe('a byte in words', () => {
  it('has its address, name, value in every base and as text', () => {
    expect(describeByte(0xd020, 0x0e, 1500)).toEqual({
      address: '$D020  53280',
      place: 'VIC.BORDER: Border colour',
      value: '$0E  14  %00001110',
      text: 'PETSCII control code, screen N',
      age: 'changed 1 s ago',
    })
  })

  it('has its region where it has no name', () => {
    expect(describeByte(0xc000, 0x41, Infinity)).toMatchObject({ place: 'Upper RAM', value: '$41  65  %01000001', text: 'PETSCII A, screen ♠' })
    expect(describeByte(0xc000, 0x20, Infinity).text).toBe('PETSCII space, screen space')
  })

  it('has no value before it was read', () => {
    expect(describeByte(0xd020, null, Infinity)).toMatchObject({ value: 'not read yet', text: '', age: '' })
  })

  it('tells the age of its last change roughly', () => {
    expect([Infinity, 0, 999, 1000, 59_999, 60_000, 3_700_000].map(describeAge)).toEqual([
      ...['no change seen', 'changed just now', 'changed just now', 'changed 1 s ago', 'changed 59 s ago', 'changed 1 min ago', 'changed 61 min ago'],
    ])
  })

  it('is spoken in short', () => {
    expect(speakByte(0xd020, 14)).toBe('$D020, VIC.BORDER, $0E')
    expect(speakByte(0xc000, 0)).toBe('$C000, $00')
  })
})
