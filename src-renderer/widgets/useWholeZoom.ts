import { useEffect, useState, type RefObject } from 'react'

/** How large a picture may be shown in an element, so that each of its pixels is a whole number of the screen's; 1 at least. */
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

/** The zoom of a picture in an element: `x` and a number, or as large as it may be there. */
export function useChosenZoom(
  size: 'fit' | `x${number}`,
  space: RefObject<HTMLElement | null>,
  width: number,
  height: number,
): number {
  const fit = useWholeZoom(space, width, height)
  return size === 'fit' ? fit : Number(size.slice(1))
}
