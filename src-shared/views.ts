export const viewTitles = {
  screen: 'Screen',
  memory: 'Memory',
  sprites: 'Sprites',
  code: 'Code',
  registers: 'Registers',
  raster: 'Raster',
  timeline: 'Timeline',
  tasks: 'Tasks',
  connections: 'Connections',
  device: 'Device',
  projects: 'Projects',
  agents: 'Agents',
  steering: 'Agents at machines',
  settings: 'Settings',
  spriteBrowser: 'Sprite browser',
  characters: 'Characters',
  pictures: 'Screens and bitmaps',
  studio: 'Picture studio',
  artifacts: 'Gallery',
  editor: 'Editor',
  sheet: 'Sheet',
  help: 'Help',
} as const

export type ViewName = keyof typeof viewTitles

export const isViewName = (name: string): name is ViewName => Object.hasOwn(viewTitles, name)
export const viewNames = Object.keys(viewTitles).filter(isViewName)
