/** What every docked view is given. A view that is not visible draws nothing and wants no frames. */
export interface ViewProps {
  readonly visible: boolean
}

const viewNames = [
  'screen',
  'memory',
  'sprites',
  'registers',
  'connections',
  'device',
  'tasks',
  'timeline',
  'projects',
  'agents',
  'settings',
  'help',
] as const
export type ViewName = (typeof viewNames)[number]

export const viewTitles: Readonly<Record<ViewName, string>> = {
  screen: 'Screen',
  memory: 'Memory',
  sprites: 'Sprites',
  registers: 'Registers',
  connections: 'Connections',
  device: 'Device',
  tasks: 'Tasks',
  timeline: 'Timeline',
  projects: 'Projects',
  agents: 'Agents',
  settings: 'Settings',
  help: 'Help',
}

export const viewNamed = (name: string | null | undefined): ViewName | undefined =>
  viewNames.find((view) => view === name)
