import { Actions, TabNode, TabSetNode, type Model } from 'flexlayout-react'
import { create } from 'zustand'
import { isViewName, type ViewName } from '@shared/views'
import {
  isWorkspaceName,
  workspaceNamed,
  workspaceNames,
  workspaceOf,
  type Place,
  type WorkspaceName,
} from '@shared/workspaces'
import { call } from '../client/call'
import { coalesced } from '../client/coalesced'
import { reportError } from '../client/messages'
import { setNavigation } from '../client/navigation'
import { useMachineBeside } from '../client/machineBeside'
import { defaultModel, hasGuests, modelWithGuests, readLayouts, tabsetsOf, tabsOf, writeLayouts } from './layoutModel'
import { focusPanel, panelOf } from './panels'
import { loadView } from './registry'

export interface Arrangement {
  /** The workspace that is shown. */
  readonly current: WorkspaceName
  /** Shown since the start: they stay in the document, so that coming back is quick. */
  readonly opened: ReadonlySet<WorkspaceName>
  readonly models: Readonly<Record<WorkspaceName, Model>>
}

const newModel = (workspace: WorkspaceName) => defaultModel(workspace, window.innerWidth)

function allModels(known: ReadonlyMap<WorkspaceName, Model>): Record<WorkspaceName, Model> {
  const models = workspaceNames.map((name) => [name, known.get(name) ?? newModel(name)])
  return Object.fromEntries(models) as Record<WorkspaceName, Model>
}

/** The workspaces and the arrangement of their docked views. */
export const useLayout = create<Arrangement>(() => ({
  current: 'machine',
  opened: new Set(['machine']),
  models: allModels(new Map()),
}))

useLayout.subscribe(({ models }) => useMachineBeside.setState({ isShown: hasGuests('projects', models.projects) }))

/** Whether it is about the machine in front, whose controls then stand above it. */
export const isOfMachine = ({ models }: Arrangement, workspace: WorkspaceName): boolean =>
  workspaceNamed(workspace).ofMachine === true || hasGuests(workspace, models[workspace])

/** Whether the registers stand in it, whose CPU the step bar above moves. */
export const hasSteps = ({ models }: Arrangement, workspace: WorkspaceName): boolean =>
  models[workspace].getNodeById('registers') !== undefined

const modelOf = (workspace: WorkspaceName): Model => useLayout.getState().models[workspace]

/** Workspaces that the person arranged. The others follow the width of the next window. */
const arranged = new Set<WorkspaceName>()
let keptAway = false

const saveLayouts = coalesced(() => {
  const { current, models } = useLayout.getState()
  const layout = writeLayouts({ current, models: new Map([...arranged].map((name) => [name, models[name]])) })
  call('window.remember', { layout }).catch(reportError)
})

function save(): void {
  if (!keptAway) saveLayouts()
}

export function rememberLayout(workspace: WorkspaceName): void {
  arranged.add(workspace)
  save()
}

/** Takes what `window.info` remembered; what cannot be shown gives way to the default. */
export function restoreLayout(text: string | null): void {
  const { current, models } = readLayouts(text)
  for (const name of models.keys()) arranged.add(name)
  useLayout.setState({ current, opened: new Set([current]), models: allModels(models) })
}

/** Puts the views of the workspace that is shown back to where they stand at first. */
export function resetLayout(): void {
  const { current, models } = useLayout.getState()
  useLayout.setState({ models: { ...models, [current]: newModel(current) } })
  arranged.delete(current)
  save()
}

/** Shows the machine beside the projects, or hides it there. */
export async function toggleMachineBeside(): Promise<void> {
  const { models } = useLayout.getState()
  const isShown = hasGuests('projects', models.projects)
  useLayout.setState({ models: { ...models, projects: isShown ? newModel('projects') : modelWithGuests('projects') } })
  rememberLayout('projects')
  await showView('projects')
}

function showWorkspace(workspace: WorkspaceName): void {
  const { current, opened } = useLayout.getState()
  if (workspace === current) return
  useLayout.setState({ current: workspace, opened: new Set([...opened, workspace]) })
  save()
}

/**
 * Shows a workspace as it was left, or a view in front of its panel, and moves the keyboard there. Of a workspace that is
 * shown already, the view of its name.
 */
export async function showPlace(place: Place): Promise<void> {
  if (!isWorkspaceName(place)) return showView(place)
  const wasShown = useLayout.getState().current === place
  // Its main view may stand as a guest in the workspace that is shown now.
  showWorkspace(place)
  await showView(wasShown && isViewName(place) ? place : mainViewOf(place))
}

async function showView(view: ViewName): Promise<void> {
  await bringIntoDocument(view)
  focusPanel(panelOf(view))
}

setNavigation(showView)

/** As at the start: the keyboard goes into the workspace unless the person has put it somewhere already. */
export async function showFirst(): Promise<void> {
  const view = mainViewOf(useLayout.getState().current)
  await bringIntoDocument(view)
  if (document.activeElement === document.body) focusPanel(panelOf(view))
}

/** The view that takes the keyboard: the workspace's first one unless it stands behind another. */
function mainViewOf(workspace: WorkspaceName): ViewName {
  const shown = shownViews(modelOf(workspace))
  const main = workspaceNamed(workspace).views.find((view) => shown.includes(view))
  return main ?? shown[0] ?? workspaceNamed(workspace).views[0] ?? 'screen'
}

/** Those in front of their panels, or alone in the window. */
function shownViews(model: Model): ViewName[] {
  const filled = model.getMaximizedTabset()
  const shown = tabsOf(model).filter((node) => node.isSelected() && (!filled || node.getParent() === filled))
  return shown.map((node) => node.getComponent() ?? '').filter(isViewName)
}

async function bringIntoDocument(view: ViewName): Promise<void> {
  bringToFront(view)
  const wasMounted = mounted.has(view)
  await loadView(view)
  await untilMounted(view)
  // One that was there already is seen once the layout has rendered.
  if (wasMounted || panelOf(view) === undefined) await untilRendered()
}

/** How often each stands in the document. */
const mounted = new Map<ViewName, number>()
const waiting = new Map<ViewName, (() => void)[]>()

/** To be called by an effect beside the view. */
export function markMounted(view: ViewName): () => void {
  mounted.set(view, (mounted.get(view) ?? 0) + 1)
  for (const done of waiting.get(view) ?? []) done()
  waiting.delete(view)
  return () => {
    const others = (mounted.get(view) ?? 1) - 1
    if (others > 0) mounted.set(view, others)
    else mounted.delete(view)
  }
}

/** Whether the view that takes the keyboard is in the document. */
export const mainViewIsThere = (): boolean => mounted.has(mainViewOf(useLayout.getState().current))

const untilMounted = (view: ViewName): Promise<void> =>
  new Promise((done) => {
    if (mounted.has(view)) done()
    else waiting.set(view, [...(waiting.get(view) ?? []), done])
  })

/**
 * Fetches the views that the workspace shows, all at once and before React asks for them. Resolves when they are mounted,
 * or cannot be fetched.
 */
export function openShownViews(): Promise<unknown> {
  const names = shownViews(modelOf(useLayout.getState().current))
  return Promise.allSettled(names.map((view) => loadView(view).then(() => untilMounted(view))))
}

function bringToFront(view: ViewName): void {
  const { current } = useLayout.getState()
  const workspace = modelOf(current).getNodeById(view) ? current : workspaceOf(view)
  showWorkspace(workspace)
  const model = modelOf(workspace)
  const node = model.getNodeById(view)
  if (node instanceof TabNode && !node.isSelected()) model.doAction(Actions.selectTab(view))
  const maximised = model.getMaximizedTabset()
  if (maximised && node?.getParent() !== maximised) model.doAction(Actions.maximizeToggle(maximised.getId()))
}

/**
 * Shows a workspace, or one view that fills it, for this visit only, as the page's address asked with `?view=`. The keyboard
 * stays where it is.
 */
export function showOnly(place: Place): void {
  keptAway = true
  if (isWorkspaceName(place)) showWorkspace(place)
  else fillWorkspace(place)
}

function fillWorkspace(view: ViewName): void {
  bringToFront(view)
  const model = modelOf(workspaceOf(view))
  const parent = model.getNodeById(view)?.getParent()
  if (parent instanceof TabSetNode && tabsetsOf(model).length > 1 && !parent.isMaximized())
    model.doAction(Actions.maximizeToggle(parent.getId()))
}

/** The panel is in the document after the layout has rendered. */
export const untilRendered = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
