import { create } from 'zustand'

/** Whether the machine stands beside the projects, as the window's layout says. */
export const useMachineBeside = create<{ readonly isShown: boolean }>(() => ({ isShown: false }))
