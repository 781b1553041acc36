import { AppError } from '../contract/errors'
import type { Artwork, ArtworkKind } from './artwork'
import type { ExportOptions, GraphicsFormat, ReadArtwork, ReadOptions } from './format'
import { formatNamed, formatsOf } from './formats'

export interface ReadGraphicsFile extends ReadArtwork {
  readonly format: GraphicsFormat
}

/**
 * @param extension of the file's name, lower case, without a dot
 * @param id of the format; without it, the likeliest
 * @returns null for an unknown format
 */
export function readGraphicsFile(
  file: Uint8Array,
  extension: string,
  id?: string,
  options?: ReadOptions,
): ReadGraphicsFile | null {
  const format = id === undefined ? formatsOf(file, extension)[0] : formatNamed(id)
  return format?.read ? { ...format.read(file, options), format } : null
}

const plurals: Readonly<Record<ArtworkKind, string>> = {
  sprites: 'sprites',
  characters: 'characters',
  screen: 'screens',
  bitmap: 'bitmaps',
}

export function refusalOf(format: GraphicsFormat, artworks: readonly Artwork[]): string | null {
  const { title, kinds, holdsMany, write } = format
  if (!write) return `${title} does not hold new files.`
  const other = artworks.find(({ kind }) => !kinds.includes(kind))
  if (other) return `${title} does not hold ${plurals[other.kind]}.`
  if (artworks.length > 1 && !holdsMany) return `${title} holds one, and these are ${artworks.length}.`
  return null
}

/** @throws AppError INVALID for what the format cannot hold, with the reason */
export function writeGraphicsFile(
  format: GraphicsFormat,
  artworks: readonly Artwork[],
  options: ExportOptions,
): Uint8Array {
  const refusal = artworks.length === 0 ? 'There is nothing to write.' : refusalOf(format, artworks)
  if (refusal !== null || !format.write) throw new AppError('INVALID', refusal ?? '')
  return format.write(artworks, options)
}
