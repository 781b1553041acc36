import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent, MouseEvent, Ref, RefObject } from 'react'
import type { Places } from '@shared/c64/banking'
import type { Space } from '@shared/contract/memory'
import { isByKeyboard } from '../../../client/contextMenu'
import { frames, useDraw } from '../../../frames/frames'
import type { AddressRange } from '@shared/c64/address'
import { usePanAndClick } from '../../../widgets/usePanAndClick'
import { ZoomButtons } from '../../../widgets/ZoomButtons'
import type { Heat } from '../../../widgets/heat'
import { HeatPane } from './heatPane'
import './heatMap.css'

export interface HeatMapHandle {
  reveal(address: number): void
  /** Does not move the cursor; null for none. */
  mark(address: number | null): void
  readonly hover: number | null
}

interface HeatMapProps {
  readonly ref: Ref<HeatMapHandle>
  readonly visible: boolean
  readonly label: string
  readonly space: Space
  readonly range: AddressRange
  /** The same object until the places change. */
  readonly places: () => Places
  readonly heat: () => Heat
  readonly cursor: number
  readonly shownInGrid: () => AddressRange
  readonly onCursor: (address: number) => void
  readonly onEnter: () => void
  readonly onMenu: (event: MouseEvent, address: number) => void
}

const WHEEL_STEP = 1.2
const BUTTON_STEP = 2

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -256,
  ArrowDown: 256,
  PageUp: -4096,
  PageDown: 4096,
}

/** 256 pages down, 256 bytes across. */
export function HeatMap(props: HeatMapProps) {
  const { ref, visible, label, space, range, places, heat, cursor, shownInGrid, onCursor, onEnter, onMenu } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const cells = useRef<HTMLCanvasElement>(null)
  const pane = useRef<HeatPane | null>(null)

  useLayoutEffect(() => {
    const config = { space, range, places, heat, cursor, window: shownInGrid }
    if (pane.current) pane.current.configure(config)
    else if (canvas.current && cells.current)
      pane.current = new HeatPane({ cells: cells.current, marks: canvas.current }, config)
  }, [space, range, places, heat, cursor, shownInGrid])
  useLivePane(canvas, pane, visible)
  useImperativeHandle(
    ref,
    () => ({
      reveal: (address) => pane.current?.reveal(address),
      mark: (address) => pane.current?.mark(address),
      get hover() {
        return pane.current?.hover ?? null
      },
    }),
    [],
  )
  const setHover = (address: number | null) => {
    if (pane.current) pane.current.hover = address
    frames.requestDraw()
  }
  const pointer = usePanAndClick<HTMLCanvasElement>({
    onPan: (dx, dy) => pane.current?.pan(dx, dy),
    onClick: (x, y) => {
      const address = pane.current?.addressAt(x, y)
      if (address !== null && address !== undefined) onCursor(address)
    },
    onMove: (x, y) => setHover(pane.current?.addressAt(x, y) ?? null),
    onLeave: () => setHover(null),
  })

  const onContextMenu = (event: MouseEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = pane.current?.addressAt(event.clientX - box.left, event.clientY - box.top) ?? null
    const address = isByKeyboard(event) ? cursor : at
    if (address === null) return
    onCursor(address)
    onMenu(event, address)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = steps[event.key]
    if (step !== undefined) {
      const to = cursor + step
      if (to >= range.start && to < range.end) {
        onCursor(to)
        pane.current?.reveal(to)
      }
    } else if (event.key === '+' || event.key === '=') pane.current?.zoom(BUTTON_STEP)
    else if (event.key === '-') pane.current?.zoom(1 / BUTTON_STEP)
    else if (event.key === '0') pane.current?.fit()
    else if (event.key === 'Enter') onEnter()
    else return
    event.preventDefault()
  }
  return (
    <div className="heat-map">
      <canvas ref={cells} className="heat-cells" aria-hidden />
      <canvas
        ref={canvas}
        className="heat-marks data"
        role="application"
        tabIndex={0}
        aria-label={label}
        onKeyDown={onKey}
        onContextMenu={onContextMenu}
        {...pointer}
      />
      <div className="heat-zoom">
        <ZoomButtons
          wholeLabel="Show all memory"
          step={BUTTON_STEP}
          onZoom={(factor) => pane.current?.zoom(factor)}
          onFit={() => pane.current?.fit()}
        />
      </div>
    </div>
  )
}

type PaneRef = RefObject<HeatPane | null>

function useLivePane(canvas: RefObject<HTMLCanvasElement | null>, pane: PaneRef, visible: boolean): void {
  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => pane.current?.layout())
    observer.observe(element)
    // Not a React listener, as those are passive for the wheel, and the page must not scroll here.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      pane.current?.zoom(event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP, { x: event.offsetX, y: event.offsetY })
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', onWheel)
    }
  }, [canvas, pane])
  useDraw(
    visible,
    useCallback(() => pane.current?.draw(), [pane]),
  )
}
