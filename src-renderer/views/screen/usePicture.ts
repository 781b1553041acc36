import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { frames, useDraw } from '../../frames/frames'
import { useBorders, useColours, usePixelAspect, useScaling } from '../../frames/screenOptions'
import { ScreenCanvas } from '../../frames/screenCanvas'

/**
 * Draws into the canvas of `frame`, as large as the space allows.
 * @param isShown the frame is in the page: it has its picture and its size before it is painted for the first time
 */
export function usePicture(
  space: RefObject<HTMLElement | null>,
  frame: RefObject<HTMLElement | null>,
  visible: boolean,
  isShown: boolean,
): RefObject<ScreenCanvas | null> {
  const colours = useColours()
  const scaling = useScaling()
  const borders = useBorders()
  const aspect = usePixelAspect()
  const painter = useRef<ScreenCanvas>(null)
  const size = useRef<Pick<DOMRect, 'width' | 'height'>>(null)
  const stale = useRef(true)

  const draw = useCallback(() => {
    const canvas = frame.current?.querySelector('canvas')
    if (!space.current || !frame.current || !canvas || !frames.picture || (!frames.pictureIsNew && !stale.current))
      return
    stale.current = false
    painter.current ??= new ScreenCanvas(frame.current, canvas)
    size.current ??= space.current.getBoundingClientRect()
    painter.current.draw(frames.picture, size.current, { colours, scaling, borders, aspect })
  }, [space, frame, colours, scaling, borders, aspect])
  useEffect(() => {
    stale.current = true
    frames.requestDraw()
  }, [draw, visible])
  useDraw(visible, draw)
  useLayoutEffect(() => {
    if (visible && isShown) draw()
  }, [draw, visible, isShown])

  useEffect(() => {
    const element = space.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      size.current = entry.contentRect
      stale.current = true
      frames.requestDraw()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [space])
  return painter
}
