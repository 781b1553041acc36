import { Model, TabNode, TabSetNode, type IJsonModel, type IJsonTabNode, type Node } from 'flexlayout-react'
import { isViewName, viewNames, views, type ViewName } from '@shared/views'
import type { View } from '../client/view'

/** Raised when an older arrangement cannot be shown any more; the default one then comes instead. */
const LAYOUT_VERSION = 1
/** From this width of the window, CSS px, the registers stand beside the memory instead of behind it. */
const WIDE = 1560

export const MAIN_TABSET = 'main'

/** Where views stand in a new window; the others open in the main panel when they are asked for, and can be closed. */
export type Places = Readonly<Partial<Record<ViewName, NonNullable<View['place']>>>>

export const tab = (view: ViewName, places: Places): IJsonTabNode => ({
  type: 'tab',
  id: view,
  name: views[view].title,
  component: view,
  enableClose: places[view] === undefined,
})

/** The arrangement that a window of this width, CSS px, starts with. */
export const defaultModel = (width: number, places: Places): Model => Model.fromJson(defaultLayout(width, places))

function defaultLayout(width: number, places: Places): IJsonModel {
  const tabsAt = (place: View['place']) =>
    viewNames.filter((view) => places[view] === place).map((view) => tab(view, places))
  const left = {
    type: 'row',
    weight: width >= WIDE ? 36 : 43,
    children: [
      { type: 'tabset', weight: 62, children: tabsAt('upperLeft') },
      { type: 'tabset', weight: 38, children: tabsAt('lowerLeft') },
    ],
  }
  const right =
    width >= WIDE
      ? [
          { type: 'tabset', id: MAIN_TABSET, weight: 42, children: tabsAt('main') },
          { type: 'tabset', weight: 22, children: tabsAt('right') },
        ]
      : [{ type: 'tabset', id: MAIN_TABSET, weight: 57, children: [...tabsAt('main'), ...tabsAt('right')] }]
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
    const shown = tabsOf(model).map((node) => node.getComponent() ?? '')
    return shown.length > 0 && shown.every(isViewName) ? model : undefined
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
