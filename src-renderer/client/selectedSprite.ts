import { create } from 'zustand'
import { moveCursorTo } from './memoryCursor'

/** The chosen sprite, 0 to 7. */
export const useSelectedSprite = create<{ readonly sprite: number | null }>(() => ({ sprite: null }))

/** Also moves the memory view's cursor to its data. A sprite that is chosen already is deselected. */
export function toggleSprite(sprite: number, address: number): void {
  if (useSelectedSprite.getState().sprite === sprite) {
    useSelectedSprite.setState({ sprite: null })
    return
  }
  useSelectedSprite.setState({ sprite })
  moveCursorTo(address)
}
