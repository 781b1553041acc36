import { describe, expect, it } from 'vitest'
import { defaultGuessLimits } from './blockShape'
import { BrowsedBlocks, cellsOf, type BlockSource } from './browsedBlocks'

const inMemory = (memory: Uint8Array): BlockSource => ({ memoryOf: () => memory, offsetOf: (address) => address })

const changedOf = (blocks: BrowsedBlocks) =>
  Array.from({ length: blocks.count }, (_, block) => block).filter((block) => blocks.hasChanged(block))

/** As often as it takes to measure all. */
function settle(blocks: BrowsedBlocks, memory: Uint8Array) {
  for (let frame = 0; frame < 10; frame++) blocks.update(inMemory(memory), frame === 0 ? null : new Uint8Array(256))
}

describe('browsed blocks', () => {
  it('are at their stride, and found by their address', () => {
    const blocks = new BrowsedBlocks({ start: 0x2000, end: 0x3000, stride: 63 })
    expect([blocks.count, blocks.addressOf(2), blocks.blockAt(0x2000 + 126)]).toEqual([65, 0x207e, 2])
    expect([blocks.blockAt(0x1fc1), blocks.blockAt(0x2001), blocks.blockAt(0x3000)]).toEqual([null, null, null])
  })

  it('have changed where their own bytes have, not only their page', () => {
    const memory = new Uint8Array(0x10000)
    const blocks = new BrowsedBlocks({ start: 0, end: 0x10000, stride: 64 })
    settle(blocks, memory)
    expect(changedOf(blocks)).toEqual([])
    memory[0x2045] = 1
    const dirty = new Uint8Array(256)
    dirty[0x20] = 1
    blocks.update(inMemory(memory), dirty)
    expect(changedOf(blocks)).toEqual([0x81])
    blocks.update(inMemory(memory), dirty)
    expect(changedOf(blocks)).toEqual([])
  })

  it('have changed where they reach into a page that has', () => {
    const memory = new Uint8Array(0x10000)
    const blocks = new BrowsedBlocks({ start: 0x20f0, end: 0x2200, stride: 64 })
    settle(blocks, memory)
    memory[0x2105] = 1
    const dirty = new Uint8Array(256)
    dirty[0x21] = 1
    blocks.update(inMemory(memory), dirty)
    expect(changedOf(blocks)).toEqual([0])
  })

  it('are measured over several frames, also of memory that stands still', () => {
    const blocks = new BrowsedBlocks({ start: 0, end: 0x10000, stride: 64 })
    blocks.update(inMemory(new Uint8Array(0x10000)), null)
    expect(blocks.isMeasured).toBe(false)
    settle(blocks, new Uint8Array(0x10000))
    expect(blocks.isMeasured).toBe(true)
  })

  it('are likely by limits, equal ones once', () => {
    const memory = new Uint8Array(0x200)
    for (const start of [0, 0x80])
      for (let row = 4; row < 16; row++) memory.set([0, 0xff >> (row >> 1), 0], start + row * 3)
    const blocks = new BrowsedBlocks({ start: 0, end: 0x200, stride: 64 })
    settle(blocks, memory)
    expect([...blocks.likely(defaultGuessLimits)]).toEqual([1, 0, 1, 0, 0, 0, 0, 0])
    expect([...blocks.likely({ ...defaultGuessLimits, skipDuplicates: true })]).toEqual([1, 0, 0, 0, 0, 0, 0, 0])
  })

  it('make as many cells as they fill', () => {
    expect(cellsOf(17, { columns: 2, rows: 2, isOverlay: true })).toBe(2)
  })
})
