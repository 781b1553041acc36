import type { CommandGroup } from '../../command'

export const settingGroup: CommandGroup = {
  name: 'setting',
  aliases: ['settings'],
  summary: 'Settings',
  details:
    'A setting of a group is written with a dot, such as viceSampling.rate. The window takes up changes at once.',
}
