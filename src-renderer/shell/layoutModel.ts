import { Model, TabNode, TabSetNode, type IJsonModel, type IJsonTabNode, type Node } from 'flexlayout-react'
import { viewNamed, viewTitles, type ViewName } from '../client/view'

/** Raised when an older arrangement cannot be shown any more; the default one then comes instead. */
const LAYOUT_VERSION = 1
/** From this width of the window, CSS px, the registers stand beside the memory instead of behind it. */
const WIDE = 1560

/** Connections, Device, Tasks, Timeline, Projects, Agents, Settings and Help open here when they were closed. */
export const MAIN_TABSET = 'main'

const canBeClosed: ReadonlySet<ViewName> = new Set([
  'connections',
  'device',
  'tasks',
  'timeline',
  'projects',
  'agents',
  'settings',
  'help',
])

export const tab = (view: ViewName): IJsonTabNode => ({
  type: 'tab',
  id: view,
  name: viewTitles[view],
  component: view,
  enableClose: canBeClosed.has(view),
})

/** The arrangement that a window of this width, CSS px, starts with. */
export const defaultModel = (width: number): Model => Model.fromJson(defaultLayout(width))

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

/** The arrangement as text for {@link readModel}. */
export const writeModel = (model: Model): string => JSON.stringify({ version: LAYOUT_VERSION, model: model.toJson() })

/** The arrangement that was remembered; undefined where it cannot be shown: of another version, broken, or with unknown views. */
export function readModel(text: string | null): Model | undefined {
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('version' in stored) || !('model' in stored))
      return undefined
    if (stored.version !== LAYOUT_VERSION) return undefined
    // The model checks itself while it is built; whatever it refuses is caught here.
    const model = Model.fromJson(stored.model as IJsonModel)
    const shown = tabsOf(model).map((node) => viewNamed(node.getComponent()))
    return shown.length > 0 && shown.every((view) => view !== undefined) ? model : undefined
  } catch {
    return undefined
  }
}

function nodesOf(model: Model): Node[] {
  const nodes: Node[] = []
  model.visitNodes((node) => nodes.push(node))
  return nodes
}

export const tabsOf = (model: Model): TabNode[] => nodesOf(model).filter((node) => node instanceof TabNode)
export const tabsetsOf = (model: Model): TabSetNode[] => nodesOf(model).filter((node) => node instanceof TabSetNode)
