import { create } from 'zustand'

/** What is open over the docked views. */
export const useShellState = create<{ readonly chooserIsOpen: boolean; readonly paletteIsOpen: boolean }>(() => ({
  chooserIsOpen: false,
  paletteIsOpen: false,
}))
