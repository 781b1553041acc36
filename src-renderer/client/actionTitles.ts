import { create } from 'zustand'
import { actions, type ActionId, type ActionTitles } from '@shared/actions'
import { call } from './call'

export const useActionTitles = create<{ readonly titles: ActionTitles }>(() => ({ titles: {} }))

/** What an action is called at the moment, without the dots of one that asks for more. */
export const titleOf = (id: ActionId, titles: ActionTitles): string => titles[id] ?? actions[id].title.replace('…', '')

/** For menu and palette, until they are named again. */
export async function nameActions(titles: ActionTitles): Promise<void> {
  useActionTitles.setState({ titles })
  await call('window.setMenuTitles', { titles })
}
