import { Actions, Model, TabNode, TabSetNode, type IJsonModel } from 'flexlayout-react'
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
import {
  arrangementKey,
  defaultModel,
  hasGuests,
  modelWithGuests,
  readLayouts,
  tabsetsOf,
  tabsOf,
  windowSizeOf,
  writeLayouts,
  type ArrangementOf,
  type WindowSize,
} from './layoutModel'
import { focusPanel, panelOf } from './panels'
import { loadView } from './registry'

export interface Arrangement {
  readonly current: WorkspaceName
  /** They stay in the document, so that coming back is quick. */
  readonly opened: ReadonlySet<WorkspaceName>
  readonly models: Readonly<Record<WorkspaceName, Model>>
  readonly size: WindowSize
  readonly debug: ReadonlySet<WindowSize>
}

const arranged = new Map<string, IJsonModel>()

type Placed = Pick<Arrangement, 'size' | 'debug'>

const isInDebug = ({ size, debug }: Placed): boolean => debug.has(size)

const arrangementOf = (workspace: WorkspaceName, placed: Placed): ArrangementOf => ({
  workspace,
  size: placed.size,
  isDebug: isInDebug(placed),
})

/** Views that are in `before` too keep what they show and hold. */
function newModel(workspace: WorkspaceName, placed: Placed, before?: Model): Model {
  const arrangement = arrangementOf(workspace, placed)
  const json = arranged.get(arrangementKey(arrangement))
  return json ? Model.fromJson(json, before) : defaultModel(arrangement, before)
}

function modelsBy(modelOf: (name: WorkspaceName) => Model): Record<WorkspaceName, Model> {
  const models = workspaceNames.map((name) => [name, modelOf(name)])
  return Object.fromEntries(models) as Record<WorkspaceName, Model>
}

const allModels = (placed: Placed) => modelsBy((name) => newModel(name, placed))

const atFirst: Placed = { size: windowSizeOf(window.innerWidth), debug: new Set() }

export const useLayout = create<Arrangement>(() => ({
  current: 'machine',
  opened: new Set(['machine']),
  models: allModels(atFirst),
  ...atFirst,
}))

useLayout.subscribe(({ models }) => useMachineBeside.setState({ isShown: hasGuests('projects', models.projects) }))

export const useDebug = (): boolean => useLayout(isInDebug)

export const isOfMachine = ({ models }: Arrangement, workspace: WorkspaceName): boolean =>
  workspaceNamed(workspace).ofMachine === true || hasGuests(workspace, models[workspace])

export const hasSteps = ({ models }: Arrangement, workspace: WorkspaceName): boolean =>
  models[workspace].getNodeById('registers') !== undefined

const modelOf = (workspace: WorkspaceName): Model => useLayout.getState().models[workspace]

let keptAway = false

const saveLayouts = coalesced(() => {
  const { current, debug } = useLayout.getState()
  call('window.remember', { layout: writeLayouts({ current, debug, arranged }) }).catch(reportError)
})

function save(): void {
  if (!keptAway) saveLayouts()
}

export function rememberLayout(workspace: WorkspaceName): void {
  const state = useLayout.getState()
  arranged.set(arrangementKey(arrangementOf(workspace, state)), state.models[workspace].toJson())
  save()
}

/** What cannot be shown is replaced by the default. */
export function restoreLayout(text: string | null): void {
  const { current, debug, arranged: kept } = readLayouts(text)
  for (const [key, model] of kept) arranged.set(key, model)
  const placed = { size: windowSizeOf(window.innerWidth), debug }
  useLayout.setState({ current, opened: new Set([current]), models: allModels(placed), ...placed })
  window.addEventListener('resize', followWindowSize)
}

function followWindowSize(): void {
  const { size: before } = useLayout.getState()
  const size = windowSizeOf(window.innerWidth)
  if (size !== before && !keptAway) rearrange({ size, debug: useLayout.getState().debug })
}

function rearrange(placed: Placed): void {
  const state = useLayout.getState()
  keepFocus()
  const models = modelsBy((name) => {
    const [then, now] = [state, placed].map((each) => arrangementKey(arrangementOf(name, each)))
    return then === now ? state.models[name] : newModel(name, placed, state.models[name])
  })
  useLayout.setState({ ...placed, models })
}

/** A view that moves within the document loses the keyboard. */
function keepFocus(): void {
  const focused = document.activeElement
  void untilRendered().then(() => {
    if (focused instanceof HTMLElement && document.activeElement === document.body)
      focused.focus({ preventScroll: true })
  })
}

export function setDebug(isOn: boolean): void {
  const { size, debug } = useLayout.getState()
  if (debug.has(size) === isOn) return
  rearrange({ size, debug: new Set(isOn ? [...debug, size] : [...debug].filter((other) => other !== size)) })
  save()
}

/** From another workspace it only leads there. */
export async function toggleDebug(): Promise<void> {
  const state = useLayout.getState()
  setDebug(state.current !== 'machine' || !isInDebug(state))
  await showView(isInDebug(useLayout.getState()) ? 'code' : 'screen')
}

export function resetLayout(): void {
  const state = useLayout.getState()
  const { current, models } = state
  arranged.delete(arrangementKey(arrangementOf(current, state)))
  useLayout.setState({ models: { ...models, [current]: newModel(current, state, models[current]) } })
  save()
}

export async function toggleMachineBeside(): Promise<void> {
  const state = useLayout.getState()
  const { projects } = state.models
  const next = hasGuests('projects', projects)
    ? defaultModel(arrangementOf('projects', state), projects)
    : modelWithGuests('projects', projects)
  useLayout.setState({ models: { ...state.models, projects: next } })
  rememberLayout('projects')
  await showView('projects')
}

function showWorkspace(workspace: WorkspaceName): void {
  const { current, opened } = useLayout.getState()
  if (workspace === current) return
  useLayout.setState({ current: workspace, opened: new Set([...opened, workspace]) })
  save()
}

/** Also moves the keyboard there; for a workspace that is shown already, to the view of its name. */
export async function showPlace(place: Place): Promise<void> {
  if (!isWorkspaceName(place)) return showView(place)
  const wasShown = useLayout.getState().current === place
  // Its main view may stand as a guest in the workspace that is shown now.
  showWorkspace(place)
  await showView(wasShown && isViewName(place) ? place : mainViewOf(place))
}

async function showView(view: ViewName): Promise<void> {
  const before = document.activeElement
  await bringIntoDocument(view)
  const panel = panelOf(view)
  const { activeElement } = document
  // Whoever has begun to type in the panel goes on there.
  if (activeElement === before || !panel?.contains(activeElement)) focusPanel(panel)
}

setNavigation(showView)

/** At the start the keyboard goes into the workspace, unless the person has put it somewhere already. */
export async function showFirst(): Promise<void> {
  const view = mainViewOf(useLayout.getState().current)
  await bringIntoDocument(view)
  if (document.activeElement === document.body) focusPanel(panelOf(view))
}

function mainViewOf(workspace: WorkspaceName): ViewName {
  const shown = shownViews(modelOf(workspace))
  const main = workspaceNamed(workspace).views.find((view) => shown.includes(view))
  return main ?? shown[0] ?? workspaceNamed(workspace).views[0] ?? 'screen'
}

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
  if (wasMounted || panelOf(view) === undefined) await untilRendered()
}

const mounted = new Map<ViewName, number>()
const waiting = new Map<ViewName, (() => void)[]>()

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

export const mainViewIsThere = (): boolean => mounted.has(mainViewOf(useLayout.getState().current))

const untilMounted = (view: ViewName): Promise<void> =>
  new Promise((done) => {
    if (mounted.has(view)) done()
    else waiting.set(view, [...(waiting.get(view) ?? []), done])
  })

/** Before React asks for them. Resolves when they are mounted, or cannot be fetched. */
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

/** For this visit only, as the page's address asked with `?view=`. The keyboard stays where it is. */
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

/** The panel is in the document only after the layout has rendered. */
export const untilRendered = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
