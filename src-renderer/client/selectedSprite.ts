import { create } from 'zustand'
import { moveCursorTo } from './memoryCursor'

/** The sprite that was chosen, 0 to 7: strip, panel and registers mark it. */
export const useSelectedSprite = create<{ readonly sprite: number | null }>(() => ({ sprite: null }))

/** Chooses a sprite everywhere, and moves the memory view's cursor to its data; the one that is chosen already is left. */
export function toggleSprite(sprite: number, address: number): void {
  if (useSelectedSprite.getState().sprite === sprite) {
    useSelectedSprite.setState({ sprite: null })
    return
  }
  useSelectedSprite.setState({ sprite })
  moveCursorTo(address)
}
