import type { CommandContext } from '../command'
import type { Allowed } from '../mcp/allowed'

/** What the server gives its clients. */
export interface Served {
  readonly context: Omit<CommandContext, 'output' | 'signal'>
  readonly allowed: Allowed
  readonly version: string
  /** Tells the person who runs the server. */
  readonly tell: (text: string) => void
}
