import type { ComponentType } from 'react'
import type { ActionId } from '@shared/actions'

/** A view that is not visible draws nothing and wants no frames. */
export interface ViewProps {
  readonly visible: boolean
}

export type Performer = () => unknown

export interface View<Owned extends ActionId = never> {
  readonly load: () => Promise<ComponentType<ViewProps>>
  readonly actions?: Readonly<Record<Owned, Performer>>
  /** Called once, before the window is drawn, to subscribe to what the view needs while it is not open. */
  readonly start?: () => void
}

export const defineView = <Owned extends ActionId = never>(view: View<Owned>): View<Owned> => view
