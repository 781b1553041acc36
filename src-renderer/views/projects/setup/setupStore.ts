import { create } from 'zustand'
import type { LoopName } from '@shared/contract/loops'

/** For which run an agent is being set up; null for none. */
export const useAgentSetup = create<{ readonly run: LoopName | null }>(() => ({ run: null }))

export const setUpAgent = (run: LoopName | null): void => useAgentSetup.setState({ run })
