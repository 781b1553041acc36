import { viewNames, viewTitles, type ViewName } from './views'

export interface Workspace {
  readonly title: string
  readonly accelerator: string
  /** The first one takes the keyboard. */
  readonly views: readonly ViewName[]
  readonly guests?: readonly ViewName[]
  readonly ofMachine?: true
  readonly atFoot?: true
  readonly item?: { readonly title: string; readonly menu: 'Help' }
}

export const workspaces = {
  machine: {
    title: 'Machine',
    accelerator: 'CmdOrCtrl+1',
    views: ['screen', 'memory', 'code', 'sprites', 'registers', 'raster'],
    ofMachine: true,
  },
  timeline: {
    title: 'Timeline',
    accelerator: 'CmdOrCtrl+2',
    views: ['timeline'],
    guests: ['screen', 'memory'],
    ofMachine: true,
  },
  tasks: { title: 'Tasks', accelerator: 'CmdOrCtrl+3', views: ['tasks'] },
  devices: { title: 'Devices', accelerator: 'CmdOrCtrl+4', views: ['connections', 'device'], ofMachine: true },
  projects: { title: 'Projects', accelerator: 'CmdOrCtrl+5', views: ['projects'], guests: ['screen', 'registers'] },
  agents: { title: 'Agents', accelerator: 'CmdOrCtrl+6', views: ['agents', 'steering'] },
  graphics: {
    title: 'Graphics',
    accelerator: 'CmdOrCtrl+7',
    views: ['spriteBrowser', 'characters', 'pictures', 'studio', 'artifacts', 'editor', 'sheet'],
    ofMachine: true,
  },
  settings: { title: 'Settings', accelerator: 'CmdOrCtrl+,', views: ['settings'], atFoot: true },
  help: {
    title: 'Help',
    accelerator: 'F1',
    views: ['help'],
    atFoot: true,
    item: { title: 'Help and keyboard shortcuts', menu: 'Help' },
  },
} as const satisfies Record<string, Workspace>

export type WorkspaceName = keyof typeof workspaces

export const isWorkspaceName = (name: string): name is WorkspaceName => Object.hasOwn(workspaces, name)
export const workspaceNames = Object.keys(workspaces).filter(isWorkspaceName)
export const workspaceNamed = (name: WorkspaceName): Workspace => workspaces[name]

export type Place = WorkspaceName | ViewName

export const placeNamed = (name: string): Place | undefined =>
  [...workspaceNames, ...viewNames].find((place) => place.toLowerCase() === name.toLowerCase())
export const placeTitle = (place: Place): string =>
  isWorkspaceName(place) ? workspaces[place].title : viewTitles[place]

export const sharedViews: readonly ViewName[] = workspaceNames.flatMap((name) => {
  const { views } = workspaceNamed(name)
  return views.length > 1 ? views.filter((view) => view !== name) : []
})

export const workspaceOf = (view: ViewName): WorkspaceName => {
  const found = workspaceNames.find((name) => workspaceNamed(name).views.includes(view))
  if (!found) throw new Error(`The view ${view} stands in no workspace.`)
  return found
}
