import type { CommandGroup } from '../../command'

export const apiGroup: CommandGroup = {
  name: 'api',
  mayBeOmitted: true,
  summary: 'Agents and scripts over HTTP',
}
