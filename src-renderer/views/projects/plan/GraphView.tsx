import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { useDraw } from '../../../frames/frames'
import { usePanAndClick } from '../../../widgets/usePanAndClick'
import { useClock } from '../../../widgets/useClock'
import { visibleText } from '../../../widgets/visibleText'
import { ZoomButtons } from '../../../widgets/ZoomButtons'
import { GraphPane } from './graphPane'
import { moveOn, type Arrow } from './moves'
import { firstToShow } from './opening'
import { agentOf, hasRunningTime, standingLooks, standingOf, wayOut, type Plan } from './plan'
import type { PlanLayout } from './planLayout'

interface GraphViewProps {
  readonly plan: Plan
  readonly layout: PlanLayout
  readonly selected: number | null
  readonly chain: readonly number[]
  /** The part of the canvas's right side that a panel covers, CSS px. */
  readonly covered: number
  readonly onSelect: (node: number | null) => void
  readonly onOpen: (node: number) => void
  readonly onToggle: (node: number) => void
}

const BUTTON_STEP = 1.5
/** Zoom factor for a wheel's notch of 100 px. */
const WHEEL_STEP = 1.25
const ARROW_PAN_PX = 60

const directions: Readonly<Record<Arrow, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const isArrow = (key: string): key is Arrow => Object.hasOwn(directions, key)

/** The list beside it has the same for those who do not see the canvas. */
export function GraphView(props: GraphViewProps) {
  const { plan, layout, selected, chain, covered, onSelect, onOpen, onToggle } = props
  const now = useClock(hasRunningTime(plan), 1_000)
  const canvas = useRef<HTMLCanvasElement>(null)
  const pane = useRef<GraphPane | null>(null)
  const [hover, setHover] = useState<Hover>(null)
  const pointAt = (node: number | null, x: number, y: number) => {
    if (pane.current?.pointAt(node) === true) setHover(node === null ? null : { node, x, y })
  }
  const nodeAt = (x: number, y: number): number | null => pane.current?.nodeAt(x, y) ?? null
  const pointer = usePanAndClick<HTMLCanvasElement>({
    onPan: (dx, dy) => pane.current?.pan(dx, dy),
    onClick: (x, y) => {
      const node = nodeAt(x, y)
      onSelect(node)
      if (node !== null) onOpen(node)
    },
    onMove: (x, y, isPanning) => pointAt(isPanning ? null : nodeAt(x, y), x, y),
    onLeave: () => pointAt(null, 0, 0),
    grab: (x, y) => pane.current?.grabMap(x, y),
  })

  useLayoutEffect(() => {
    const config = { plan, layout, selected, chain, covered, now }
    if (pane.current) pane.current.configure(config)
    else if (canvas.current) pane.current = new GraphPane(canvas.current, config)
  }, [plan, layout, selected, chain, covered, now])
  useLivePane(canvas, pane, setHover)

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    if (isArrow(key) && event.shiftKey) {
      const [right, down] = directions[key]
      pane.current?.pan(-right * ARROW_PAN_PX, -down * ARROW_PAN_PX)
    } else if (isArrow(key)) {
      const next =
        selected === null ? firstToShow(plan, layout) : moveOn(plan, layout, layout.shown[selected] ?? selected, key)
      if (next !== undefined && next !== null) onSelect(next)
    } else if (key === 'Enter' && selected !== null) onOpen(selected)
    else if (key === ' ' && selected !== null) onToggle(selected)
    else if (key === '+' || key === '=') pane.current?.zoom(BUTTON_STEP)
    else if (key === '-') pane.current?.zoom(1 / BUTTON_STEP)
    else if (key === '0') pane.current?.fit()
    else return
    event.preventDefault()
  }

  return (
    <div className="plan-graph">
      <canvas
        ref={canvas}
        className="data"
        role="application"
        tabIndex={0}
        aria-label="The plan as a graph"
        aria-describedby="plan-graph-keys"
        onKeyDown={onKey}
        onDoubleClick={({ nativeEvent: { offsetX, offsetY } }) => {
          const node = nodeAt(offsetX, offsetY)
          if (node !== null) onToggle(node)
        }}
        {...pointer}
      />
      <p className="plan-spoken" aria-live="polite">
        {selected === null || covered > 0 ? '' : nodeText(plan, selected)}
      </p>
      <div className="plan-zoom">
        <ZoomButtons
          wholeLabel="Show the whole plan"
          step={BUTTON_STEP}
          onZoom={(factor) => pane.current?.zoom(factor)}
          onFit={() => pane.current?.fit()}
        />
      </div>
      {hover ? (
        <div className="plan-hover" aria-hidden style={{ left: hover.x + 12, top: hover.y + 16 }}>
          <strong className="data">{visibleText(plan.keys[hover.node] ?? '')}</strong>{' '}
          {standingLooks[standingOf(plan, hover.node)].word}
          <div>{visibleText(plan.titles[hover.node] ?? '')}</div>
          <div className="muted">{visibleText(agentOf(plan, hover.node))}</div>
          <div className="muted">{visibleText(wayOut(plan, hover.node))}</div>
        </div>
      ) : null}
    </div>
  )
}

const nodeText = (plan: Plan, node: number): string =>
  visibleText(`${plan.keys[node] ?? ''} ${plan.titles[node] ?? ''}: ${standingLooks[standingOf(plan, node)].word}`)

type PaneRef = RefObject<GraphPane | null>

/** x and y: the pointer on the canvas, CSS px. */
type Hover = { readonly node: number; readonly x: number; readonly y: number } | null

function useLivePane(
  canvas: RefObject<HTMLCanvasElement | null>,
  pane: PaneRef,
  setHover: (hover: Hover) => void,
): void {
  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => pane.current?.resize())
    observer.observe(element)
    // Not a React listener, as those are passive for the wheel, and the page must not scroll here.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      // Pinching comes as a wheel with Ctrl.
      if (event.ctrlKey || event.metaKey)
        pane.current?.zoom(WHEEL_STEP ** (-event.deltaY / 100), { x: event.offsetX, y: event.offsetY })
      else pane.current?.pan(-(event.shiftKey ? event.deltaY : event.deltaX), event.shiftKey ? 0 : -event.deltaY)
      setHover(null)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', onWheel)
    }
  }, [canvas, pane, setHover])
  useDraw(
    true,
    useCallback(() => pane.current?.draw(), [pane]),
  )
}
