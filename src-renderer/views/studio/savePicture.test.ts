import { expect, it } from 'vitest'
import type { Artwork, Bitmap } from '@shared/graphics/artwork'
import { formatFor, saveLimit } from './savePicture'

const bitmap = (mode: Bitmap['mode']): Artwork => ({
  kind: 'bitmap',
  name: 'flag',
  mode,
  bitmap: new Uint8Array(8000),
  screen: new Uint8Array(1000),
  colours: new Uint8Array(1000),
  background: 0,
  border: 0,
})

it('a picture is saved in the format that is usual for what it became', () => {
  expect(formatFor(bitmap('multicolourBitmap'), 'usual').title).toBe('Koala Painter')
  expect(formatFor(bitmap('bitmap'), 'usual').title).toBe('Art Studio')
})

it('what a format cannot hold is said before it is saved', () => {
  expect(saveLimit(bitmap('multicolourBitmap'), 'koala')).toBeNull()
  expect(saveLimit(bitmap('bitmap'), 'koala')).toMatch(/multicolour bitmap/)
  expect(saveLimit(bitmap('bitmap'), 'spritepad-5')).toBe('SpritePad Pro 5 does not hold bitmaps.')
})
