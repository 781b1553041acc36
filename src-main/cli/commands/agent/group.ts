import type { CommandGroup } from '../../command'

export const agentGroup: CommandGroup = {
  name: 'agent',
  aliases: ['agents'],
  summary: 'Agents and what they run',
  details: 'An agent is a command-line program such as Claude Code. Only you choose its command; project files cannot.',
}
