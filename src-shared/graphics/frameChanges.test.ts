import { describe, expect, it } from 'vitest'
import { frameChanges, moreSprites } from './frameChanges'

const io = (interrupts: number) => Uint8Array.from({ length: 0x1000 }, (_, at) => (at === 0x1a ? interrupts : 0))

describe('a picture out of one image of memory', () => {
  it('may be wrong in parts where raster interrupts are on, unless no register of the picture was written', () => {
    expect(frameChanges(io(0xf1), null)).toContain('Raster interrupts')
    expect(frameChanges(io(0xf1), new Set([0xd019]))).toBeNull()
    expect(frameChanges(io(0xf1), new Set([0xd018]))).toContain('$D018')
  })

  it('may be wrong in parts where its registers were written within the frame', () => {
    expect(frameChanges(io(0xf0), new Set([0xd016, 0xd020]))).toContain('wrote $D016 within')
    expect(frameChanges(io(0xf0), null)).toBeNull()
    expect(frameChanges(io(0xf0), new Set([0xd020]))).toBeNull()
  })
})

describe('the eight sprites of one image of memory', () => {
  const on = (interrupts: number) => io(interrupts).fill(1, 0x15, 0x16)

  it('may not be all where their places were written, or nothing tells that and raster interrupts are on', () => {
    expect(moreSprites(on(0), new Set([0xd000, 0xd005]))).toContain('wrote $D005 within')
    expect(moreSprites(on(0), new Set([0xd000]))).toBeNull()
    expect(moreSprites(on(1), new Set())).toBeNull()
    expect(moreSprites(on(1), null)).toContain('Raster interrupts are on')
    expect(moreSprites(on(0), null)).toBeNull()
  })

  it('are all where none is on', () => {
    expect(moreSprites(io(1), null)).toBeNull()
  })
})
