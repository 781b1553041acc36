import { create } from 'zustand'

export const useShellState = create<{
  readonly connectIsOpen: boolean
  readonly paletteIsOpen: boolean
  readonly messagesAreOpen: boolean
}>(() => ({
  connectIsOpen: false,
  messagesAreOpen: false,
  paletteIsOpen: false,
}))
