import { describe, expect, it } from 'vitest'
import { placesIn } from '@shared/c64/banking'
import { describeAge, describeByte, speakByte } from './describe'

const cpu = placesIn('cpu', 7)
const ram = placesIn('ram', 7)
const changed = (age: number) => ({ kind: 'changes', age, isStale: false, moment: null }) as const

describe('a byte in words', () => {
  it('has its address, name, value in every base and as text', () => {
    expect(describeByte(cpu, 0xd020, 0x0e, changed(1500))).toEqual({
      address: '$D020  53280',
      place: 'VIC.BORDER: Border colour',
      value: '$0E  14  %00001110',
      text: 'PETSCII control code, screen N',
      age: 'changed 1 s ago',
    })
  })

  it('has its region where it has no name', () => {
    expect(describeByte(cpu, 0xc000, 0x41, changed(Infinity))).toMatchObject({
      place: 'Upper RAM: RAM that neither BASIC nor the KERNAL uses',
      value: '$41  65  %01000001',
      text: 'PETSCII A, screen ♠',
    })
    expect(describeByte(cpu, 0xc000, 0x20, changed(Infinity)).text).toBe('PETSCII space, screen space')
  })

  it('says what it is for now, where that is known', () => {
    const described = (address: number, use: string) => describeByte(cpu, address, 0, changed(Infinity), { use }).place
    expect(described(0x07f8, 'Pointer of sprite 0')).toBe('SPRITEPTR: Pointer of sprite 0')
    expect(described(0x2000, 'Bitmap, line 0')).toBe('Bitmap, line 0')
  })

  it('is of the memory that is looked at', () => {
    expect(describeByte(ram, 0xd020, 0, changed(Infinity)).place).toBe('RAM at $D000: RAM under I/O and character ROM')
    expect(describeByte(ram, 0xa000, 0, changed(Infinity)).place).toBe('RAM at $A000: RAM under the BASIC ROM')
    expect(speakByte(ram, 0xffd2, 0)).toBe('$FFD2, $00')
  })

  it('has the change that a recording tells of, at the moment shown or before it', () => {
    const age = (at: number) => {
      const moment = { time: 10_000, change: { time: at, frame: 1, value: 6, before: 5 } }
      return describeByte(cpu, 0x0400, 6, { ...changed(Infinity), moment }).age
    }
    expect(age(10_000)).toBe('changed at this moment: $05 → $06')
    expect(age(9980)).toBe('changed 20 ms before this moment: $05 → $06')
    expect(age(4000)).toBe('changed 6 s before this moment: $05 → $06')
    const without = (change: null | undefined) =>
      describeByte(cpu, 0x0400, 6, { ...changed(Infinity), moment: { time: 10_000, change } }).age
    expect(without(null)).toBe('did not change before in this recording')
    expect(without(undefined)).toBe('')
  })

  it('has no age where nothing answers', () => {
    expect(describeByte(cpu, 0xde00, 0, changed(10)).age).toBe(
      'changes not shown: unless something is plugged in, reads here vary',
    )
    expect(describeByte(ram, 0xde00, 0, changed(10)).age).toBe('changed just now')
  })

  it('tells reads and writes as well, and what is no longer known', () => {
    expect(describeAge(Infinity, 'reads')).toBe('no read seen')
    expect(describeByte(cpu, 0xde00, 0, { kind: 'writes', age: 2500, isStale: false, moment: null }).age).toBe(
      'written 2 s ago',
    )
    expect(describeByte(cpu, 0x0400, 0, { kind: 'changes', age: 10, isStale: true, moment: null }).age).toBe(
      'not known: not read yet, or a write to it was lost on the way',
    )
  })

  it('needs no character that common fonts lack', () => {
    for (let value = 0; value < 256; value++)
      expect(describeByte(cpu, 0xc000, value, changed(0)).text).not.toMatch(/[\u{10000}-\u{10ffff}]/u)
    expect(describeByte(cpu, 0xc000, 0x7f, changed(0)).text).toBe('PETSCII ◥, screen ▚')
    expect(describeByte(cpu, 0xc000, 0x70, changed(0)).text).toBe('PETSCII edge right and above, screen ┌')
  })

  it('has no value before it was read', () => {
    expect(describeByte(cpu, 0xd020, null, changed(Infinity))).toMatchObject({
      value: 'not read yet',
      text: '',
      age: '',
    })
  })

  it('tells the age of its last change roughly', () => {
    expect([Infinity, 0, 999, 1000, 59_999, 60_000, 3_700_000].map((age) => describeAge(age, 'changes'))).toEqual([
      'no change seen',
      'changed just now',
      'changed just now',
      'changed 1 s ago',
      'changed 59 s ago',
      'changed 1 min ago',
      'changed 61 min ago',
    ])
  })

  it('is spoken in short', () => {
    expect(speakByte(cpu, 0xd020, 14)).toBe('$D020, VIC.BORDER, $0E')
    expect(speakByte(cpu, 0xc000, 0)).toBe('$C000, $00')
  })
})
