import { useCallback, useEffect, useRef, type RefObject } from 'react'
import { frames, useDraw } from '../../frames/frames'
import { useBorders, useColours, useScaling } from '../../frames/screenOptions'
import { ScreenCanvas } from '../../frames/screenCanvas'

/** Draws the newest picture into the canvas of `frame` as the person wants it, as large as the space allows; gives what draws it. */
export function usePicture(
  space: RefObject<HTMLElement | null>,
  frame: RefObject<HTMLElement | null>,
  visible: boolean,
): RefObject<ScreenCanvas | null> {
  const colours = useColours()
  const scaling = useScaling()
  const borders = useBorders()
  const painter = useRef<ScreenCanvas>(null)
  const size = useRef({ width: 0, height: 0 })
  const stale = useRef(true)

  const draw = useCallback(() => {
    const canvas = frame.current?.querySelector('canvas')
    if (!frame.current || !canvas || !frames.picture || (!frames.pictureIsNew && !stale.current)) return
    stale.current = false
    painter.current ??= new ScreenCanvas(frame.current, canvas)
    painter.current.draw(frames.picture, size.current, { colours, scaling, borders })
  }, [frame, colours, scaling, borders])
  useEffect(() => {
    stale.current = true
    frames.requestDraw()
  }, [draw, visible])
  useDraw(visible, draw)

  useEffect(() => {
    const element = space.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      size.current = { width: entry.contentRect.width, height: entry.contentRect.height }
      stale.current = true
      frames.requestDraw()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [space])
  return painter
}
