import type { MenuItemConstructorOptions } from 'electron'
import { actionIds, actions, menus, type ActionId, type ActionTitles, type MenuName } from '@shared/actions'

export interface MenuOptions {
  readonly isMac: boolean
  /** A packaged build has no developer tools. */
  readonly isPackaged: boolean
  /** In place of the table's. */
  readonly titles: ActionTitles
  readonly choose: (action: ActionId) => void
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** The native menu: the actions in their groups, and the items that each platform expects. */
export function menuTemplate({ isMac, isPackaged, titles, choose }: MenuOptions): MenuItemConstructorOptions[] {
  const developer: MenuItemConstructorOptions[] = isPackaged ? [] : [separator, { role: 'toggleDevTools' }]
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
      { role: 'togglefullscreen' },
      ...developer,
    ],
    Help: isMac ? [] : [separator, { role: 'about' }],
  }
  const template = menus.map((name): MenuItemConstructorOptions => ({
    label: name,
    submenu: [...(before[name] ?? []), ...items(name, titles, choose), ...(after[name] ?? [])],
    ...(name === 'Help' ? { role: 'help' } : {}),
  }))
  if (!isMac) return template
  const help = template.length - 1
  return [{ role: 'appMenu' }, ...template.slice(0, help), { role: 'windowMenu' }, ...template.slice(help)]
}

function items(menu: MenuName, titles: ActionTitles, choose: (action: ActionId) => void): MenuItemConstructorOptions[] {
  const ids = actionIds.filter((id) => actions[id].menu === menu)
  return ids.flatMap((id, index) => {
    const action: { title: string; accelerator?: string; group: number } = actions[id]
    const previous = ids[index - 1]
    const item: MenuItemConstructorOptions = {
      id,
      // A single & marks the letter that opens the item.
      label: titles[id]?.replaceAll('&', '&&') ?? action.title,
      click: () => choose(id),
      ...(action.accelerator === undefined ? {} : { accelerator: action.accelerator }),
    }
    return previous !== undefined && actions[previous].group !== action.group ? [separator, item] : [item]
  })
}
