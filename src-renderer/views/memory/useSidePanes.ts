import { useRef, useState, type FocusEvent } from 'react'
import { notify } from '../../client/messages'
import { useViewState } from '../../client/viewState'
import type { Selection } from './hexGrid/selection'
import type { SidePaneHandle } from './SidePane'
import {
  bytesFrom,
  MAX_SIDE_PANES,
  readPanes,
  showsZeroPage,
  withChange,
  withoutPane,
  withPane,
  zeroPageByName,
  type SidePane,
} from './sidePanes'

export function useSidePanes(focusFirst: () => void) {
  const [panes, setPanes] = useViewState('memory.panes', readPanes)
  const [selections, setSelections] = useState<Readonly<Record<number, Selection | null>>>({})
  const handles = useRef(new Map<number, SidePaneHandle>())
  /** The pane that had the keyboard last; 0 for the first view. */
  const [focusedId, setFocusedId] = useState(0)
  const focused = panes.findIndex(({ id }) => id === focusedId) + 1
  const opened = useRef<number | null>(null)

  const focus = (index: number) => {
    const pane = panes[index - 1]
    if (pane) handles.current.get(pane.id)?.focus()
    else focusFirst()
  }
  const close = (id: number) => {
    const index = panes.findIndex((pane) => pane.id === id)
    setPanes(withoutPane(panes, id))
    focus(index)
  }
  const open = (content: Parameters<typeof withPane>[1]) => {
    const next = withPane(panes, content)
    if (next === panes) {
      notify(`There are ${MAX_SIDE_PANES + 1} hex views already. Close one first.`)
      return
    }
    opened.current = next.at(-1)?.id ?? null
    setPanes(next)
  }
  return {
    panes,
    /** The pane that takes the keyboard when the view does; 0 for the first view. */
    focusedId: focused === 0 ? 0 : focusedId,
    selections,
    open: (cursor: number) => open(bytesFrom(cursor)),
    /** Goes to the pane that already shows it, if there is one. */
    openZeroPage: () => {
      const shown = panes.findIndex(showsZeroPage)
      if (shown >= 0) focus(shown + 1)
      else open(zeroPageByName)
    },
    close,
    closeLast: () => {
      const pane = panes[focused - 1] ?? panes.at(-1)
      if (pane) close(pane.id)
      else notify('The first hex view stays open.')
    },
    focusNext: () => focus((focused + 1) % (panes.length + 1)),
    change: (id: number, change: Partial<SidePane>) => setPanes(withChange(panes, id, change)),
    select: (id: number, selection: Selection | null) => setSelections((all) => ({ ...all, [id]: selection })),
    onFocus: ({ currentTarget, target }: FocusEvent) => {
      const child = [...currentTarget.children].findIndex((element) => element.contains(target))
      if (child >= 0) setFocusedId(panes[child - 1]?.id ?? 0)
    },
    refOf: (id: number) => (handle: SidePaneHandle | null) => {
      if (handle === null) {
        handles.current.delete(id)
        return
      }
      handles.current.set(id, handle)
      if (opened.current !== id) return
      opened.current = null
      handle.focus()
    },
  }
}
