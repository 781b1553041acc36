import { AsyncLocalStorage } from 'node:async_hooks'
import type { AgentAtMachine } from './agentAtMachine'

/** The agent whose command is being carried out; the person's have none. */
export const currentAgent = new AsyncLocalStorage<AgentAtMachine>()
