import { actions, type Action, type ActionId } from '@shared/actions'

export const isMac = navigator.platform.startsWith('Mac')

const macKeys: Readonly<Record<string, string>> = { CmdOrCtrl: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' }

/** An Electron accelerator as people of the platform write it: `Ctrl+Shift+P` or `⇧⌘P`. */
export function shortcutText(accelerator: string, mac = isMac): string {
  const keys = accelerator.split('+')
  if (!mac) return keys.map((key) => (key === 'CmdOrCtrl' ? 'Ctrl' : key)).join('+')
  const order = ['Ctrl', 'Alt', 'Shift', 'CmdOrCtrl']
  const modifiers = order.filter((key) => keys.includes(key)).map((key) => macKeys[key])
  return [...modifiers, ...keys.filter((key) => !order.includes(key))].join('')
}

/** The shortcut of an action, or undefined where it has none. */
export function shortcutOf(id: ActionId): string | undefined {
  const { accelerator }: Action = actions[id]
  return accelerator === undefined ? undefined : shortcutText(accelerator)
}
