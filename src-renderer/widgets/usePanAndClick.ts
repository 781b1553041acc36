import { useRef, type PointerEvent } from 'react'
import { hasMoved } from './hasMoved'

const CLICK_SLACK_PX = 4

interface PanAndClick {
  readonly onPan: (dx: number, dy: number) => void
  /** CSS px within the element. */
  readonly onClick: (x: number, y: number) => void
  /** At a point of the element in CSS px, after the element panned where it does. */
  readonly onMove: (x: number, y: number, isPanning: boolean) => void
  readonly onLeave: () => void
  readonly grab?: (x: number, y: number) => Follow | undefined
}

type Follow = (x: number, y: number) => void

interface Drag {
  readonly x: number
  readonly y: number
  readonly follow: Follow | undefined
  panned: boolean
}

export function usePanAndClick<Target extends Element>({ onPan, onClick, onMove, onLeave, grab }: PanAndClick) {
  const drag = useRef<Drag | null>(null)
  return {
    onPointerDown: (event: PointerEvent<Target>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      const { offsetX, offsetY } = event.nativeEvent
      const follow = grab?.(offsetX, offsetY)
      drag.current = { x: event.clientX, y: event.clientY, follow, panned: false }
      follow?.(offsetX, offsetY)
    },
    onPointerMove: ({ nativeEvent }: PointerEvent<Target>) => {
      if (!hasMoved(nativeEvent)) return
      const { offsetX, offsetY, clientX, clientY, movementX, movementY } = nativeEvent
      if (drag.current?.follow) {
        drag.current.follow(offsetX, offsetY)
        return
      }
      if (drag.current) {
        drag.current.panned ||= Math.hypot(clientX - drag.current.x, clientY - drag.current.y) > CLICK_SLACK_PX
        if (drag.current.panned) onPan(movementX, movementY)
      }
      onMove(offsetX, offsetY, drag.current?.panned === true)
    },
    onPointerUp: ({ nativeEvent: { offsetX, offsetY } }: PointerEvent<Target>) => {
      const clicked = drag.current?.panned === false && !drag.current.follow
      drag.current = null
      if (clicked) onClick(offsetX, offsetY)
    },
    onPointerLeave: onLeave,
  }
}
