import type { ViewName } from '@shared/views'

/**
 * Panels are marked `data-panel`: the views and the bars around them. Inside, `data-panel-focus` marks what takes the
 * keyboard first.
 */
const visiblePanels = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-panel]')].filter((panel) => panel.checkVisibility())

export const panelOf = (view: ViewName): HTMLElement | undefined =>
  visiblePanels().find((panel) => panel.dataset['panel'] === view)

export function focusPanel(panel: HTMLElement | undefined): void {
  const first = panel?.querySelector<HTMLElement>('[data-panel-focus]') ?? panel
  first?.focus()
}

/** Moves the keyboard to the next (1) or previous (-1) panel: the bars above, the views as they stand, the bar below. */
export function focusNextPanel(step: 1 | -1): void {
  const panels = visiblePanels().sort(byPlace)
  const current = panels.findIndex((panel) => panel.contains(document.activeElement))
  const next = current < 0 ? (step > 0 ? 0 : panels.length - 1) : (current + step + panels.length) % panels.length
  focusPanel(panels[next])
}

const isDocked = (panel: HTMLElement): boolean => panel.closest('.docking') !== null

/** The bars stand around the views in the document, the views in the order in which they were opened. */
function byPlace(one: HTMLElement, other: HTMLElement): number {
  if (!isDocked(one) || !isDocked(other))
    return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
  const a = one.getBoundingClientRect()
  const b = other.getBoundingClientRect()
  return a.left - b.left || a.top - b.top
}
