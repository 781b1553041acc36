import { basename, extname } from 'node:path'
import { convertPhoto, type Conversion } from '@shared/graphics/photo/convertPhoto'
import {
  MAX_GRID,
  dithers,
  photoDefaults,
  photoFits,
  photoTargets,
  type Dither,
  type PhotoFit,
} from '@shared/graphics/photo/options'
import { paletteOf, readPhotoFile, type PaletteChoice } from './graphicsFiles'
import { choice, number, withDefault, type FilePath } from './parameters'

const targets = new Map(
  photoTargets.map((target) => [target.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), target]),
)

const amount = { min: -100, max: 100 }

export const photoOptions = {
  target: choice('TARGET', 'Converts any PNG, JPEG or GIF, within the limits of this mode.', [...targets.keys()]),
  fit: withDefault(choice<PhotoFit>('FIT', 'With --target: how a picture fills it.', photoFits), photoDefaults.fit),
  dither: withDefault(choice<Dither>('DITHER', 'With --target: how colours are mixed.', dithers), photoDefaults.dither),
  strength: withDefault(
    number('N', 'With --target: strength of dithering.', { min: 0, max: 100 }),
    photoDefaults.strength,
  ),
  brightness: withDefault(number('N', 'With --target.', amount), 0),
  contrast: withDefault(number('N', 'With --target.', amount), 0),
  saturation: withDefault(number('N', 'With --target.', amount), 0),
  background: number('N', 'With --target: the colour that all cells share. Default: the best.', { min: 0, max: 15 }),
  across: withDefault(number('N', 'With --target: sprites across.', { min: 1, max: MAX_GRID }), 1),
  down: withDefault(number('N', 'With --target: sprites down.', { min: 1, max: MAX_GRID }), 1),
} as const

interface PhotoChoices {
  readonly fit: PhotoFit
  readonly dither: Dither
  readonly strength: number
  readonly brightness: number
  readonly contrast: number
  readonly saturation: number
  readonly background: number | undefined
  readonly across: number
  readonly down: number
  readonly palette: PaletteChoice | undefined
  readonly aspect: 'square' | 'pal' | 'ntsc'
}

export async function convertPhotoFile(file: FilePath, target: string, choices: PhotoChoices): Promise<Conversion> {
  const { across, down, background, palette, ...options } = choices
  return convertPhoto(await readPhotoFile(file), {
    ...options,
    target: targets.get(target) ?? photoDefaults.target,
    columns: across,
    rows: down,
    background: background ?? null,
    palette: await paletteOf(palette),
    name: basename(file.path, extname(file.path)),
  })
}
