import { Actions, DockLocation, Model, TabNode, TabSetNode, type IJsonModel, type IJsonTabNode } from 'flexlayout-react'
import { create } from 'zustand'
import { call } from './client'
import { reportError } from './messages'
import { viewNamed, viewTitles, type ViewName } from './views'

/** Raised when an older arrangement cannot be shown any more; the default one then comes instead. */
const LAYOUT_VERSION = 1
const SAVE_DELAY = 500
/** From this width of the window, CSS px, the registers stand beside the memory instead of behind it. */
const WIDE = 1560

/** Settings and Help open here when they were closed. */
const MAIN_TABSET = 'main'

const tab = (view: ViewName): IJsonTabNode => ({
  type: 'tab',
  id: view,
  name: viewTitles[view],
  component: view,
  enableClose: view === 'settings' || view === 'help',
})

function defaultLayout(width: number): IJsonModel {
  const left = {
    type: 'row',
    weight: width >= WIDE ? 36 : 43,
    children: [
      { type: 'tabset', weight: 62, children: [tab('screen')] },
      { type: 'tabset', weight: 38, children: [tab('sprites')] },
    ],
  }
  const right =
    width >= WIDE
      ? [
          { type: 'tabset', id: MAIN_TABSET, weight: 42, children: [tab('memory')] },
          { type: 'tabset', weight: 22, children: [tab('registers')] },
        ]
      : [{ type: 'tabset', id: MAIN_TABSET, weight: 57, children: [tab('memory'), tab('registers')] }]
  return {
    global: {
      tabEnableRename: false,
      tabSetEnableMaximize: true,
      tabSetMinWidth: 160,
      tabSetMinHeight: 96,
      tabEnableScrollbars: false,
    },
    borders: [],
    layout: { type: 'row', children: [left, ...right] },
  }
}

const newModel = () => Model.fromJson(defaultLayout(window.innerWidth))

/** The arrangement of the docked views. */
export const useLayout = create<{ readonly model: Model }>(() => ({ model: newModel() }))

const currentModel = () => useLayout.getState().model

let timer: ReturnType<typeof setTimeout> | undefined
let keptAway = false

function saveNow(): void {
  clearTimeout(timer)
  timer = undefined
  const layout = JSON.stringify({ version: LAYOUT_VERSION, model: currentModel().toJson() })
  call('window.remember', { layout }).catch(reportError)
}

window.addEventListener('pagehide', () => {
  if (timer !== undefined) saveNow()
})

/** Half a second after the last change of the arrangement, so that a dragged splitter is written once. */
export function rememberLayout(): void {
  if (keptAway) return
  clearTimeout(timer)
  timer = setTimeout(saveNow, SAVE_DELAY)
}

/** Takes what `window.info` remembered; what cannot be shown gives way to the default. */
export function restoreLayout(text: string | null): void {
  const model = readLayout(text)
  if (model) useLayout.setState({ model })
}

function readLayout(text: string | null): Model | undefined {
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('version' in stored) || !('model' in stored)) return undefined
    if (stored.version !== LAYOUT_VERSION) return undefined
    // The model checks itself while it is built; whatever it refuses is caught here.
    const model = Model.fromJson(stored.model as IJsonModel)
    const shown = tabsOf(model).map((node) => viewNamed(node.getComponent()))
    return shown.length > 0 && shown.every((view) => view !== undefined) ? model : undefined
  } catch {
    return undefined
  }
}

function tabsOf(model: Model): TabNode[] {
  const tabs: TabNode[] = []
  model.visitNodes((node) => {
    if (node instanceof TabNode) tabs.push(node)
  })
  return tabs
}

function tabsetsOf(model: Model): TabSetNode[] {
  const tabsets: TabSetNode[] = []
  model.visitNodes((node) => {
    if (node instanceof TabSetNode) tabsets.push(node)
  })
  return tabsets
}

export function resetLayout(): void {
  useLayout.setState({ model: newModel() })
  rememberLayout()
}

/** Brings a view to the front of its panel, opening it when it was closed, and moves the keyboard into it. */
export function showView(view: ViewName): void {
  bringToFront(view)
  focusPanelSoon(view)
}

function bringToFront(view: ViewName): void {
  const model = currentModel()
  const node = model.getNodeById(view)
  if (node instanceof TabNode) {
    if (!node.isSelected()) model.doAction(Actions.selectTab(view))
  } else {
    const home = model.getNodeById(MAIN_TABSET) ?? model.getActiveTabset() ?? tabsetsOf(model)[0]
    if (home) model.doAction(Actions.addTab(tab(view), home.getId(), DockLocation.CENTER, -1, true))
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
const visiblePanels = () => [...document.querySelectorAll<HTMLElement>('[data-panel]')].filter((panel) => panel.offsetParent !== null)

function focusPanel(panel: HTMLElement | undefined): void {
  const first = panel?.querySelector<HTMLElement>('[data-panel-focus]') ?? panel
  first?.focus()
}

function focusPanelSoon(name: string): void {
  // The panel is in the document after the layout has rendered.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => focusPanel(visiblePanels().find((panel) => panel.dataset['panel'] === name))),
  )
}

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
