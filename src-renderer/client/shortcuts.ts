import type { ActionId } from '@shared/actions'
import { acceleratorOf, type RunningAction, type RunningKeys } from '@shared/runningKeys'
import { useSettings, useSettingsState } from './settings'

export const isMac = navigator.platform.startsWith('Mac')

const macKeys: Readonly<Record<string, string>> = { CmdOrCtrl: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' }

/** `Ctrl+Shift+P` or `⇧⌘P`. */
export function shortcutText(accelerator: string, mac = isMac): string {
  const keys = accelerator.split('+')
  if (!mac) return keys.map((key) => (key === 'CmdOrCtrl' ? 'Ctrl' : key)).join('+')
  const order = ['Ctrl', 'Alt', 'Shift', 'CmdOrCtrl']
  const modifiers = order.filter((key) => keys.includes(key)).map((key) => macKeys[key])
  return [...modifiers, ...keys.filter((key) => !order.includes(key))].join('')
}

export function chosenShortcut(id: ActionId, keys: RunningKeys): string | undefined {
  const accelerator = acceleratorOf(id, keys)
  return accelerator === undefined ? undefined : shortcutText(accelerator)
}

export const shortcutOf = (id: Exclude<ActionId, RunningAction>): string | undefined => chosenShortcut(id, 'standard')

export function useShortcuts(): (id: ActionId) => string | undefined {
  const keys = useSettings().runningKeys
  return (id) => chosenShortcut(id, keys)
}

export const shortcutNow = (id: ActionId): string | undefined =>
  chosenShortcut(id, useSettingsState.getState().settings.runningKeys)
