import { palettes } from '../../c64/palettes'

export const photoTargets = [
  ...(['bitmap', 'multicolourBitmap', 'characters', 'multicolourCharacters'] as const),
  ...(['sprites', 'multicolourSprites'] as const),
] as const
export type PhotoTarget = (typeof photoTargets)[number]

export const photoTargetTitles: Readonly<Record<PhotoTarget, string>> = {
  bitmap: 'Hires bitmap',
  multicolourBitmap: 'Multicolour bitmap',
  characters: 'Characters',
  multicolourCharacters: 'Multicolour characters',
  sprites: 'Sprites',
  multicolourSprites: 'Multicolour sprites',
}

export const photoFits = ['fit', 'fill', 'stretch'] as const
export type PhotoFit = (typeof photoFits)[number]

export const dithers = ['off', 'bayer2', 'bayer4', 'bayer8', 'floyd-steinberg'] as const
export type Dither = (typeof dithers)[number]

export type PixelAspect = 'square' | 'pal' | 'ntsc'

export const MAX_GRID = 16

export interface PhotoOptions {
  readonly target: PhotoTarget
  readonly fit: PhotoFit
  /**
   * The part that stays when the picture is cropped, or its position when it is smaller: 0 left or top, 1 right or
   * bottom.
   */
  readonly x: number
  readonly y: number
  /** -100 to 100 each; 0 leaves the picture as it is. */
  readonly brightness: number
  readonly contrast: number
  readonly saturation: number
  readonly dither: Dither
  readonly strength: number
  readonly palette: readonly number[]
  readonly aspect: PixelAspect
  readonly columns: number
  readonly rows: number
  /** Shared colours, 0 to 15; null searches for the best. Used in the modes that have them. */
  readonly background: number | null
  readonly multicolour1: number | null
  readonly multicolour2: number | null
  readonly name: string
}

export const photoDefaults: PhotoOptions = {
  target: 'multicolourBitmap',
  fit: 'fit',
  x: 0.5,
  y: 0.5,
  brightness: 0,
  contrast: 0,
  saturation: 0,
  dither: 'floyd-steinberg',
  strength: 75,
  palette: palettes.pepto,
  aspect: 'square',
  columns: 1,
  rows: 1,
  background: null,
  multicolour1: null,
  multicolour2: null,
  name: '',
}
