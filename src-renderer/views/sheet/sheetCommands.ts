import { withAnimation, withInserted, withMoved, withoutSprites } from '@shared/graphics/editSheet'
import { AppError } from '@shared/contract/errors'
import type { SpriteSheet } from '@shared/graphics/artwork'
import { create } from 'zustand'
import { openInEditor } from '../../client/edited'
import { addToSheet, changeSprites, spritesOfSheet, useSheet } from '../../client/sheet'
import { useSpriteClipboard } from '../../client/spriteClipboard'
import { pickedInOrder, selectOnly, withinCount, type GridSelection } from '../../widgets/pixelGrid/gridSelection'

const NEW_FRAME_MS = 100

interface SheetSelection {
  readonly selection: GridSelection
  readonly animation: number
}

export const useSheetSelection = create<SheetSelection>(() => ({ selection: selectOnly(0), animation: 0 }))

export const selectionIn = ({ sprites }: SpriteSheet): GridSelection =>
  withinCount(useSheetSelection.getState().selection, sprites.length)

/** @throws AppError CONFLICT where no sprite is selected */
export function chosen(): { readonly sheet: SpriteSheet; readonly indexes: readonly number[] } {
  const found = spritesOfSheet(useSheet.getState().artworks)
  if (!found || found.sheet.sprites.length === 0)
    throw new AppError('CONFLICT', 'No sprite of the sheet is selected.', { hint: 'Keep some in the Sprite browser.' })
  return { sheet: found.sheet, indexes: pickedInOrder(selectionIn(found.sheet)) }
}

export function editSelected(): void {
  const { sheet, indexes } = chosen()
  const look = sheet.sprites[indexes[0] ?? 0]
  if (!look) return
  const columns = Math.min(8, indexes.length)
  openInEditor({ kind: 'sprites', places: { in: 'sheet', indexes }, columns, areOverlays: false, look })
}

export function deleteFromSheet(): void {
  const { indexes } = chosen()
  changeSprites((sheet) => withoutSprites(sheet, new Set(indexes)))
}

export function copyFromSheet(): void {
  const { sheet, indexes } = chosen()
  useSpriteClipboard.setState({ sprites: indexes.flatMap((at) => sheet.sprites[at] ?? []) })
}

export function pasteIntoSheet(): void {
  const { sprites } = useSpriteClipboard.getState()
  if (sprites.length === 0) throw new AppError('CONFLICT', 'No sprite was copied.')
  const colours = { background: 0, multicolour1: 11, multicolour2: 1 }
  if (!spritesOfSheet(useSheet.getState().artworks))
    addToSheet({ kind: 'sprites', name: 'Sheet', sprites, animations: [], ...colours })
  else changeSprites((sheet) => withInserted(sheet, sprites, selectionIn(sheet).cursor))
}

export function moveInSheet(step: 1 | -1): void {
  const { sheet, indexes } = chosen()
  const moved = withMoved(sheet, new Set(indexes), step)
  changeSprites(() => moved.sheet)
  const cursor = Math.min(sheet.sprites.length - 1, Math.max(0, selectionIn(sheet).cursor + step))
  useSheetSelection.setState({ selection: { cursor, anchor: cursor, picked: moved.chosen } })
}

export function animateSelected(): void {
  const { sheet, indexes } = chosen()
  const frames = indexes.map((sprite) => ({ sprite, ms: NEW_FRAME_MS }))
  const animation = { name: `Animation ${sheet.animations.length + 1}`, frames, isPingPong: false }
  changeSprites((whole) => ({ ...whole, animations: [...whole.animations, animation] }))
  useSheetSelection.setState({ animation: sheet.animations.length })
}

export const setFrameTime = (animation: number, frame: number, ms: number): void =>
  changeSprites((sheet) => {
    const frames = sheet.animations[animation]?.frames.map((each, at) => (at === frame ? { ...each, ms } : each))
    return withAnimation(sheet, animation, { frames: frames ?? [] })
  })
