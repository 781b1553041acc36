export const settingRows = {
  standard: { section: 'Built-in C64', title: 'Standard at start' },
  ciaModel: { section: 'Built-in C64', title: 'CIA model' },
  vicModel: { section: 'Built-in C64', title: 'VIC-II model' },
  history: { section: 'Built-in C64', title: 'History' },
  kernalRom: { section: 'Built-in C64', title: 'KERNAL ROM' },
  basicRom: { section: 'Built-in C64', title: 'BASIC ROM' },
  characterRom: { section: 'Built-in C64', title: 'Character ROM' },
  useViceRoms: { section: 'Built-in C64', title: 'ROMs of VICE' },
  restart: { section: 'Built-in C64', title: 'Applies after a restart' },
  viceExecutable: { section: 'VICE', title: 'Program' },
  viceSampling: { section: 'VICE', title: 'Initial sampling' },
  keyMapping: { section: 'Keyboard', title: 'Keys press' },
  runningKeys: { section: 'Keyboard', title: 'Keys for running' },
  keyOverrides: { section: 'Keyboard', title: 'Exceptions' },
  joystickPort: { section: 'Joystick', title: 'Port' },
  joystickKeys: { section: 'Joystick', title: 'Keys' },
  uncommittedChanges: { section: 'Runs', title: 'Uncommitted changes' },
  agentsLeave: { section: 'Runs', title: 'When an agent leaves' },
  runLimits: { section: 'Runs', title: 'Limit of a run' },
  dayLimits: { section: 'Runs', title: 'Limit of a day' },
  nightLimits: { section: 'Runs', title: 'Limit of a night' },
  totalLimits: { section: 'Runs', title: 'Limit of all runs' },
  prices: { section: 'Runs', title: 'Prices of models' },
  recordings: { section: 'Recordings', title: 'Keep' },
  theme: { section: 'Window', title: 'Theme' },
  notifications: { section: 'Window', title: 'Notifications' },
  quietHours: { section: 'Window', title: 'Quiet hours' },
  layout: { section: 'Window', title: 'Layout' },
  dataFolder: { section: 'Data', title: 'Folder' },
  dataSize: { section: 'Data', title: 'Size' },
  dataBackup: { section: 'Data', title: 'Backup' },
  dataFresh: { section: 'Data', title: 'Start fresh' },
} as const

export type SettingRow = keyof typeof settingRows

const isSettingRow = (name: string): name is SettingRow => Object.hasOwn(settingRows, name)
export const settingRowNames = Object.keys(settingRows).filter(isSettingRow)

export const idOfRow = (row: SettingRow): string => `setting-${row}`
