import type { ComponentType } from 'react'
import type { ActionId } from '@shared/actions'

/** What every docked view is given. A view that is not visible draws nothing and wants no frames. */
export interface ViewProps {
  readonly visible: boolean
}

export type Performer = () => unknown

/** What a view registers with the window: its folder's `index.ts`. Its title and workspace stand in src-shared. */
export interface View<Owned extends ActionId = never> {
  readonly load: () => Promise<ComponentType<ViewProps>>
  /** The actions that are this view's. What they throw is shown. */
  readonly actions?: Readonly<Record<Owned, Performer>>
  /** Called once, before the window is drawn: subscribes to what the view needs to know while it is not open. */
  readonly start?: () => void
}

export const defineView = <Owned extends ActionId = never>(view: View<Owned>): View<Owned> => view
