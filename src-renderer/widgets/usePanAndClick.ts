import { useRef, type PointerEvent } from 'react'

/** A pointer that moved less than this between down and up has clicked, CSS px. */
const CLICK_SLACK_PX = 4

interface PanAndClick {
  /** By CSS px. */
  readonly onPan: (dx: number, dy: number) => void
  /** At a point of the element, CSS px. */
  readonly onClick: (x: number, y: number) => void
  /** At a point of the element, CSS px, after it panned where it does. */
  readonly onMove: (x: number, y: number, isPanning: boolean) => void
  readonly onLeave: () => void
}

/** Listeners of a canvas that dragging pans and clicking acts on. */
export function usePanAndClick<Target extends Element>({ onPan, onClick, onMove, onLeave }: PanAndClick) {
  const drag = useRef<{ readonly x: number; readonly y: number; panned: boolean } | null>(null)
  return {
    onPointerDown: (event: PointerEvent<Target>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { x: event.clientX, y: event.clientY, panned: false }
    },
    onPointerMove: ({ nativeEvent }: PointerEvent<Target>) => {
      const { offsetX, offsetY, clientX, clientY, movementX, movementY } = nativeEvent
      if (drag.current) {
        drag.current.panned ||= Math.hypot(clientX - drag.current.x, clientY - drag.current.y) > CLICK_SLACK_PX
        if (drag.current.panned) onPan(movementX, movementY)
      }
      onMove(offsetX, offsetY, drag.current?.panned === true)
    },
    onPointerUp: ({ nativeEvent: { offsetX, offsetY } }: PointerEvent<Target>) => {
      const clicked = drag.current?.panned === false
      drag.current = null
      if (clicked) onClick(offsetX, offsetY)
    },
    onPointerLeave: onLeave,
  }
}
