import { describe, expect, it } from 'vitest'
import {
  byteAtColumn,
  byteColumn,
  bytesWidth,
  firstRowFor,
  headLine,
  hexLine,
  kindAt,
  moveCursor,
  rowCount,
  rowLengths,
  rowOf,
  textLine,
  wholeRows,
} from './rows'

const all = { start: 0, end: 0x10000 }
const io = { start: 0xd000, end: 0xe000 }
const bytes = Uint8Array.of(
  0xa9,
  0x00,
  0x8d,
  0x20,
  0xd0,
  0x60,
  0xff,
  0x01,
  0x41,
  0xc1,
  0x5c,
  0x0d,
  0x20,
  0x7f,
  0x80,
  0x31,
)

describe('a row', () => {
  it('has each byte at its column', () => {
    const line = hexLine(bytes, 16)
    expect(line).toBe('A9 00 8D 20 D0 60 FF 01  41 C1 5C 0D 20 7F 80 31')
    expect(line).toHaveLength(bytesWidth(16))
    for (let index = 0; index < 16; index++) {
      expect(Number.parseInt(line.slice(byteColumn(index), byteColumn(index) + 2), 16)).toBe(bytes[index])
    }
  })

  it.each(rowLengths)('of %i bytes finds the byte under each of its two digits', (rowBytes) => {
    for (let index = 0; index < rowBytes; index++) {
      const column = byteColumn(index)
      expect([byteAtColumn(column, rowBytes), byteAtColumn(column + 1.9, rowBytes)]).toEqual([index, index])
    }
    expect([byteAtColumn(-3, rowBytes), byteAtColumn(199, rowBytes)]).toEqual([0, rowBytes - 1])
  })

  it('is whole at both ends of a range', () => {
    expect(wholeRows({ start: 0x401, end: 0x7e8 })).toEqual({ start: 0x400, end: 0x800 })
    expect(wholeRows(all)).toEqual(all)
    expect(wholeRows({ start: 0xffff, end: 0x10000 })).toEqual({ start: 0xffe0, end: 0x10000 })
  })

  it('has the low digits of its columns over it, and two digits from $10', () => {
    expect(headLine(16)).toBe(' 0  1  2  3  4  5  6  7   8  9  A  B  C  D  E  F')
    expect(headLine(32)).toHaveLength(bytesWidth(32))
    expect(headLine(32)).toMatch(/ 0 {2}1 .* E {2}F {2}10 11 .* 17 {2}18 .* 1F$/)
  })

  it('tells the same bytes as PETSCII or as screen codes, always 16 characters', () => {
    const screen = 0x0400
    expect(textLine(bytes, { kind: 'petscii', set: 'upper', screen }, 0x0400, 16)).toBe('··· ····A·£· ··1')
    expect(textLine(bytes, { kind: 'petscii', set: 'lower', screen }, 0x0400, 16)).toBe('··· P···aA£· ··1')
    expect(textLine(bytes, { kind: 'screen', set: 'upper', screen }, 0xc000, 16)).toBe(')@M · ·A···M ·@1')
  })
})

describe('the kind of text, where nobody chose', () => {
  it.each([0x0400, 0xcc00])('is screen codes in the screen at %i, PETSCII before and behind', (screen) => {
    const kinds = [-16, 0, 0x3e0, 0x3f0].map((offset) =>
      kindAt({ kind: 'auto', set: 'upper', screen }, screen + offset),
    )
    expect(kinds).toEqual(['petscii', 'screen', 'screen', 'petscii'])
  })

  it('is what was chosen everywhere otherwise', () => {
    const chosen = (['petscii', 'screen'] as const).flatMap((kind) =>
      [0x0400, 0x0800].map((at) => kindAt({ kind, set: 'upper', screen: 0x0400 }, at)),
    )
    expect(chosen).toEqual(['petscii', 'petscii', 'screen', 'screen'])
  })
})

describe('the rows', () => {
  it('are 4096 for all memory and 256 for the I/O area, and half of that with 32 bytes each', () => {
    expect([rowCount(all, 16), rowCount(io, 16)]).toEqual([4096, 256])
    expect([rowCount(all, 32), rowCount(io, 32)]).toEqual([2048, 128])
    expect([rowOf(all, 0xd020, 16), rowOf(io, 0xd020, 16)]).toEqual([0xd02, 2])
  })

  it('scroll only when the wanted one is not seen, and then put it in the middle', () => {
    expect(firstRowFor(12, 10, 20, 4096)).toBe(10)
    expect(firstRowFor(100, 10, 20, 4096)).toBe(90)
    expect(firstRowFor(2, 10, 20, 4096)).toBe(0)
    expect(firstRowFor(4095, 10, 20, 4096)).toBe(4076)
    expect(firstRowFor(3, 0, 50, 10)).toBe(0)
  })
})

describe('the cursor', () => {
  it.each([
    ['ArrowRight', false, 0xd021],
    ['ArrowLeft', false, 0xd01f],
    ['ArrowDown', false, 0xd030],
    ['ArrowUp', false, 0xd010],
    ['PageDown', false, 0xd020 + 19 * 16],
    ['Home', false, 0xd020],
    ['End', false, 0xd02f],
    ['Home', true, 0],
    ['End', true, 0xffff],
    ['a', false, undefined],
  ])('goes with %s (Ctrl: %s)', (key, ctrl, to) => {
    expect(moveCursor(0xd020, key, ctrl, 20, all, 16)).toBe(to)
  })

  it('goes by rows of 32 bytes where they are shown', () => {
    expect(moveCursor(0xd031, 'ArrowDown', false, 20, all, 32)).toBe(0xd051)
    expect(moveCursor(0xd031, 'Home', false, 20, all, 32)).toBe(0xd020)
    expect(moveCursor(0xd031, 'End', false, 20, all, 32)).toBe(0xd03f)
  })

  it('stays inside its range and in its column', () => {
    expect(moveCursor(0, 'ArrowLeft', false, 20, all, 16)).toBe(0)
    expect(moveCursor(0xffff, 'ArrowRight', false, 20, all, 16)).toBe(0xffff)
    expect(moveCursor(0xd005, 'PageUp', false, 20, io, 16)).toBe(0xd005)
    expect(moveCursor(0xdff5, 'PageDown', false, 20, io, 16)).toBe(0xdff5)
  })
})
