import { describe, expect, it } from 'vitest'
import { mapCellAt, rowsInMemory, tileCharacter, type TileLayout } from './tileLayout'

const ram = new Uint8Array(0x10000)
ram.set([0, 2, 1, 3], 0x4000)
ram.set([10, 11, 12, 13, 20, 21, 22, 23], 0x5000)
const shape = (layout: TileLayout) => ({ layout, width: 2, height: 2, definitions: 0x5000 })
const tile = (layout: TileLayout, tile: number) =>
  [0, 1].flatMap((y) => [0, 1].map((x) => tileCharacter(shape(layout), ram, tile, x, y)))

describe('a tile', () => {
  it('has characters that follow each other, by rows or by columns', () => {
    expect(tile('rows', 1)).toEqual([4, 5, 6, 7])
    expect(tile('columns', 1)).toEqual([4, 6, 5, 7])
  })

  it('has characters that stand together in the set', () => {
    expect(tile('block', 1)).toEqual([2, 3, 18, 19])
    expect(tile('block', 8)).toEqual([32, 33, 48, 49])
  })

  it('has the characters of its definition in memory', () => {
    expect(tile('definitions', 1)).toEqual([20, 21, 22, 23])
  })
})

describe('a map', () => {
  const place = { address: 0x4000, columns: 2, rows: 2 }

  it('has a tile for each byte', () => {
    expect(mapCellAt(place, shape('definitions'), ram, 1, 2)).toEqual({ address: 0x4002, tile: 1, character: 21 })
    expect(mapCellAt(place, shape('rows'), ram, 2, 1)).toEqual({ address: 0x4001, tile: 2, character: 10 })
  })

  it('ends at its last column and row, and with memory', () => {
    expect(mapCellAt(place, shape('rows'), ram, 4, 0)).toBeNull()
    expect(mapCellAt(place, shape('rows'), ram, 0, 4)).toBeNull()
    expect(mapCellAt({ address: 0xffff, columns: 2, rows: 9 }, shape('rows'), ram, 2, 0)).toBeNull()
    expect(rowsInMemory({ address: 0xff00, columns: 100, rows: 50 })).toBe(3)
  })
})
