import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { AgentRun, LogLine, LogStep } from '@shared/contract/agents'
import { dayAndTime, timeOfDay } from '../../widgets/times'
import { visibleText } from '../../widgets/visibleText'
import { bytesText } from './agentRows'
import { logRows, type LogRow } from './logRows'
import { heightOf, lastTop, LINE_PX, scrollOf, topOf, type LogWindow } from './logWindow'
import { PAGE_LINES } from './logPages'
import { useLogLength, useLogPages, type Stream } from './useLog'

interface LogPaneProps {
  readonly run: AgentRun
  readonly stream: Stream
  readonly steps: readonly LogStep[]
  readonly wanted: { readonly line: number } | null
  readonly follows: boolean
  readonly onFollow: (follows: boolean) => void
}

export function LogPane({ run: { run, output, errors }, stream, steps, wanted, follows, onFollow }: LogPaneProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const room = useRoom(scroller)
  const rows = Math.max(1, Math.floor(room / LINE_PX))
  const { length, problem } = useLogLength(run, stream)
  const pages = useLogPages(run, stream)
  const [top, setTop] = useState(0)
  const isCounted = length !== null && length.tail === null
  const total = isCounted
    ? Math.max(length.total, stream === 'prompt' ? 0 : (stream === 'output' ? output : errors).lines)
    : 0
  const folds = useFolds(steps, follows)
  const list = logRows(steps, folds.isOpen, total)
  const shape = { total: list.count, rows }
  const shown = follows ? lastTop(shape) : Math.min(top, lastTop(shape))
  const seen = Array.from({ length: Math.max(0, Math.min(rows + 1, list.count - shown)) }, (_, row) =>
    list.at(shown + row),
  )

  const needed = [...new Set(seen.flatMap((row) => ('line' in row ? [Math.floor(row.line / PAGE_LINES)] : [])))]
  const read = useEffectEvent(() => void pages.load(needed, total))
  const neededKey = needed.join(' ')
  useEffect(() => {
    if (isCounted) read()
  }, [isCounted, total, neededKey])

  const goTo = (line: number) => {
    const next = Math.min(lastTop(shape), Math.max(0, line))
    setTop(next)
    onFollow(next === lastTop(shape) && follows)
  }
  const show = useEffectEvent((line: number) => {
    onFollow(false)
    const step = list.stepOf(line)
    if (step !== undefined) folds.set(step, true)
    setTop(Math.max(0, list.rowOf(line) - Math.floor(rows / 2)))
  })
  const toggle = (step: number) => {
    setTop(shown)
    onFollow(false)
    folds.set(step, !folds.isOpen(step))
  }
  useEffect(() => {
    if (wanted) show(wanted.line)
  }, [wanted])
  const placeOf = (element: HTMLElement) => scrollOf(shape, shown, heightOf(shape) - element.clientHeight)
  const placed = useScrolling(scroller, shape, { room, shown }, goTo)

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: rows - 1, PageUp: 1 - rows, Home: -Infinity }[event.key]
    if (event.key === 'End') onFollow(true)
    else if (step !== undefined) goTo(shown + step)
    else return
    event.preventDefault()
  }
  const onScroll = (element: HTMLElement) => {
    const isAt = (place: number) => Math.abs(element.scrollTop - place) <= 1
    // Ignores scrolling by the pane itself, and by the browser after a change of size.
    if (!isCounted || isAt(placed.current) || isAt(placeOf(element))) return
    const next = topOf(shape, element.scrollTop, heightOf(shape) - element.clientHeight)
    setTop(next)
    onFollow(next >= lastTop(shape))
  }

  const tail = length?.tail?.slice(-rows)
  const hasTimes = [...(tail ?? seen.map((row) => ('step' in row ? steps[row.step] : pages.lineAt(row.line))))].some(
    (shownRow) => typeof shownRow?.at === 'number',
  )
  return (
    <>
      <p className="log-state muted" role="status">
        {problem ?? pages.problem ?? lengthText(length?.share, isCounted ? total : null)}
      </p>
      <div
        ref={scroller}
        className="log-lines data scroll-pane"
        tabIndex={0}
        role="group"
        aria-label={`Log, ${stream}`}
        onKeyDown={onKey}
        onScroll={({ currentTarget }) => onScroll(currentTarget)}
      >
        <div className="log-window">
          {tail?.map((line, index) => (
            <Line key={index} line={line} number={null} isWanted={false} hasTimes={hasTimes} />
          )) ??
            seen.map((row) =>
              'step' in row ? (
                <StepRow
                  key={keyOf(row)}
                  step={steps[row.step]}
                  isOpen={folds.isOpen(row.step)}
                  hasTimes={hasTimes}
                  onToggle={() => toggle(row.step)}
                />
              ) : (
                <Line
                  key={keyOf(row)}
                  line={pages.lineAt(row.line)}
                  number={row.line}
                  isWanted={wanted?.line === row.line}
                  hasTimes={hasTimes}
                />
              ),
            )}
          {isCounted && total === 0 ? (
            <p className="muted">
              {stream === 'prompt'
                ? 'The prompt is empty.'
                : `Nothing was printed${stream === 'errors' ? ' as errors' : ''} yet.`}
            </p>
          ) : null}
        </div>
        <div style={{ height: Math.max(0, heightOf(shape) - rows * LINE_PX) }} aria-hidden />
      </div>
    </>
  )
}

/** CSS px. */
function useRoom(scroller: RefObject<HTMLDivElement | null>): number {
  const [room, setRoom] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setRoom(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return room
}

/**
 * The wheel turns lines, also where a pixel stands for many of them.
 * @returns where it last put the scroller
 */
function useScrolling(
  scroller: RefObject<HTMLDivElement | null>,
  { total, rows }: LogWindow,
  { room, shown }: { readonly room: number; readonly shown: number },
  goTo: (line: number) => void,
): RefObject<number> {
  const placed = useRef(0)
  // In a layout effect, before a scroll event could report the earlier place.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const place = scrollOf({ total, rows }, shown, heightOf({ total, rows }) - element.clientHeight)
    if (Math.abs(element.scrollTop - place) > 1) element.scrollTop = place
    placed.current = element.scrollTop
  }, [scroller, shown, total, rows, room])

  const turn = useEffectEvent((event: WheelEvent) => {
    if (event.deltaY === 0 || event.ctrlKey || total * LINE_PX <= heightOf({ total, rows })) return
    event.preventDefault()
    goTo(shown + Math.round(event.deltaY / LINE_PX))
  })
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const onWheel = (event: WheelEvent) => turn(event)
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [scroller])
  return placed
}

const keyOf = (row: LogRow): string => ('step' in row ? `step ${row.step}` : `line ${row.line}`)

function useFolds(steps: readonly LogStep[], follows: boolean) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map())
  // What is being read is not folded as the next step comes, unless the reader follows the end.
  const [lastOpen, setLastOpen] = useState(0)
  const last = Math.max(0, steps.length - 1)
  if (follows && lastOpen !== last) setLastOpen(last)
  return {
    isOpen: (step: number) => chosen.get(step) ?? (step >= lastOpen || steps[step]?.hasFailed === true),
    set: (step: number, isOpen: boolean) => setChosen((before) => new Map([...before, [step, isOpen]])),
  }
}

interface LineProps {
  readonly line: LogLine | undefined
  /** From 0; null while the log's lines are being counted. */
  readonly number: number | null
  readonly isWanted: boolean
  readonly hasTimes: boolean
}

const Line = ({ line, number, isWanted, hasTimes }: LineProps) => (
  <div className="log-line" aria-current={isWanted ? 'location' : undefined}>
    {hasTimes ? <Time at={line?.at ?? null} /> : null}
    {number === null ? null : (
      <span className="log-number" aria-hidden>
        {number + 1}
      </span>
    )}
    <span>{line === undefined ? '' : textOf(line)}</span>
  </div>
)

interface StepRowProps {
  readonly step: LogStep | undefined
  readonly isOpen: boolean
  readonly hasTimes: boolean
  readonly onToggle: () => void
}

function StepRow({ step, isOpen, hasTimes, onToggle }: StepRowProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight
  if (!step) return null
  return (
    <button type="button" className={`log-line log-step ${step.kind}`} aria-expanded={isOpen} onClick={onToggle}>
      {hasTimes ? <Time at={step.at} /> : null}
      <span className="log-number" aria-hidden>
        <Chevron size={14} />
      </span>
      {step.hasFailed ? (
        <span className="log-failed">
          <CircleAlert size={14} aria-hidden />
          failed
        </span>
      ) : null}
      <span>{visibleText(step.title)}</span>
    </button>
  )
}

const Time = ({ at }: { readonly at: number | null }) => (
  <span className="log-time" title={at === null ? undefined : dayAndTime(at)}>
    {at === null ? '' : timeOfDay(at)}
  </span>
)

/** @param total null while lines are being counted, of which `share` is done */
function lengthText(share: number | undefined, total: number | null): string {
  if (total !== null) return `${total.toLocaleString('en')} ${total === 1 ? 'line' : 'lines'}`
  return share === undefined ? '' : `Counting lines: ${Math.floor(share * 100)} %`
}

/** A multiple of the bytes of one UTF-8 character, so that a whole line is not said to be cut. */
const MAX_WHOLE_LINE_BYTES = 4_096

const textOf = ({ text, bytes }: LogLine): string =>
  bytes > MAX_WHOLE_LINE_BYTES ? `${visibleText(text)}… (${bytesText(bytes)})` : visibleText(text)
