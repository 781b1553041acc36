import type { CommandGroup } from '../../command'

export const bridgeGroup: CommandGroup = {
  name: 'bridge',
  summary: 'The bridge: the process that owns machines and tasks',
  details:
    'The open window has a bridge. Without a window, a call starts one for itself; task start --detach and bridge start leave one in the background, which all later calls use.',
}
