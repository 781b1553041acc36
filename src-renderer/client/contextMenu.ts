import type { MouseEvent } from 'react'
import { create } from 'zustand'

export interface MenuItem {
  readonly label: string
  readonly run: () => void
  /** What does the same where the menu was opened, as `Ctrl+C`. */
  readonly shortcut?: string
  /** Why it cannot be done now; it stays in the menu, so that the reason can be read. */
  readonly why?: string | null
  /** Begins a new group. */
  readonly isFirstOfGroup?: boolean
}

/** Items of its own, opened beside it. */
interface SubMenu {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly isFirstOfGroup?: boolean
}

export type MenuEntry = MenuItem | SubMenu

interface Opened {
  /** What the menu is about, such as `$D020`. */
  readonly title: string
  readonly items: readonly MenuEntry[]
  readonly x: number
  readonly y: number
  /** Gets the keyboard back. */
  readonly returnTo: Element | null
}

/** The one context menu of the window; null while it is closed. */
export const useContextMenu = create<{ readonly opened: Opened | null }>(() => ({ opened: null }))

/** The Menu key and Shift+F10 report no button; so does a click with Ctrl on macOS. */
export const isByKeyboard = ({ button, ctrlKey }: MouseEvent): boolean => button !== 2 && !ctrlKey

/** Opens the menu where the event is, or at `place` where the keyboard asked for it. */
export function openContextMenu(
  event: MouseEvent,
  title: string,
  items: readonly MenuEntry[],
  place?: { readonly x: number; readonly y: number },
): void {
  event.preventDefault()
  event.stopPropagation()
  const { x, y } = isByKeyboard(event) ? (place ?? belowFocus(event)) : { x: event.clientX, y: event.clientY }
  useContextMenu.setState({ opened: { title, items, x, y, returnTo: document.activeElement } })
}

export const closeContextMenu = (): void => useContextMenu.setState({ opened: null })

function belowFocus({ target, clientX, clientY }: MouseEvent): { x: number; y: number } {
  if (!(target instanceof Element)) return { x: clientX, y: clientY }
  const { left, bottom } = target.getBoundingClientRect()
  return { x: left, y: bottom }
}
