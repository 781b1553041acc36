import type { MenuItemConstructorOptions } from 'electron'
import { actionIds, actions, menus, submenus, type ActionId, type ActionTitles, type MenuName } from '@shared/actions'
import { acceleratorOf, type RunningKeys } from '@shared/runningKeys'

export interface MenuOptions {
  readonly isMac: boolean
  readonly isPackaged: boolean
  readonly titles: ActionTitles
  readonly runningKeys: RunningKeys
  readonly choose: (action: ActionId) => void
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

export function menuTemplate({ isPackaged, ...shown }: MenuOptions): MenuItemConstructorOptions[] {
  const { isMac } = shown
  const developer: MenuItemConstructorOptions[] = isPackaged ? [] : [separator, { role: 'toggleDevTools' }]
  // The platform's own F11 would win over an action's.
  const isF11Taken = !isMac && actionIds.some((id) => acceleratorOf(id, shown.runningKeys) === 'F11')
  const fullScreen: MenuItemConstructorOptions = {
    role: 'togglefullscreen',
    ...(isF11Taken ? { accelerator: 'CmdOrCtrl+F11' } : {}),
  }
  const before: Partial<Record<MenuName, MenuItemConstructorOptions[]>> = {
    Edit: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
      separator,
    ],
  }
  const after: Partial<Record<MenuName, MenuItemConstructorOptions[]>> = {
    File: [separator, isMac ? { role: 'close' } : { role: 'quit' }],
    View: [
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      fullScreen,
      ...developer,
    ],
    Help: isMac ? [] : [separator, { role: 'about' }],
  }
  const template = menus.map((name): MenuItemConstructorOptions => ({
    label: name,
    submenu: [...(before[name] ?? []), ...items(name, shown), ...(after[name] ?? [])],
    ...(name === 'Help' ? { role: 'help' } : {}),
  }))
  if (!isMac) return template
  const help = template.length - 1
  return [{ role: 'appMenu' }, ...template.slice(0, help), { role: 'windowMenu' }, ...template.slice(help)]
}

type Shown = Pick<MenuOptions, 'isMac' | 'titles' | 'runningKeys' | 'choose'>

function items(menu: MenuName, shown: Shown): MenuItemConstructorOptions[] {
  const ids = actionIds.filter((id) => actions[id].menu === menu)
  const groups = [...new Set(ids.map((id) => actions[id].group))].sort((a, b) => a - b)
  let wasSubmenu = false
  return groups.flatMap((group, index) => {
    const own = ids.filter((id) => actions[id].group === group).map((id) => menuItem(id, shown))
    const label = submenus[menu][group]
    const isBeside = index === 0 || (wasSubmenu && label !== undefined)
    wasSubmenu = label !== undefined
    return [...(isBeside ? [] : [separator]), ...(label === undefined ? own : [{ label, submenu: own }])]
  })
}

function menuItem(id: ActionId, { isMac, titles, runningKeys, choose }: Shown): MenuItemConstructorOptions {
  const chosen = acceleratorOf(id, runningKeys)
  // On macOS these keys move by words in a text.
  const accelerator = isMac && (chosen === 'Alt+Left' || chosen === 'Alt+Right') ? undefined : chosen
  return {
    id,
    // A single & would mark the letter that opens the item.
    label: titles[id]?.replaceAll('&', '&&') ?? actions[id].title,
    click: () => choose(id),
    ...(accelerator === undefined ? {} : { accelerator }),
  }
}
