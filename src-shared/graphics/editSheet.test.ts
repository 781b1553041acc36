import { describe, expect, it } from 'vitest'
import type { SpriteArt, SpriteSheet } from './artwork'
import { withInserted, withMoved, withoutSprites } from './editSheet'

const sprite = (name: string): SpriteArt => ({
  name,
  bytes: new Uint8Array(63),
  overlay: false,
  colour: 1,
  multicolour: false,
  expandX: false,
  expandY: false,
})
const sheet: SpriteSheet = {
  kind: 'sprites',
  name: '',
  background: 0,
  multicolour1: 1,
  multicolour2: 2,
  sprites: ['a', 'b', 'c', 'd'].map(sprite),
  animations: [{ name: 'x', isPingPong: false, frames: [0, 2, 3, 2].map((at) => ({ sprite: at, ms: 20 })) }],
}
const namesOf = ({ sprites }: SpriteSheet) => sprites.map(({ name }) => name).join('')
/** The names of the frames' sprites. */
const framesOf = ({ sprites, animations }: SpriteSheet) =>
  animations.map(({ frames }) => frames.map((frame) => sprites[frame.sprite]?.name).join(''))

describe('a sheet of sprites', () => {
  it('loses sprites together with their frames', () => {
    const less = withoutSprites(sheet, new Set([1, 2]))
    expect([namesOf(less), framesOf(less)]).toEqual(['ad', ['ad']])
  })

  it('moves sprites, while frames stay with them, up to its ends', () => {
    const back = withMoved(sheet, new Set([0, 1]), 1)
    expect([namesOf(back.sheet), framesOf(back.sheet), back.chosen]).toEqual(['cabd', ['acdc'], new Set([1, 2])])
    const end = withMoved(sheet, new Set([2, 3]), 1)
    expect([namesOf(end.sheet), end.chosen]).toEqual(['abcd', new Set([2, 3])])
    expect(namesOf(withMoved(sheet, new Set([1, 3]), -1).sheet)).toBe('badc')
  })

  it('takes sprites in between', () => {
    const more = withInserted(sheet, [sprite('x'), sprite('y')], 1)
    expect([namesOf(more), framesOf(more)]).toEqual(['abxycd', ['acdc']])
    expect(namesOf(withInserted(sheet, [sprite('x')], -1))).toBe('xabcd')
  })
})
