import type { MouseEvent } from 'react'
import { create } from 'zustand'

export interface MenuItem {
  readonly label: string
  readonly run: () => void
  readonly shortcut?: string
  /** Why it cannot be done now. The item stays in the menu, so that the reason can be read. */
  readonly why?: string | null
  readonly isFirstOfGroup?: boolean
}

interface SubMenu {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly isFirstOfGroup?: boolean
}

export type MenuEntry = MenuItem | SubMenu

interface Opened {
  readonly title: string
  readonly items: readonly MenuEntry[]
  readonly x: number
  readonly y: number
  readonly returnTo: Element | null
}

export const useContextMenu = create<{ readonly opened: Opened | null }>(() => ({ opened: null }))

/** The Menu key and Shift+F10 report no button; so does a click with Ctrl on macOS. */
export const isByKeyboard = ({ button, ctrlKey }: MouseEvent): boolean => button !== 2 && !ctrlKey

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
