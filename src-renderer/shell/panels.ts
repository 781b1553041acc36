import type { ViewName } from '@shared/views'

/**
 * `data-panel` marks the views and the bars around them; inside, `data-panel-focus` marks what takes the keyboard
 * first.
 */
const visiblePanels = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-panel]')].filter((panel) => panel.checkVisibility())

export const panelOf = (view: ViewName): HTMLElement | undefined =>
  visiblePanels().find((panel) => panel.dataset['panel'] === view)

export function focusPanel(panel: HTMLElement | undefined): void {
  const first = panel?.querySelector<HTMLElement>('[data-panel-focus]') ?? panel
  first?.focus()
}

/** The bars above, the views by their places, the bar below. */
export function focusNextPanel(step: 1 | -1): void {
  const panels = visiblePanels().sort(byPlace)
  const current = panels.findIndex((panel) => panel.contains(document.activeElement))
  const next = current < 0 ? (step > 0 ? 0 : panels.length - 1) : (current + step + panels.length) % panels.length
  focusPanel(panels[next])
}

const isDocked = (panel: HTMLElement): boolean => panel.closest('.docking') !== null

function byPlace(one: HTMLElement, other: HTMLElement): number {
  if (!isDocked(one) || !isDocked(other))
    return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
  const a = one.getBoundingClientRect()
  const b = other.getBoundingClientRect()
  return a.left - b.left || a.top - b.top
}
