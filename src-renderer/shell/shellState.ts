import { create } from 'zustand'

/** What is open over the docked views. */
export const useShellState = create<{
  readonly connectIsOpen: boolean
  readonly paletteIsOpen: boolean
  readonly messagesAreOpen: boolean
}>(() => ({
  connectIsOpen: false,
  messagesAreOpen: false,
  paletteIsOpen: false,
}))
