/**
 * Keeps the artwork itself beside its picture, so that nothing gets lost: it counts as long as the picture shows it.
 */
import { z } from 'zod'
import { strFromU8, strToU8 } from 'fflate'
import type { Artwork } from '../artwork'
import type { Pixels } from '../artworkPixels'
import type { ExportOptions } from '../format'
import { acme } from '../formats/acme'
import { artworkPicture, enlarged } from './artworkPicture'

export const KEYWORD = 'Bridgedeck'

const keptOptions = z.object({
  columns: z.int().min(1).max(4096),
  isTransparent: z.boolean(),
  scale: z.int().min(1).max(8),
  aspect: z.enum(['square', 'pal', 'ntsc']),
  palette: z.array(z.int().min(0).max(0xffffff)).length(16),
})
type KeptOptions = z.infer<typeof keptOptions>

export function keptText(artwork: Artwork, options: ExportOptions): Uint8Array {
  const { columns, isTransparent, scale, aspect, palette } = options
  const head = JSON.stringify({ columns, isTransparent, scale, aspect, palette })
  const source = acme.write?.([artwork], { ...options, numbers: 'hex' })
  return strToU8(`${head}\n${source ? strFromU8(source) : ''}`)
}

export interface Kept {
  readonly options: KeptOptions
  readonly artwork: Artwork | undefined
}

export function readKept(text: Uint8Array): Kept | null {
  const end = text.indexOf(10)
  try {
    const options = keptOptions.parse(JSON.parse(strFromU8(text.subarray(0, Math.max(0, end)))))
    const read = acme.read?.(text.subarray(end + 1))
    return { options, artwork: read?.problems.length === 0 ? read.artworks[0] : undefined }
  } catch {
    return null
  }
}

export function isShown({ artwork, options }: Kept, { width, height, pixels }: Pixels): boolean {
  // The file does not hold what the ROM's characters look like.
  if (artwork === undefined || (artwork.kind === 'screen' && typeof artwork.characters === 'string')) return false
  const drawn = enlarged(artworkPicture(artwork, { ...options, romCharacters: new Uint8Array(4096) }), options)
  return drawn.width === width && drawn.height === height && drawn.pixels.every((pixel, at) => pixel === pixels[at])
}
