import { Actions, Model, TabNode, TabSetNode, type IJsonModel, type IJsonTabNode, type Node } from 'flexlayout-react'
import { z } from 'zod'
import { viewTitles, type ViewName } from '@shared/views'
import { isWorkspaceName, workspaceNamed, type WorkspaceName } from '@shared/workspaces'

/** Raise it when older arrangements cannot be shown any more; the default then replaces them. */
const LAYOUT_VERSION = 3
/** From this width of the window, CSS px, more views stand side by side. */
const WIDE = 1560

type Row = IJsonModel['layout']
type Part = NonNullable<Row['children']>[number]

const tab = (view: ViewName): IJsonTabNode => ({ type: 'tab', id: view, name: viewTitles[view], component: view })

const tabset = (weight: number, ...views: ViewName[]): Part => ({ type: 'tabset', weight, children: views.map(tab) })

/** Rows and columns take turns, from a row at the top. */
const row = (...children: Part[]): Row => ({ type: 'row', children })
const column = (weight: number, ...children: Part[]): Part => ({ type: 'row', weight, children })

const finders: readonly ViewName[] = ['spriteBrowser', 'characters', 'pictures', 'studio', 'artifacts']

export type WindowSize = 'normal' | 'wide'

export const windowSizeOf = (width: number): WindowSize => (width >= WIDE ? 'wide' : 'normal')

type Arranged = Row | Readonly<Record<WindowSize, Row>>

const arrangements: Readonly<Partial<Record<WorkspaceName, Arranged>>> = {
  // The screen has room for the C64's picture at twice its size.
  machine: {
    normal: row(tabset(53, 'screen'), tabset(47, 'memory', 'registers', 'code', 'sprites', 'raster')),
    wide: row(
      column(42, tabset(66, 'screen'), tabset(34, 'sprites')),
      tabset(37, 'memory', 'code', 'raster'),
      tabset(21, 'registers'),
    ),
  },
  timeline: row(column(100, tabset(45, 'timeline'), column(55, tabset(46, 'screen'), tabset(54, 'memory')))),
  devices: {
    normal: row(tabset(100, 'connections', 'device')),
    wide: row(tabset(60, 'connections'), tabset(40, 'device')),
  },
  graphics: {
    normal: row(tabset(54, ...finders), tabset(46, 'editor', 'sheet')),
    wide: row(tabset(56, ...finders), column(44, tabset(62, 'editor'), tabset(38, 'sheet'))),
  },
  agents: {
    normal: row(tabset(100, 'agents', 'steering')),
    wide: row(tabset(50, 'agents'), tabset(50, 'steering')),
  },
}

const debugArrangement: Readonly<Record<WindowSize, Row>> = {
  normal: row(
    tabset(48, 'code'),
    column(52, column(50, tabset(48, 'screen', 'sprites', 'raster'), tabset(52, 'registers')), tabset(50, 'memory')),
  ),
  wide: row(
    tabset(36, 'code'),
    column(36, tabset(48, 'screen', 'sprites', 'raster'), tabset(52, 'memory')),
    tabset(28, 'registers'),
  ),
}

const isRow = (arranged: Arranged): arranged is Row => 'type' in arranged

export interface ArrangementOf {
  readonly workspace: WorkspaceName
  readonly size: WindowSize
  readonly isDebug: boolean
}

/** One key for all window sizes where the views do not follow the size. */
export function arrangementKey({ workspace, size, isDebug }: ArrangementOf): string {
  const arranged = arrangements[workspace]
  const sized = arranged === undefined || isRow(arranged) ? workspace : `${workspace} ${size}`
  return isDebug && workspace === 'machine' ? `${sized} debug` : sized
}

export function defaultModel({ workspace, size, isDebug }: ArrangementOf, before?: Model): Model {
  const arranged = isDebug && workspace === 'machine' ? debugArrangement : arrangements[workspace]
  if (arranged === undefined) return modelOf(row(tabset(100, ...workspaceNamed(workspace).views)), before)
  return modelOf(isRow(arranged) ? arranged : arranged[size], before)
}

export function modelWithGuests(workspace: WorkspaceName, before?: Model): Model {
  const { views, guests = [] } = workspaceNamed(workspace)
  return modelOf(row(tabset(60, ...views), column(40, ...guests.map((guest) => tabset(50, guest)))), before)
}

export const hasGuests = (workspace: WorkspaceName, model: Model): boolean =>
  workspaceNamed(workspace).guests?.some((guest) => model.getNodeById(guest) !== undefined) ?? false

function modelOf(layout: Row, before?: Model): Model {
  const json: IJsonModel = {
    global: {
      tabEnableRename: false,
      tabEnableClose: false,
      tabSetEnableMaximize: true,
      tabSetEnableTabStrip: true,
      tabSetMinWidth: 160,
      tabSetMinHeight: 96,
      tabEnableScrollbars: false,
    },
    borders: [],
    layout,
  }
  return Model.fromJson(json, before)
}

export interface Layouts {
  readonly current: WorkspaceName
  readonly debug: ReadonlySet<WindowSize>
  readonly arranged: ReadonlyMap<string, IJsonModel>
}

export const writeLayouts = ({ current, debug, arranged }: Layouts): string =>
  JSON.stringify({ version: LAYOUT_VERSION, current, debug: [...debug], arranged: Object.fromEntries(arranged) })

const storedSchema = z.object({
  version: z.literal(LAYOUT_VERSION),
  current: z.string().catch('machine'),
  debug: z.array(z.enum(['normal', 'wide'])).catch([]),
  arranged: z.record(z.string(), z.unknown()).catch({}),
})

/** Leaves out what cannot be shown: of another version, broken, or with other views. */
export function readLayouts(text: string | null): Layouts {
  const { success, data: stored } = storedSchema.safeParse(parsed(text))
  if (!success) return { current: 'machine', debug: new Set(), arranged: new Map() }
  return {
    current: isWorkspaceName(stored.current) ? stored.current : 'machine',
    debug: new Set(stored.debug),
    arranged: new Map(
      Object.entries(stored.arranged).flatMap(([key, value]) => {
        const model = readModel(key.split(' ')[0] ?? '', value)
        return model ? [[key, model.toJson()] as const] : []
      }),
    ),
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

function readModel(workspace: string, stored: unknown): Model | undefined {
  if (!isWorkspaceName(workspace)) return undefined
  try {
    // The model checks itself while it is built, and throws.
    const model = Model.fromJson(stored as IJsonModel)
    const shown = tabsOf(model).map((node) => node.getComponent() ?? '')
    const { views, guests = [] } = workspaceNamed(workspace)
    return isSame(shown, views) || isSame(shown, [...views, ...guests]) ? withTitles(model) : undefined
  } catch {
    return undefined
  }
}

/** Earlier versions showed no title of a view that stood alone. */
function withTitles(model: Model): Model {
  model.doAction(Actions.updateModelAttributes({ tabSetEnableTabStrip: true }))
  for (const tabset of tabsetsOf(model).filter((one) => !one.isEnableTabStrip()))
    model.doAction(Actions.updateNodeAttributes(tabset.getId(), { enableTabStrip: true }))
  return model
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
