import type { CommandGroup } from '../../command'

export const mcpGroup: CommandGroup = {
  name: 'mcp',
  defaultVerb: 'serve',
  summary: 'Agents at the machines (Model Context Protocol)',
}
