import type { CommandContext } from '../command'
import type { Allowed } from '../mcp/allowed'

export interface Served {
  readonly context: Omit<CommandContext, 'output' | 'signal'>
  readonly allowed: Allowed
  readonly version: string
  readonly tell: (text: string) => void
}
