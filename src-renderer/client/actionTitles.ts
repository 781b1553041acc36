import { create } from 'zustand'
import { actions, type ActionId, type ActionTitles } from '@shared/actions'
import { call } from './call'
import { attempt } from './messages'
import { useSettingsState } from './settings'

export const useActionTitles = create<{ readonly titles: ActionTitles }>(() => ({ titles: {} }))

export const titleOf = (id: ActionId, titles: ActionTitles): string => titles[id] ?? actions[id].title.replace('…', '')

export async function nameActions(titles: ActionTitles): Promise<void> {
  useActionTitles.setState({ titles })
  await setMenu()
}

export const keepMenuKeys = (): void =>
  void useSettingsState.subscribe(({ settings }, before) => {
    if (settings.runningKeys !== before.settings.runningKeys) attempt(setMenu)
  })

const setMenu = () =>
  call('window.setMenu', {
    titles: useActionTitles.getState().titles,
    runningKeys: useSettingsState.getState().settings.runningKeys,
  })
