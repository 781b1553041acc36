import { expect, it } from 'vitest'
import { TRANSPARENT } from '@shared/c64/sprites'
import { paintSprite, samePixels } from './spritePixels'

const sprite = { pixels: Uint8Array.of(TRANSPARENT, 7) }

it('a sprite is painted in the palette, with nothing where it is transparent', () => {
  const palette = Array<number>(16).fill(0).with(7, 0xb8c76f)
  const out = new Uint32Array(2)
  paintSprite(sprite, palette, out)
  expect([...new Uint8Array(out.buffer)]).toEqual([0, 0, 0, 0, 0xb8, 0xc7, 0x6f, 0xff])
})

it('a sprite is painted again only when a pixel differs', () => {
  expect(samePixels(sprite, { pixels: sprite.pixels.slice() })).toBe(true)
  expect(samePixels(sprite, { pixels: Uint8Array.of(TRANSPARENT, 8) })).toBe(false)
  expect(samePixels(sprite, undefined)).toBe(false)
})
