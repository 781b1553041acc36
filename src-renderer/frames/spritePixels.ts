import { SPRITE_HEIGHT, SPRITE_WIDTH, TRANSPARENT, type Sprite } from '@shared/c64/sprites'
import { imageDataWord } from '../widgets/heat'

type Pixels = Pick<Sprite, 'pixels'>

/**
 * Transparent pixels stay clear.
 * @param palette 0xRRGGBB
 */
export function paintSprite({ pixels }: Pixels, palette: readonly number[], out: Uint32Array): void {
  pixels.forEach((pixel, index) => {
    out[index] = pixel === TRANSPARENT ? 0 : imageDataWord(palette[pixel] ?? 0)
  })
}

export const samePixels = (one: Pixels, other: Pixels | undefined): boolean =>
  other !== undefined && one.pixels.every((pixel, index) => pixel === other.pixels[index])

let shared: { readonly image: ImageData; readonly words: Uint32Array } | undefined

export function drawSprite(
  canvas: HTMLCanvasElement | null | undefined,
  sprite: Pixels,
  palette: readonly number[],
): void {
  const context = canvas?.getContext('2d')
  if (!context) return
  if (!shared) {
    const image = new ImageData(SPRITE_WIDTH, SPRITE_HEIGHT)
    shared = { image, words: new Uint32Array(image.data.buffer) }
  }
  paintSprite(sprite, palette, shared.words)
  context.putImageData(shared.image, 0, 0)
}
