import { create } from 'zustand'

export const useMachineBeside = create<{ readonly isShown: boolean }>(() => ({ isShown: false }))
