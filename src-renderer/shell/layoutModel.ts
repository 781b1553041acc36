import { Model, TabNode, TabSetNode, type IJsonModel, type IJsonTabNode, type Node } from 'flexlayout-react'
import { viewTitles, type ViewName } from '@shared/views'
import { isWorkspaceName, workspaceNamed, workspaceNames, type WorkspaceName } from '@shared/workspaces'

/** Raised when an older arrangement cannot be shown any more; the default one then comes instead. */
const LAYOUT_VERSION = 2
/** From this width of the window, CSS px, more stands side by side. */
const WIDE = 1560

type Row = IJsonModel['layout']
type Part = NonNullable<Row['children']>[number]

const tab = (view: ViewName): IJsonTabNode => ({ type: 'tab', id: view, name: viewTitles[view], component: view })

const tabset = (weight: number, ...views: ViewName[]): Part => ({ type: 'tabset', weight, children: views.map(tab) })

/** Rows and columns take turns, from a row at the top. */
const row = (...children: Part[]): Row => ({ type: 'row', children })

const arrangements: Readonly<Partial<Record<WorkspaceName, (isWide: boolean) => Row>>> = {
  // The screen has room for the C64's picture at twice its size.
  machine: (isWide) => {
    if (!isWide) return row(tabset(53, 'screen'), tabset(47, 'memory', 'registers', 'source', 'sprites'))
    const left: Part = { type: 'row', weight: 42, children: [tabset(66, 'screen'), tabset(34, 'sprites')] }
    return row(left, tabset(37, 'memory', 'source'), tabset(21, 'registers'))
  },
  // The moment that the timeline goes to shows below it.
  timeline: () => ({
    type: 'row',
    children: [
      {
        type: 'row',
        children: [
          { ...tabset(45, 'timeline'), enableTabStrip: false },
          { type: 'row', weight: 55, children: [tabset(46, 'screen'), tabset(54, 'memory')] },
        ],
      },
    ],
  }),
  devices: (isWide) =>
    isWide ? row(tabset(60, 'connections'), tabset(40, 'device')) : row(tabset(100, 'connections', 'device')),
  // What is found on the left is edited on the right.
  graphics: (isWide) => {
    const found = tabset(isWide ? 56 : 54, 'spriteBrowser', 'characters', 'pictures', 'studio', 'artifacts')
    if (!isWide) return row(found, tabset(46, 'editor', 'sheet'))
    return row(found, { type: 'row', weight: 44, children: [tabset(62, 'editor'), tabset(38, 'sheet')] })
  },
  agents: (isWide) =>
    isWide ? row(tabset(50, 'agents'), tabset(50, 'steering')) : row(tabset(100, 'agents', 'steering')),
}

/** The arrangement that a workspace starts with in a window of this width, CSS px. */
export function defaultModel(workspace: WorkspaceName, width: number): Model {
  const { views } = workspaceNamed(workspace)
  const arranged = arrangements[workspace]?.(width >= WIDE)
  return modelOf(arranged ?? row(tabset(100, ...views)), arranged !== undefined)
}

/** The arrangement of a workspace with its guests, one above the other, on the right. */
export function modelWithGuests(workspace: WorkspaceName): Model {
  const { views, guests = [] } = workspaceNamed(workspace)
  const own = { ...tabset(60, ...views), enableTabStrip: views.length > 1 }
  return modelOf(row(own, { type: 'row', weight: 40, children: guests.map((guest) => tabset(50, guest)) }), true)
}

/** Whether a view of another workspace stands in it. */
export const hasGuests = (workspace: WorkspaceName, model: Model): boolean =>
  workspaceNamed(workspace).guests?.some((guest) => model.getNodeById(guest) !== undefined) ?? false

function modelOf(layout: Row, hasTabStrip: boolean): Model {
  return Model.fromJson({
    global: {
      tabEnableRename: false,
      tabEnableClose: false,
      tabSetEnableMaximize: true,
      // One view fills its workspace, whose name says what it is.
      tabSetEnableTabStrip: hasTabStrip,
      tabSetMinWidth: 160,
      tabSetMinHeight: 96,
      tabEnableScrollbars: false,
    },
    borders: [],
    layout,
  })
}

export interface Layouts {
  readonly current: WorkspaceName
  /** Of the workspaces that the person arranged; the others have their default. */
  readonly models: ReadonlyMap<WorkspaceName, Model>
}

/** The arrangements as text for {@link readLayouts}. */
export const writeLayouts = ({ current, models }: Layouts): string =>
  JSON.stringify({
    version: LAYOUT_VERSION,
    current,
    models: Object.fromEntries([...models].map(([workspace, model]) => [workspace, model.toJson()])),
  })

/** What was remembered. Whatever cannot be shown is left out: of another version, broken, or with other views. */
export function readLayouts(text: string | null): Layouts {
  const stored = parsed(text)
  const isOurs = stored?.['version'] === LAYOUT_VERSION
  const current = isOurs ? String(stored['current']) : ''
  const models = isOurs ? record(stored['models']) : null
  return {
    current: isWorkspaceName(current) ? current : 'machine',
    models: new Map(
      workspaceNames.flatMap((workspace) => {
        const model = readModel(workspace, models?.[workspace])
        return model ? [[workspace, model] as const] : []
      }),
    ),
  }
}

const record = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null ? { ...value } : null

function parsed(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    return record(JSON.parse(text ?? 'null'))
  } catch {
    return null
  }
}

function readModel(workspace: WorkspaceName, stored: unknown): Model | undefined {
  if (stored === undefined) return undefined
  try {
    // The model checks itself while it is built; whatever it refuses is caught here.
    const model = Model.fromJson(stored as IJsonModel)
    const shown = tabsOf(model).map((node) => node.getComponent() ?? '')
    const { views, guests = [] } = workspaceNamed(workspace)
    return isSame(shown, views) || isSame(shown, [...views, ...guests]) ? model : undefined
  } catch {
    return undefined
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  [...some].sort().join() === [...others].sort().join()

function nodesOf(model: Model): Node[] {
  const nodes: Node[] = []
  model.visitNodes((node) => nodes.push(node))
  return nodes
}

export const tabsOf = (model: Model): TabNode[] => nodesOf(model).filter((node) => node instanceof TabNode)
export const tabsetsOf = (model: Model): TabSetNode[] => nodesOf(model).filter((node) => node instanceof TabSetNode)
