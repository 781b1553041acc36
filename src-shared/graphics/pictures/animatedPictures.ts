import { AppError } from '../../contract/errors'
import { SPRITE_HEIGHT, SPRITE_WIDTH, TRANSPARENT } from '../../c64/sprites'
import type { Artwork, SpriteAnimation, SpriteSheet } from '../artwork'
import { spriteArtPixels, type Pixels } from '../artworkPixels'
import type { ExportOptions } from '../format'
import { artworkPicture, before, enlarged } from './artworkPicture'
import type { TimedPicture } from './indexedPng'

const FRAME_MS = 100

export function animatedPictures(artworks: readonly Artwork[], options: ExportOptions): TimedPicture[] {
  const pictures = artworks.flatMap((artwork) =>
    artwork.kind === 'sprites'
      ? sheetPictures(artwork, options)
      : [{ picture: artworkPicture(artwork, options), ms: options.frameMs ?? FRAME_MS }],
  )
  const [first] = pictures
  if (!first) throw new AppError('INVALID', 'There is nothing to draw.')
  if (pictures.some(({ picture }) => picture.width !== first.picture.width || picture.height !== first.picture.height))
    throw new AppError('INVALID', 'The pictures of an animation have one size.', {
      hint: 'Export sprites, screens or bitmaps alone.',
    })
  return pictures.map(({ picture, ms }) => ({ picture: enlarged(picture, options), ms }))
}

function animationOf({ animations }: SpriteSheet, wanted: number): SpriteAnimation | undefined {
  if (wanted === 0 && animations.length <= 1) return animations[0]
  const names = animations.map(({ name }, index) => `${index + 1} ${name}`).join(', ')
  if (wanted === 0)
    throw new AppError('INVALID', `The file holds one animation, and these are ${animations.length}: ${names}.`, {
      hint: 'Choose one of them.',
    })
  const animation = animations[wanted - 1]
  if (animation) return animation
  const known = animations.length === 0 ? 'There is none.' : `There are: ${names}.`
  throw new AppError('INVALID', `There is no animation ${wanted}. ${known}`)
}

function sheetPictures(sheet: SpriteSheet, options: ExportOptions): TimedPicture[] {
  const { isTransparent, frameMs = FRAME_MS } = options
  const animation = animationOf(sheet, options.animation ?? 0)
  const shown = animation
    ? [...animation.frames, ...(animation.isPingPong ? animation.frames.slice(1, -1).reverse() : [])]
    : sheet.sprites.flatMap(({ overlay }, sprite) => (overlay && sprite > 0 ? [] : [{ sprite, ms: frameMs }]))
  return shown.map(({ sprite, ms }) => {
    const picture = layered(sheet, sprite)
    return { picture: isTransparent ? picture : before(picture, sheet.background), ms }
  })
}

function layered(sheet: SpriteSheet, first: number): Pixels {
  const pixels = new Uint8Array(SPRITE_WIDTH * SPRITE_HEIGHT).fill(TRANSPARENT)
  for (let index = first; index < sheet.sprites.length; index++) {
    const sprite = sheet.sprites[index]
    if (!sprite || (index > first && !sprite.overlay)) break
    spriteArtPixels(sprite, sheet).pixels.forEach((pixel, at) => {
      if (pixel !== TRANSPARENT) pixels[at] = pixel
    })
  }
  return { width: SPRITE_WIDTH, height: SPRITE_HEIGHT, pixels }
}
