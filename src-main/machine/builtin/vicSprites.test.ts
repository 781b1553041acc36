/** Sprites pixel by pixel. `builtinVic.test.ts` compares them with x64sc. */
import { expect, it } from 'vitest'
import { powerOnSpritePixels, SpritePixels } from './vicSprites'

const SPRITE_0_COLOR = 0x27

it('takes single pixels in the middle of a pair when a sprite of the 8565 is no longer multicolor', () => {
  const sprites = new SpritePixels(false)
  const bits = [0b0000_0100 << 16, 0, 0, 0, 0, 0, 0, 0]
  sprites.restore({ ...powerOnSpritePixels(), active: 1, paired: 1, wideFlips: 1, bits })
  const out = new Uint8Array(8)
  const chip = {
    registers: new Uint8Array(64),
    spriteXs: new Uint16Array(8),
    spritesMoved: false,
    spriteData: new Int32Array(8),
    spritesShown: 1,
  }
  sprites.draw(
    chip,
    0,
    100,
    0,
    out,
    0,
    Uint8Array.from({ length: 0x2f }, (_, place) => place),
  )
  expect([...out]).toEqual([0, 0, 0, 0, 0, SPRITE_0_COLOR, 0, 0])
})
