import { bytesOfPart, withPart } from '@shared/graphics/edit/artworkParts'
import { artOfBytes, bytesOfArt, bytesOfShared } from '@shared/graphics/edit/spriteModel'
import type { Place } from '@shared/graphics/edit/model'
import type { Artwork, SpriteSheet } from '@shared/graphics/artwork'
import { artworkById, replaced, spritesOfSheet, useSheet } from '../../client/sheet'

export type SheetPlace = Exclude<Place, { in: 'machine' }>
type Artworks = readonly Artwork[]

export const isInSheet = (place: Place): place is SheetPlace => place.in !== 'machine'

export const sheetSprites = (): SpriteSheet | null => spritesOfSheet(useSheet.getState().artworks)?.sheet ?? null

export const sheetBytes = (place: SheetPlace): Uint8Array => bytesIn(useSheet.getState().artworks, place)

export function isKept(place: SheetPlace): boolean {
  if (place.in === 'artwork') return artworkById(useSheet.getState().artworks, place.artwork) !== undefined
  const sheet = sheetSprites()
  return sheet !== null && (place.sprite === null || sheet.sprites[place.sprite] !== undefined)
}

function bytesIn(artworks: Artworks, place: SheetPlace): Uint8Array {
  if (place.in === 'artwork') {
    const artwork = artworkById(artworks, place.artwork)
    return artwork && artwork.kind !== 'sprites' ? bytesOfPart(artwork, place.part) : new Uint8Array()
  }
  const sheet = spritesOfSheet(artworks)?.sheet
  const { sprite, length } = place
  const art = sprite === null ? null : sheet?.sprites[sprite]
  return art ? bytesOfArt(art) : sprite === null && sheet ? bytesOfShared(sheet) : new Uint8Array(length)
}

export interface SheetWrite {
  readonly place: SheetPlace
  readonly offset: number
  readonly bytes: Uint8Array
}

export function writeSheet(writes: readonly SheetWrite[]): void {
  const { artworks } = useSheet.getState()
  const parts = new Map<SheetPlace, Uint8Array>()
  for (const { place, offset, bytes } of writes.filter((each) => isKept(each.place))) {
    const part = parts.get(place) ?? bytesIn(artworks, place)
    part.set(bytes, offset)
    parts.set(place, part)
  }
  if (parts.size > 0)
    useSheet.setState({ artworks: [...parts].reduce((all, [place, part]) => withBytes(all, place, part), artworks) })
}

function withBytes(artworks: Artworks, place: SheetPlace, part: Uint8Array): Artworks {
  if (place.in === 'artwork') {
    const artwork = artworkById(artworks, place.artwork)
    return artwork && artwork.kind !== 'sprites'
      ? replaced(artworks, artwork, withPart(artwork, place.part, part))
      : artworks
  }
  const found = spritesOfSheet(artworks)
  return found ? artworks.with(found.at, withSprite(found.sheet, place.sprite, part)) : artworks
}

function withSprite(sheet: SpriteSheet, sprite: number | null, part: Uint8Array): SpriteSheet {
  const art = sprite === null ? undefined : sheet.sprites[sprite]
  const [background = 0, multicolour1 = 0, multicolour2 = 0] = part
  return sprite === null || !art
    ? { ...sheet, background, multicolour1, multicolour2 }
    : { ...sheet, sprites: sheet.sprites.with(sprite, artOfBytes(art, part)) }
}
