import { artOfBytes, bytesOfArt, bytesOfShared } from '@shared/graphics/edit/spriteModel'
import type { Place } from '@shared/graphics/edit/model'
import type { SpriteSheet } from '@shared/graphics/artwork'
import { useSheet } from '../../client/sheet'

type SheetPlace = Extract<Place, { in: 'sheet' }>

const isSprites = ({ kind }: { readonly kind: string }): boolean => kind === 'sprites'

/** The sprites of the sheet; null where it has none. */
export function sheetSprites(): SpriteSheet | null {
  const found = useSheet.getState().artworks.findLast(isSprites)
  return found?.kind === 'sprites' ? found : null
}

export function sheetBytes({ sprite, length }: SheetPlace): Uint8Array {
  const sheet = sheetSprites()
  const art = sprite === null ? null : sheet?.sprites[sprite]
  return art ? bytesOfArt(art) : sprite === null && sheet ? bytesOfShared(sheet) : new Uint8Array(length)
}

export function writeSheet(place: SheetPlace, offset: number, bytes: Uint8Array): void {
  const sheet = sheetSprites()
  if (!sheet) return
  const part = sheetBytes(place)
  part.set(bytes, offset)
  const { sprite } = place
  const art = sprite === null ? undefined : sheet.sprites[sprite]
  const [background = 0, multicolour1 = 0, multicolour2 = 0] = part
  const changed: SpriteSheet =
    sprite === null || !art
      ? { ...sheet, background, multicolour1, multicolour2 }
      : { ...sheet, sprites: sheet.sprites.with(sprite, artOfBytes(art, part)) }
  useSheet.setState(({ artworks }) => ({ artworks: artworks.with(artworks.findLastIndex(isSprites), changed) }))
}
