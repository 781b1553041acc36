import { describe, expect, test } from 'vitest'
import { findWriter } from './findWriter'

/** Stopped right after `code`, which begins at $C000. */
function after(code: readonly number[], bytes: Readonly<Record<number, number>> = {}, registers = {}) {
  const memory = new Uint8Array(0x10000)
  memory.set([0x00, 0xea, 0x00, 0xe0, 0x48, 0xff], 0xfffa)
  memory.set(code, 0xc000)
  for (const [address, byte] of Object.entries(bytes)) memory[Number(address)] = byte
  return { memory, pc: 0xc000 + code.length, x: 0, y: 0, ...registers }
}

describe('findWriter', () => {
  test.each([
    ['absolute', after([0xee, 0x20, 0xd0]), 'INC $D020'],
    ['with X', after([0x9d, 0x00, 0xd0], {}, { x: 0x20 }), 'STA $D000,X'],
    ['with Y', after([0x99, 0xff, 0xcf], {}, { y: 0x21 }), 'STA $CFFF,Y'],
    ['through a pointer', after([0x91, 0xfb], { 0xfb: 0x1f, 0xfc: 0xd0 }, { y: 1 }), 'STA ($FB),Y'],
    ['through a pointer with X', after([0x81, 0xfa], { 0x01: 0x20, 0x02: 0xd0 }, { x: 7 }), 'STA ($FA,X)'],
  ])('names an instruction that wrote %s', (_, stopped, text) => {
    expect(findWriter(stopped, 0xd020, 0xd021)).toMatchObject({ address: 0xc000, text })
  })

  test('says nothing of one that reads, or writes elsewhere', () => {
    expect(findWriter(after([0xad, 0x20, 0xd0]), 0xd020, 0xd020)).toBeUndefined()
    expect(findWriter(after([0xee, 0x22, 0xd0]), 0xd020, 0xd021)).toBeUndefined()
  })

  test('says nothing where two could have written', () => {
    // STA $8591, or its last two bytes alone: STA ($85),Y
    const stopped = after([0x8d, 0x91, 0x85], { 0x85: 0x91, 0x86: 0x85 })
    expect(findWriter(stopped, 0x8591, 0x8591)).toBeUndefined()
  })

  test('says nothing of the stack, or once an interrupt has been taken', () => {
    expect(findWriter(after([0x8d, 0xf0, 0x01]), 0x01f0, 0x01f0)).toBeUndefined()
    const stopped = after([0xee, 0x20, 0xd0], { 0xfffe: 0x03, 0xffff: 0xc0 })
    expect(findWriter(stopped, 0xd020, 0xd020)).toBeUndefined()
  })
})
