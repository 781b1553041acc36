import { AsyncLocalStorage } from 'node:async_hooks'

/** The call of a tool for which commands go to the bridge, so that each is allowed and noted as that call. */
export const currentAgentCall = new AsyncLocalStorage<number>()
