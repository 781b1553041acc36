import { useEffect, useState } from 'react'
import { create } from 'zustand'

let nextId = 1

/** The newest last. */
export const useStrips = create<{ readonly ids: readonly number[]; readonly isOpen: boolean }>(() => ({
  ids: [],
  isOpen: false,
}))

/** The opened list closes when nothing is left in it. */
export function useStrip(isShown: boolean): boolean {
  const [id] = useState(() => nextId++)
  useEffect(() => {
    if (!isShown) return undefined
    useStrips.setState(({ ids }) => ({ ids: [...ids, id] }))
    return () =>
      useStrips.setState(({ ids, isOpen }) => {
        const left = ids.filter((other) => other !== id)
        return { ids: left, isOpen: isOpen && left.length > 0 }
      })
  }, [isShown, id])
  return useStrips(({ ids }) => ids.at(-1) === id)
}
