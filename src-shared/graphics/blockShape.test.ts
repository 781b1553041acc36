import { describe, expect, it } from 'vitest'
import { blocksIn, blockShape, defaultGuessLimits, isLikelySprite } from './blockShape'

/** A filled circle. */
const ball = Uint8Array.from({ length: 63 }, (_, at) => {
  const row = Math.floor(at / 3)
  return Array.from({ length: 8 }, (_, bit) => {
    const x = (at % 3) * 8 + bit
    return Math.hypot(x - 11.5, row - 10) < 9 ? 1 << (7 - bit) : 0
  }).reduce((sum, one) => sum | one, 0)
})

function noise(seed: number): Uint8Array {
  let state = seed
  return Uint8Array.from({ length: 63 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 24
  })
}

const text = Uint8Array.from('THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG AND RUNS AWAY, AGAIN', (one) =>
  one.charCodeAt(0),
).subarray(0, 63)

const isLikely = (bytes: Uint8Array) => isLikelySprite(blockShape(bytes, 0), defaultGuessLimits)

describe('the shape of a block', () => {
  it('counts bits and rows', () => {
    const bytes = new Uint8Array(63)
    bytes.set([0xff, 0x81, 0x00], 6)
    expect(blockShape(bytes, 0)).toMatchObject({ setBits: 10, filledRows: 1, isUniform: false })
  })

  it('is continuous for a picture, and not for noise or text', () => {
    expect(blockShape(ball, 0).continuity).toBeGreaterThan(0.7)
    for (const seed of [1, 2, 3, 4, 5]) expect(Math.abs(blockShape(noise(seed), 0).continuity)).toBeLessThan(0.25)
    expect(Math.abs(blockShape(text, 0).continuity)).toBeLessThan(0.3)
  })

  it('is the same for the same bytes at another address', () => {
    const memory = new Uint8Array(256)
    memory.set(ball, 130)
    expect(blockShape(memory, 130)).toEqual(blockShape(ball, 0))
  })

  it('takes bytes past the end of memory as 0', () => {
    expect(blockShape(Uint8Array.of(1), 0)).toMatchObject({ setBits: 1, filledRows: 1 })
  })
})

describe('a likely sprite', () => {
  it('is a picture', () => expect(isLikely(ball)).toBe(true))
  it('is neither noise, nor text, nor what is empty or the same byte throughout', () => {
    expect([noise(1), text, new Uint8Array(63), new Uint8Array(63).fill(0x55)].some(isLikely)).toBe(false)
  })
  it('is no screen of blanks with some letters in it', () => {
    const screen = new Uint8Array(63).fill(0x20)
    screen.set([1, 2, 3, 4], 20)
    expect(blockShape(screen, 0).repetition).toBeGreaterThan(0.8)
    expect(isLikely(screen)).toBe(false)
  })
  it('depends on limits that can be tuned', () => {
    const all = {
      minSetBits: 0,
      maxSetBits: 504,
      minNonZeroRows: 0,
      minContinuity: -1,
      maxRepetition: 1,
      skipUniform: false,
      skipDuplicates: false,
    }
    expect(isLikelySprite(blockShape(noise(1), 0), all)).toBe(true)
    expect(isLikelySprite(blockShape(ball, 0), { ...all, maxSetBits: 10 })).toBe(false)
    expect(isLikelySprite(blockShape(new Uint8Array(63), 0), all)).toBe(false)
  })
})

describe('blocks in a range', () => {
  it('are 1,024 in 64 KiB', () => expect(blocksIn(0, 0x10000, 64)).toBe(1024))
  it('may overlap', () => expect(blocksIn(0, 65, 1)).toBe(3))
  it('are none where no sprite fits', () => expect(blocksIn(0, 62, 1)).toBe(0))
})
