import { useEffect, useState, type RefObject } from 'react'
import { CODE_ROW_PX } from '../../../widgets/JumpArrows'

export function useRows(list: RefObject<HTMLElement | null>): number {
  const [rows, setRows] = useState(1)
  useEffect(() => {
    if (!list.current) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRows(Math.max(1, Math.floor(entry.contentRect.height / CODE_ROW_PX)))
    })
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [list])
  return rows
}
