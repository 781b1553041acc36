import { z } from 'zod'
import { paletteNames, palettes, type PaletteName } from '@shared/c64/palettes'
import { toFailure } from '@shared/contract/errors'
import type { Artwork, ArtworkKind } from '@shared/graphics/artwork'
import type { ExportOptions } from '@shared/graphics/format'
import { graphicsFormats } from '@shared/graphics/formats'
import type { OperationContext } from '../operation'
import { choices, wholeNumber } from './arguments'

const writable = (kind: ArtworkKind) =>
  graphicsFormats.filter((format) => format.write !== undefined && format.kinds.includes(kind))

export const formatsFor = (kind: ArtworkKind) => {
  const formats = writable(kind)
  const [first = '', ...others] = formats.map(({ id }) => id)
  return choices([first, ...others])
    .optional()
    .meta({
      description: `Files to write beside these: ${formats.map(({ id, title }) => `${id} (${title})`).join(', ')}.`,
    })
}

export const palette = () => z.enum(paletteNames).default('pepto').meta({ description: 'Palette of the pictures.' })

export const scale = () => wholeNumber(1, 8, 'How many times as large the pictures of these formats are.').prefault(1)

interface Wanted {
  readonly formats?: readonly string[] | undefined
  readonly palette: PaletteName
  readonly scale: number
  readonly columns?: number
  readonly address?: number | undefined
  readonly romCharacters?: Uint8Array
}

interface SavedFiles {
  readonly files: readonly string[]
  readonly refused: readonly { readonly format: string; readonly reason: string }[]
}

export async function saveArtwork(
  { artifact, log }: OperationContext,
  path: string,
  artwork: Artwork,
  wanted: Wanted,
): Promise<SavedFiles> {
  const files: string[] = []
  const refused: { format: string; reason: string }[] = []
  for (const format of writable(artwork.kind).filter(({ id }) => wanted.formats?.includes(id) ?? false)) {
    const file = `${path}-${format.id}.${format.extensions[0] ?? 'bin'}`
    try {
      await artifact(file, format.write?.([artwork], optionsOf(artwork, wanted)) ?? '')
      files.push(file)
    } catch (error) {
      const { code, message } = toFailure(error)
      if (code !== 'INVALID') throw error
      log(`no ${format.id}: ${message}`)
      refused.push({ format: format.id, reason: message })
    }
  }
  return { files, refused }
}

export const savedSummary = ({ files, refused }: SavedFiles) => ({
  ...(files.length > 0 ? { files: files.map((file) => `artifacts/${file}`) } : {}),
  ...(refused.length > 0 ? { refused: refused.map(({ format, reason }) => ({ format, reason })) } : {}),
})

const optionsOf = (
  { name }: Artwork,
  { palette, scale, columns = 8, address = 0x2000, romCharacters }: Wanted,
): ExportOptions => ({
  name: name.replaceAll(/[^A-Za-z0-9 ]/g, ''),
  palette: palettes[palette],
  numbers: 'hex',
  scale,
  isTransparent: true,
  columns,
  aspect: 'square',
  address,
  romCharacters: romCharacters ?? new Uint8Array(0x1000),
})
