import type { CommandGroup } from '../../command'

export const settingsGroup: CommandGroup = {
  name: 'settings',
  summary: 'Settings',
  details:
    'A setting of a group is written with a dot, such as viceSampling.rate. The window takes up changes at once.',
}
