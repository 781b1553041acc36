import { AsyncLocalStorage } from 'node:async_hooks'

export const currentAgentCall = new AsyncLocalStorage<number>()
