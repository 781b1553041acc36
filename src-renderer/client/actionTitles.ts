import { create } from 'zustand'
import { actions, type ActionId, type ActionTitles } from '@shared/actions'
import { call } from './call'
import { attempt } from './messages'
import { useSettingsState } from './settings'

export const useActionTitles = create<{ readonly titles: ActionTitles }>(() => ({ titles: {} }))

/** What an action is called at the moment, without the dots of one that asks for more. */
export const titleOf = (id: ActionId, titles: ActionTitles): string => titles[id] ?? actions[id].title.replace('…', '')

/** For menu and palette, until they are named again. */
export async function nameActions(titles: ActionTitles): Promise<void> {
  useActionTitles.setState({ titles })
  await setMenu()
}

/** The native menu has the keys for running that the settings have, from now on. */
export const keepMenuKeys = (): void =>
  void useSettingsState.subscribe(({ settings }, before) => {
    if (settings.runningKeys !== before.settings.runningKeys) attempt(setMenu)
  })

const setMenu = () =>
  call('window.setMenu', {
    titles: useActionTitles.getState().titles,
    runningKeys: useSettingsState.getState().settings.runningKeys,
  })
