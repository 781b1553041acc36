import { Actions, DockLocation, TabNode, TabSetNode, type Model } from 'flexlayout-react'
import { create } from 'zustand'
import { isViewName, type ViewName } from '@shared/views'
import { call } from '../client/call'
import { defaultModel, MAIN_TABSET, readModel, tab, tabsetsOf, tabsOf, writeModel } from './layoutModel'
import { reportError } from '../client/messages'
import { setNavigation } from '../client/navigation'
import { loadView, places } from './registry'

const SAVE_DELAY_MS = 500
const newModel = () => defaultModel(window.innerWidth, places)

/** The arrangement of the docked views. */
export const useLayout = create<{ readonly model: Model }>(() => ({ model: newModel() }))

const currentModel = () => useLayout.getState().model

let timer: ReturnType<typeof setTimeout> | undefined
let keptAway = false

function saveNow(): void {
  clearTimeout(timer)
  timer = undefined
  call('window.remember', { layout: writeModel(currentModel()) }).catch(reportError)
}

window.addEventListener('pagehide', () => {
  if (timer !== undefined) saveNow()
})

/** Half a second after the last change of the arrangement, so that a dragged splitter is written once. */
export function rememberLayout(): void {
  if (keptAway) return
  clearTimeout(timer)
  timer = setTimeout(saveNow, SAVE_DELAY_MS)
}

/** Takes what `window.info` remembered; what cannot be shown gives way to the default. */
export function restoreLayout(text: string | null): void {
  const model = readModel(text)
  if (model) useLayout.setState({ model })
}

export function resetLayout(): void {
  useLayout.setState({ model: newModel() })
  rememberLayout()
}

async function showView(view: ViewName): Promise<void> {
  await bringIntoDocument(view)
  focusPanel(panelOf(view))
}

/** As at the start: the keyboard goes into the view unless the person has put it somewhere already. */
export async function showFirst(view: ViewName): Promise<void> {
  await bringIntoDocument(view)
  if (document.activeElement === document.body) focusPanel(panelOf(view))
}

async function bringIntoDocument(view: ViewName): Promise<void> {
  bringToFront(view)
  const wasMounted = mounted.has(view)
  await loadView(view)
  await untilMounted(view)
  // One that was there already is seen once the layout has rendered.
  if (wasMounted || panelOf(view) === undefined) await untilRendered()
}

setNavigation(showView)

const mounted = new Set<ViewName>()
const waiting = new Map<ViewName, (() => void)[]>()

/** To be called by an effect beside the view. */
export function markMounted(view: ViewName): () => void {
  mounted.add(view)
  for (const done of waiting.get(view) ?? []) done()
  waiting.delete(view)
  return () => void mounted.delete(view)
}

const untilMounted = (view: ViewName): Promise<void> =>
  new Promise((done) => {
    if (mounted.has(view)) done()
    else waiting.set(view, [...(waiting.get(view) ?? []), done])
  })

/**
 * Fetches the views that the arrangement shows, all at once and before React asks for them. Resolves when they are mounted,
 * or cannot be fetched.
 */
export function openShownViews(): Promise<unknown> {
  const model = currentModel()
  const filled = model.getMaximizedTabset()
  const shown = tabsOf(model).filter((node) => node.isSelected() && (!filled || node.getParent() === filled))
  const names = shown.map((node) => node.getComponent() ?? '').filter(isViewName)
  return Promise.allSettled(names.map((view) => loadView(view).then(() => untilMounted(view))))
}

function bringToFront(view: ViewName): void {
  const model = currentModel()
  const node = model.getNodeById(view)
  if (node instanceof TabNode) {
    if (!node.isSelected()) model.doAction(Actions.selectTab(view))
  } else {
    const home = model.getNodeById(MAIN_TABSET) ?? model.getActiveTabset() ?? tabsetsOf(model)[0]
    if (home) model.doAction(Actions.addTab(tab(view, places), home.getId(), DockLocation.CENTER, -1, true))
  }
  const parent = model.getNodeById(view)?.getParent()
  const maximised = model.getMaximizedTabset()
  if (maximised && parent !== maximised) model.doAction(Actions.maximizeToggle(maximised.getId()))
}

/** Fills the window with one view for this visit only, as the page's address asked with `?view=`. */
export function showOnly(view: ViewName): void {
  keptAway = true
  bringToFront(view)
  const model = currentModel()
  const parent = model.getNodeById(view)?.getParent()
  if (parent instanceof TabSetNode && !parent.isMaximized()) model.doAction(Actions.maximizeToggle(parent.getId()))
}

/** Panels are marked `data-panel`; inside, `data-panel-focus` marks what takes the keyboard first. */
const visiblePanels = () =>
  [...document.querySelectorAll<HTMLElement>('[data-panel]')].filter((panel) => panel.offsetParent !== null)

const panelOf = (view: ViewName): HTMLElement | undefined =>
  visiblePanels().find((panel) => panel.dataset['panel'] === view)

function focusPanel(panel: HTMLElement | undefined): void {
  const first = panel?.querySelector<HTMLElement>('[data-panel-focus]') ?? panel
  first?.focus()
}

/** The panel is in the document after the layout has rendered. */
const untilRendered = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))

/** Moves the keyboard to the next (1) or previous (-1) panel: the machine bar, then the views as they stand. */
export function focusNextPanel(step: 1 | -1): void {
  const panels = visiblePanels().sort(byPlace)
  const current = panels.findIndex((panel) => panel.contains(document.activeElement))
  const next = current < 0 ? (step > 0 ? 0 : panels.length - 1) : (current + step + panels.length) % panels.length
  focusPanel(panels[next])
}

function byPlace(one: HTMLElement, other: HTMLElement): number {
  const a = one.getBoundingClientRect()
  const b = other.getBoundingClientRect()
  return a.left - b.left || a.top - b.top
}
