import { useEffect, useState, type RefObject } from 'react'

/** The largest zoom at which each pixel covers a whole number of screen pixels; at least 1. */
export function useWholeZoom(space: RefObject<HTMLElement | null>, width: number, height: number): number {
  const [zoom, setZoom] = useState(1)
  useEffect(() => {
    const element = space.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      const ratio = window.devicePixelRatio
      const room = Math.min(entry.contentRect.width / width, entry.contentRect.height / height)
      setZoom(Math.max(1, Math.floor(room * ratio) / ratio))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [space, width, height])
  return zoom
}

export function useChosenZoom(
  size: 'fit' | `x${number}`,
  space: RefObject<HTMLElement | null>,
  width: number,
  height: number,
): number {
  const fit = useWholeZoom(space, width, height)
  return size === 'fit' ? fit : Number(size.slice(1))
}
