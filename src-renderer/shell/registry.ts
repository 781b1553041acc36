import type { ComponentType } from 'react'
import type { ViewName } from '@shared/views'
import type { ActionId } from '@shared/actions'
import type { Performer, View, ViewProps } from '../client/view'
import * as all from './views'

type Registered = Omit<View, 'actions'> & { readonly actions?: Readonly<Partial<Record<ActionId, Performer>>> }

export const registeredViews: Readonly<Record<ViewName, Registered>> = all

type ActionsOf<Each> = Each extends View<infer Owned> ? Owned : never
export type ViewAction = ActionsOf<(typeof all)[ViewName]>

const loaded = new Map<ViewName, Promise<ComponentType<ViewProps>>>()

/** Fetched once, again only after a failure. */
export function loadView(name: ViewName): Promise<ComponentType<ViewProps>> {
  const known = loaded.get(name)
  if (known) return known
  const loading = registeredViews[name].load()
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}
