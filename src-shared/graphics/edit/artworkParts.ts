import type { VideoMode } from '../../c64/video'
import { bitmapModes, isFli, textModes, type Artwork, type Backgrounds, type SpriteSheet } from '../artwork'
import { VIC_BYTES, VIC_START, type ArtworkPart } from './model'

export type PlainArtwork = Exclude<Artwork, SpriteSheet>

const BORDER = 0xd020 - VIC_START
const BACKGROUND = 0xd021 - VIC_START

/** A copy; empty where the artwork has no such part. Characters without colours of their own get the common one. */
export function bytesOfPart(artwork: PlainArtwork, part: ArtworkPart): Uint8Array {
  if (part === 'registers') return registersOf(artwork)
  switch (artwork.kind) {
    case 'characters': {
      const { bytes, colours, colour } = artwork
      return part === 'data' ? bytes.slice() : part === 'colours' ? (colours?.slice() ?? Uint8Array.of(colour)) : none()
    }
    case 'screen':
      return part === 'screen' ? artwork.codes.slice() : part === 'colours' ? artwork.colours.slice() : none()
    case 'bitmap':
      return (part === 'data' ? artwork.bitmap : artwork[part]).slice()
  }
}

/** FLI can be shown in its present mode only. */
export function modesOf(artwork: PlainArtwork): readonly VideoMode[] {
  if (artwork.kind !== 'bitmap') return textModes
  return isFli(artwork) ? [artwork.mode] : bitmapModes
}

export function withMode(artwork: PlainArtwork, mode: string): PlainArtwork {
  if (artwork.kind === 'bitmap') return { ...artwork, mode: bitmapModes.find((each) => each === mode) ?? artwork.mode }
  return { ...artwork, mode: textModes.find((each) => each === mode) ?? artwork.mode }
}

const none = (): Uint8Array => new Uint8Array()

function registersOf(artwork: PlainArtwork): Uint8Array {
  const registers = new Uint8Array(VIC_BYTES)
  registers.set(artwork.kind === 'bitmap' ? [artwork.background] : artwork.backgrounds, BACKGROUND)
  if (artwork.kind !== 'characters') registers[BORDER] = artwork.border
  return registers
}

export function withPart(artwork: PlainArtwork, part: ArtworkPart, bytes: Uint8Array): PlainArtwork {
  if (part === 'registers') return withRegisters(artwork, bytes)
  switch (artwork.kind) {
    case 'characters':
      if (part === 'screen') return artwork
      if (part === 'data') return { ...artwork, bytes }
      return artwork.colours ? { ...artwork, colours: bytes } : { ...artwork, colour: (bytes[0] ?? 0) & 0x0f }
    case 'screen':
      if (part === 'data') return artwork
      return part === 'screen' ? { ...artwork, codes: bytes } : { ...artwork, colours: bytes }
    case 'bitmap':
      return { ...artwork, [part === 'data' ? 'bitmap' : part]: bytes }
  }
}

function withRegisters(artwork: PlainArtwork, bytes: Uint8Array): PlainArtwork {
  const colour = (offset: number): number => (bytes[offset] ?? 0) & 0x0f
  const background = (n: number): number => colour(BACKGROUND + n)
  if (artwork.kind === 'bitmap') return { ...artwork, background: background(0), border: colour(BORDER) }
  const backgrounds: Backgrounds = [background(0), background(1), background(2), background(3)]
  return artwork.kind === 'screen' ? { ...artwork, backgrounds, border: colour(BORDER) } : { ...artwork, backgrounds }
}
