import { AsyncLocalStorage } from 'node:async_hooks'
import type { AgentAtMachine } from './agentAtMachine'

export const clientCommand = new AsyncLocalStorage<true>()

export const isOfClient = (): boolean => clientCommand.getStore() === true

export const currentAgent = new AsyncLocalStorage<AgentAtMachine>()
