import { counted } from '../countedText'
import { CHARACTER_BYTES, type Artwork } from './artwork'
import type { FormatProblem } from './format'

export const countOf = (artwork: Artwork): number =>
  artwork.kind === 'sprites'
    ? artwork.sprites.length
    : artwork.kind === 'characters'
      ? artwork.bytes.length / CHARACTER_BYTES
      : 1

export const artworkText = (artwork: Artwork): string => {
  if (artwork.kind === 'sprites') return counted(countOf(artwork), 'sprite')
  if (artwork.kind === 'characters') return counted(countOf(artwork), 'character')
  return `a ${artwork.kind}`
}

export const loadedText = (artworks: readonly Artwork[]): string =>
  artworks.length === 0 ? 'Nothing of it was loaded.' : `Loaded: ${artworks.map(artworkText).join(', ')}.`

export const problemText = ({ offset, text }: FormatProblem): string => `Byte ${offset}: ${text}`
