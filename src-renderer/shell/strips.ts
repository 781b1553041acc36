import { useEffect } from 'react'
import { create } from 'zustand'

/** The strips that stand in the status bar: how many, and whether all are shown in full above it. */
export const useStrips = create<{ readonly count: number; readonly isOpen: boolean }>(() => ({
  count: 0,
  isOpen: false,
}))

/** Counts a strip while it is shown. What was opened closes when nothing is left in it. */
export function useCountedStrip(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined
    useStrips.setState(({ count }) => ({ count: count + 1 }))
    return () => useStrips.setState(({ count, isOpen }) => ({ count: count - 1, isOpen: isOpen && count > 1 }))
  }, [isShown])
}
