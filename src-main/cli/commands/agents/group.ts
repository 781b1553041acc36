import type { CommandGroup } from '../../command'

export const agentsGroup: CommandGroup = {
  name: 'agents',
  summary: 'Agents and what they run',
  details: 'An agent is a command-line program such as Claude Code. Only you choose its command; project files cannot.',
}
