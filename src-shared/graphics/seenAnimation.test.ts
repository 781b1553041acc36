import { describe, expect, it } from 'vitest'
import { animationOfSeen, type SeenSprite } from './seenAnimation'

const look = { colour: 1, multicolour: false, expandX: false, expandY: false }
const colours = { background: 0, multicolour1: 2, multicolour2: 3 }
const seenAs = (time: number, fill: number, colour = 1): SeenSprite => ({
  time,
  bytes: new Uint8Array(63).fill(fill),
  look: { ...look, colour },
})
const framesOf = (seen: readonly SeenSprite[], end: number) =>
  animationOfSeen(seen, end, 'walk', colours).animations[0]?.frames

describe('an animation out of what was seen', () => {
  it('has each picture once, and how long it was shown', () => {
    const sheet = animationOfSeen([seenAs(0, 1), seenAs(20, 1), seenAs(40, 2), seenAs(60, 3)], 100, 'walk', colours)
    expect(sheet.sprites.map(({ bytes }) => bytes[0])).toEqual([1, 2, 3])
    expect(sheet.animations).toEqual([
      {
        name: 'walk',
        isPingPong: false,
        frames: [
          { sprite: 0, ms: 40 },
          { sprite: 1, ms: 20 },
          { sprite: 2, ms: 40 },
        ],
      },
    ])
  })

  it('is one round where the pictures repeat, without the parts at the ends', () => {
    const seen = [seenAs(0, 1), seenAs(10, 2), seenAs(60, 1), seenAs(160, 2), seenAs(210, 1), seenAs(310, 2)]
    expect(framesOf(seen, 315)).toEqual([
      { sprite: 0, ms: 100 },
      { sprite: 1, ms: 50 },
    ])
  })

  it('has another picture where only the colour is another', () => {
    expect(framesOf([seenAs(0, 1), seenAs(20, 1, 7)], 40)).toHaveLength(2)
  })

  it('is none of what was never seen', () => {
    expect(animationOfSeen([], 40, 'walk', colours)).toMatchObject({ sprites: [], animations: [] })
  })
})
