/** What the native menu says of a view; what the view is made of stands in src-renderer/views/<name>/index.ts. */
export interface ViewInMenu {
  readonly title: string
  /** Electron's form, as in `Action`. */
  readonly accelerator: string
  /** Where its menu item is another than the title in the menu View. */
  readonly item?: { readonly title: string; readonly menu: 'Help' }
}

/** The views of the window, in the order of the menu. */
export const views = {
  screen: { title: 'Screen', accelerator: 'CmdOrCtrl+1' },
  memory: { title: 'Memory', accelerator: 'CmdOrCtrl+2' },
  sprites: { title: 'Sprites', accelerator: 'CmdOrCtrl+3' },
  registers: { title: 'Registers', accelerator: 'CmdOrCtrl+4' },
  connections: { title: 'Connections', accelerator: 'CmdOrCtrl+5' },
  device: { title: 'Device', accelerator: 'CmdOrCtrl+6' },
  tasks: { title: 'Tasks', accelerator: 'CmdOrCtrl+7' },
  timeline: { title: 'Timeline', accelerator: 'CmdOrCtrl+8' },
  projects: { title: 'Projects', accelerator: 'CmdOrCtrl+9' },
  agents: { title: 'Agents', accelerator: 'CmdOrCtrl+Shift+A' },
  settings: { title: 'Settings', accelerator: 'CmdOrCtrl+,' },
  help: { title: 'Help', accelerator: 'F1', item: { title: 'Help and keyboard shortcuts', menu: 'Help' } },
} as const satisfies Record<string, ViewInMenu>

export type ViewName = keyof typeof views

export const isViewName = (name: string): name is ViewName => Object.hasOwn(views, name)
export const viewNames = Object.keys(views).filter(isViewName)
