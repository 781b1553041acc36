import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { AgentRun, LogLine } from '@shared/contract/agents'
import { call } from '../../client/call'
import { describeError } from '../../client/messages'
import { visibleText } from '../../widgets/visibleText'
import { bytesText } from './agentRows'
import { heightOf, lastTop, LINE_PX, pagesOf, scrollOf, topOf } from './logWindow'

export type Stream = 'output' | 'errors'

interface LogPaneProps {
  readonly run: AgentRun
  readonly stream: Stream
  /** A line that is to be seen, such as one that was found; another object shows it again. */
  readonly wanted: { readonly line: number } | null
  readonly follows: boolean
  readonly onFollow: (follows: boolean) => void
}

/** Lines of one answer. */
const PAGE_LINES = 200
/** That are held, of those seen last. */
const MAX_PAGES = 30
/** Before it is asked again how far a long log is counted, ms. */
const COUNT_RETRY_MS = 20

interface Known {
  readonly total: number
  /** Its end, while its lines are still being counted. */
  readonly tail: readonly LogLine[] | null
  readonly share: number
}

/** A log however long: only the lines that are seen are asked for. */
export function LogPane({ run: { run, output, errors }, stream, wanted, follows, onFollow }: LogPaneProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState(1)
  const [known, setKnown] = useState<Known | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [top, setTop] = useState(0)
  const pages = useRef(new Map<number, { readonly lines: readonly LogLine[]; readonly total: number }>())
  const [, redraw] = useState(0)
  const told = (stream === 'output' ? output : errors).lines
  const isCounted = known !== null && known.tail === null
  const total = isCounted ? Math.max(known.total, told) : 0
  const shape = { total, rows }
  const shown = follows ? lastTop(shape) : Math.min(top, lastTop(shape))

  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setRows(Math.max(1, Math.floor(element.clientHeight / LINE_PX))))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // How long it is: at once for one that is being written, after a while for one of a gigabyte.
  useEffect(() => {
    let ended = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      try {
        const { lines, first, total, counted, size } = await call('agentRuns.log', {
          run,
          stream,
          from: null,
          count: PAGE_LINES,
        })
        if (ended) return
        setKnown({ total, tail: first === null ? lines : null, share: size === 0 ? 1 : counted / size })
        setProblem(null)
        if (first === null) timer = setTimeout(() => void ask(), COUNT_RETRY_MS)
      } catch (error) {
        if (!ended) setProblem(describeError(error))
      }
    }
    void ask()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [run, stream])

  const asked = useRef(new Set<number>())
  const readPages = useEffectEvent(async (numbers: readonly number[]) => {
    for (const page of numbers) {
      const held = pages.current.get(page)
      const isWhole = held !== undefined && (held.lines.length === PAGE_LINES || held.total >= total)
      if (isWhole || asked.current.has(page)) continue
      asked.current.add(page)
      try {
        const { lines, total: then } = await call('agentRuns.log', {
          run,
          stream,
          from: page * PAGE_LINES,
          count: PAGE_LINES,
        })
        pages.current.delete(page)
        pages.current.set(page, { lines, total: then })
        for (const oldest of [...pages.current.keys()].slice(0, Math.max(0, pages.current.size - MAX_PAGES)))
          pages.current.delete(oldest)
        redraw((count) => count + 1)
      } catch (error) {
        setProblem(describeError(error))
      } finally {
        asked.current.delete(page)
      }
    }
  })
  useEffect(() => {
    if (isCounted) void readPages(pagesOf({ total, rows }, shown, PAGE_LINES))
  }, [isCounted, total, rows, shown])

  const rangeOf = (element: HTMLElement) => heightOf(shape) - element.clientHeight
  // Before a scroll event could tell of the place that it had before.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const place = scrollOf({ total, rows }, shown, heightOf({ total, rows }) - element.clientHeight)
    if (Math.abs(element.scrollTop - place) > 1) element.scrollTop = place
  }, [shown, total, rows])

  const goTo = (line: number) => {
    const next = Math.min(lastTop(shape), Math.max(0, line))
    setTop(next)
    onFollow(next === lastTop(shape) && follows)
  }
  const show = useEffectEvent((line: number) => {
    onFollow(false)
    setTop(Math.max(0, line - Math.floor(rows / 2)))
  })
  useEffect(() => {
    if (wanted) show(wanted.line)
  }, [wanted])

  // By lines, also where a pixel of the scroller stands for many of them.
  const wheel = useEffectEvent((event: WheelEvent) => {
    if (event.deltaY === 0 || event.ctrlKey || total * LINE_PX <= heightOf(shape)) return
    event.preventDefault()
    goTo(shown + Math.round(event.deltaY / LINE_PX))
  })
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const turn = (event: WheelEvent) => wheel(event)
    element.addEventListener('wheel', turn, { passive: false })
    return () => element.removeEventListener('wheel', turn)
  }, [])

  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'End') {
      event.preventDefault()
      onFollow(true)
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: rows - 1, PageUp: 1 - rows, Home: -Infinity }[event.key]
    if (step === undefined) return
    event.preventDefault()
    goTo(shown + step)
  }

  const lines: readonly (LogLine | undefined)[] =
    known?.tail?.slice(-rows) ??
    Array.from({ length: Math.min(rows + 1, total - shown) }, (_, index) => {
      const number = shown + index
      return pages.current.get(Math.floor(number / PAGE_LINES))?.lines[number % PAGE_LINES]
    })
  return (
    <>
      <p className="log-state muted" role="status">
        {problem ??
          (known === null
            ? ''
            : isCounted
              ? `${total.toLocaleString('en')} ${total === 1 ? 'line' : 'lines'}`
              : `Its end; the lines are being counted: ${Math.floor(known.share * 100)} %`)}
      </p>
      <div
        ref={scroller}
        className="log-lines data"
        tabIndex={0}
        role="group"
        aria-label={`Log, ${stream}`}
        onKeyDown={move}
        onScroll={({ currentTarget }) => {
          const next = topOf(shape, currentTarget.scrollTop, rangeOf(currentTarget))
          if (!isCounted || Math.abs(currentTarget.scrollTop - scrollOf(shape, shown, rangeOf(currentTarget))) <= 1)
            return
          setTop(next)
          onFollow(next >= lastTop(shape))
        }}
      >
        <div className="log-window">
          {lines.map((line, index) => {
            const number = shown + index
            const isWanted = isCounted && wanted?.line === number
            return (
              <div
                key={isCounted ? number : index}
                className="log-line"
                aria-current={isWanted ? 'location' : undefined}
              >
                {isCounted ? (
                  <span className="log-number" aria-hidden>
                    {number + 1}
                  </span>
                ) : null}
                <span>{line === undefined ? '' : textOf(line)}</span>
              </div>
            )
          })}
          {isCounted && total === 0 ? (
            <p className="muted">Nothing was printed{stream === 'errors' ? ' as errors' : ''} yet.</p>
          ) : null}
        </div>
        <div style={{ height: Math.max(0, heightOf(shape) - rows * LINE_PX) }} aria-hidden />
      </div>
    </>
  )
}

/** A multiple of what one character can take in UTF-8, so that a line that is whole is not said to be cut. */
const textOf = ({ text, bytes }: LogLine): string =>
  bytes > 4_096 ? `${visibleText(text)}… (${bytesText(bytes)})` : visibleText(text)
