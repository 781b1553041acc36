import { describe, expect, it } from 'vitest'
import { describeBlock } from './blockDescription'

const shape = { setBits: 142, filledRows: 18, continuity: 0.612, repetition: 0.2, isUniform: false, hash: 1 }
const look = { colour: 1, multicolour: false, expandX: false, expandY: false }
const block = { address: 0x2c00, block: 176, shape, isLikely: true, use: undefined, isUsedNow: false, age: 0 }

describe('the description of a block', () => {
  it('says where it is, what its pointer would be, and how it is filled', () => {
    expect(describeBlock(block)).toEqual({
      place: '$2C00  block 176  pointer $B0 (176) in bank 0',
      shape: '142 bits, 18 rows, continuity 61 %: likely',
      use: 'not seen in use',
    })
  })

  it('says what no pointer reaches, and where the VIC-II sees ROM', () => {
    expect(describeBlock({ ...block, address: 0x9003, block: 3 }).place).toBe(
      '$9003  block 3  no pointer, bank 2, where the VIC-II sees character ROM',
    )
  })

  it('says which sprites use it, or how long ago they did', () => {
    const use = { time: 0, look, sprites: [0, 3] }
    expect(describeBlock({ ...block, use, isUsedNow: true }).use).toBe('sprites 0, 3 now')
    expect(describeBlock({ ...block, use, age: 12_400 }).use).toBe('sprites 0, 3, 12 s ago')
    expect(describeBlock({ ...block, use: { ...use, sprites: [7] }, age: 125_000 }).use).toBe('sprite 7, 2 min ago')
  })
})
