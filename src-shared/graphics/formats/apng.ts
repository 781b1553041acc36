import type { GraphicsFormat } from '../format'
import { animatedPictures } from '../pictures/animatedPictures'
import { animatedPng } from '../pictures/indexedPng'
import { isPng, readPngFile } from '../pictures/readPngFile'
import { readFrames } from '../pictures/readFrames'

export const apng: GraphicsFormat = {
  id: 'apng',
  title: 'Animated PNG',
  extensions: ['apng', 'png'],
  kinds: ['sprites', 'screen', 'bitmap'],
  holdsMany: true,
  options: ['palette', 'scale', 'isTransparent', 'aspect', 'frameMs', 'animation', 'romCharacters'],
  likeness: (file, extension) => {
    if (!isPng(file)) return 'no'
    const isAnimated = String.fromCharCode(...file.subarray(0, 1024)).includes('acTL')
    if (isAnimated) return 'certain'
    return extension === 'apng' ? 'possible' : 'no'
  },
  read: (file, { palette, shownPalette } = {}) => {
    const { frames, problems } = readPngFile(file, '')
    return frames.length === 0
      ? { artworks: [], problems }
      : readFrames(frames, { given: palette, shown: shownPalette })
  },
  write: (artworks, options) => animatedPng(animatedPictures(artworks, options), options.palette),
}
