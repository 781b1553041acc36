import { formatAddress, formatByte } from '@shared/c64/address'
import { coloursOfCell } from '@shared/graphics/edit/bitmapSurface'
import { codeOfCell, colourOfCell } from '@shared/graphics/edit/cellSurface'
import type { EditModel } from '@shared/graphics/edit/model'
import type { Area, Parts } from '@shared/graphics/edit/surface'
import type { Spot } from '@shared/graphics/edit/shapes'
import type { Edited } from '../../client/edited'
import { colourName } from '@shared/c64/palettes'

export function statusText(
  { surface, places }: EditModel,
  parts: Parts,
  { x, y }: Spot,
  selection: Area | null,
  kind: Edited['kind'] | null,
): string {
  const { part, offset } = surface.placeOf(x, y)
  const place = places[part]
  const byte = parts[part]?.[offset] ?? 0
  const where = place?.in === 'machine' ? formatAddress(place.address + offset) : `byte ${offset}`
  const value = surface.get(parts, x, y)
  const texts = [`x ${x}, y ${y}`, `${where} = ${formatByte(byte)}`]
  if (kind === 'characters' && place?.in === 'artwork') texts.push(`character ${formatByte(offset >> 3)}`)
  if (kind === 'screen') texts.push(`character ${formatByte(codeOfCell(value))}, ${colourName(colourOfCell(value))}`)
  if (kind === 'bitmap') {
    const isMulticolour = surface.widthAt(x, y) === 2
    const mode = isMulticolour ? 'multicolourBitmap' : 'bitmap'
    const { used, limit } = coloursOfCell(parts, mode, surface.clear, x, y)
    texts.push(`${colourName(value)}, cell: ${used.size} of ${limit} colours`)
  }
  if (selection) texts.push(`selected ${selection.width} × ${selection.height}`)
  return texts.join(' · ')
}
