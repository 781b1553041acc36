import type { Space } from '@shared/contract/memory'
import { create } from 'zustand'
import { isViewName, type ViewName } from '@shared/views'
import { jump } from './jumps'
import { showView } from './navigation'
import { choose } from './chosen'
import { setViewValue } from './viewState'

/** Where it is kept that the part of the registers view with a byte's history is folded open. */
const BYTE_IS_OPEN = 'registers.byte'

interface Cursor {
  readonly address: number
  /** Counts the jumps, so that a jump to the same address reveals it again. */
  readonly jumps: number
  /** Counts how often somebody asked who wrote the byte there. */
  readonly questions: number
}

/** Where the memory view's cursor stands; map and grid share it. */
export const useCursor = create<Cursor>(() => ({ address: 0x0400, jumps: 0, questions: 0 }))

/** Moves the cursor; both the map and the grid then show it. */
export const moveCursorTo = (address: number): void =>
  useCursor.setState(({ jumps }) => ({ address, jumps: jumps + 1 }))

/** Shows who wrote a byte, from any view. */
export function showByteHistory(address: number): void {
  moveCursorTo(address)
  setViewValue(BYTE_IS_OPEN, true)
  useCursor.setState(({ questions }) => ({ questions: questions + 1 }))
  void showView('registers')
}

/** Shows an address in the memory view, from any other view; in the memory of its choice where it matters which. */
export function showInMemory(address: number, space?: Space): void {
  const view = viewWithFocus()
  const { address: before } = useCursor.getState()
  jump({
    go: () => {
      if (space !== undefined) choose('memory.space', space === 'colorRam' ? 'cpu' : space)
      moveCursorTo(address)
      void showView('memory')
    },
    goBack: () => {
      moveCursorTo(before)
      void showView(view)
    },
  })
}

/** The view that the keyboard is in; the memory where it is in none. */
function viewWithFocus(): ViewName {
  const name = document.activeElement?.closest<HTMLElement>('[data-panel]')?.dataset['panel'] ?? ''
  return isViewName(name) ? name : 'memory'
}
