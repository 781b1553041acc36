import type { Space } from '@shared/contract/memory'
import { create } from 'zustand'
import { isViewName, type ViewName } from '@shared/views'
import { jump } from './jumps'
import { showView } from './navigation'
import { choose } from './chosen'
import { setViewValue } from './viewState'

const BYTE_IS_OPEN = 'registers.byte'

interface Cursor {
  readonly address: number
  /** So that a jump to the same address reveals it again. */
  readonly jumps: number
  readonly questions: number
}

export const useCursor = create<Cursor>(() => ({ address: 0x0400, jumps: 0, questions: 0 }))

export const moveCursorTo = (address: number): void =>
  useCursor.setState(({ jumps }) => ({ address, jumps: jumps + 1 }))

export function showByteHistory(address: number): void {
  moveCursorTo(address)
  setViewValue(BYTE_IS_OPEN, true)
  useCursor.setState(({ questions }) => ({ questions: questions + 1 }))
  void showView('registers')
}

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

function viewWithFocus(): ViewName {
  const name = document.activeElement?.closest<HTMLElement>('[data-panel]')?.dataset['panel'] ?? ''
  return isViewName(name) ? name : 'memory'
}
