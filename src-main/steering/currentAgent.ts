import { AsyncLocalStorage } from 'node:async_hooks'
import type { AgentAtMachine } from './agentAtMachine'

/** Set while a command is carried out that came over a client's line: of a command line, or an agent. */
export const clientCommand = new AsyncLocalStorage<true>()

export const isOfClient = (): boolean => clientCommand.getStore() === true

/** The agent whose command is being carried out; the person's have none. */
export const currentAgent = new AsyncLocalStorage<AgentAtMachine>()
