import { useEffect, useRef, type PointerEvent, type RefObject } from 'react'
import type { HexPane } from './hexPane'

const SCROLL_INTERVAL_MS = 40

interface Drag {
  readonly anchor: number
  x: number
  y: number
}

export function useDrag(pane: RefObject<HexPane | null>, onDrag: (anchor: number, to: number) => void) {
  const drag = useRef<Drag | null>(null)
  const timer = useRef<ReturnType<typeof setInterval> | undefined>(undefined)
  const current = useRef(onDrag)
  useEffect(() => {
    current.current = onDrag
  })
  useEffect(() => () => clearInterval(timer.current), [])

  const reached = useRef<number | null>(null)
  const follow = () => {
    if (!drag.current || !pane.current) return
    const to = pane.current.dragTo(drag.current.x, drag.current.y)
    if (to === reached.current) return
    reached.current = to
    current.current(drag.current.anchor, to)
  }
  const isBeyond = ({ currentTarget, clientY }: PointerEvent): boolean => {
    const { top, bottom } = currentTarget.getBoundingClientRect()
    return clientY < top || clientY > bottom
  }
  return {
    begin: (event: PointerEvent, anchor: number) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { anchor, x: event.clientX, y: event.clientY }
      reached.current = pane.current?.addressAt(event.clientX, event.clientY) ?? null
    },
    move: (event: PointerEvent) => {
      if (!drag.current) return
      drag.current.x = event.clientX
      drag.current.y = event.clientY
      clearInterval(timer.current)
      if (isBeyond(event)) timer.current = setInterval(follow, SCROLL_INTERVAL_MS)
      follow()
    },
    end: () => {
      clearInterval(timer.current)
      drag.current = null
    },
  }
}
