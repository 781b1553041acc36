import { useEffect, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { formatAddress, formatByte, parseAddress } from '@shared/c64/address'
import type { Output } from '@shared/contract/contract'
import type { Space } from '@shared/contract/memory'
import { call } from '../../app/client'
import { wordsOf } from '../../app/messages'
import { Button } from '../../widgets/Button'
import { pan, zoom, type Span } from './span'

/** Steps that are asked for: more than a chart is wide cannot be told apart. */
const POINTS = 800
/** A drag over less of the chart is a click. */
const SHORTEST_DRAG = 0.01

const WIDTH = 1000
const HEIGHT = 256

interface Recorded {
  readonly whole: Span
  readonly segments: readonly { readonly space: Space; readonly address: number; readonly length: number }[]
}

type Values = Output<'recorder.values'>

/** How one address changed over the time that a task recorded it, with zoom. */
export function ValuesChart({ id, reading }: { readonly id: string; readonly reading: number }) {
  const [recorded, setRecorded] = useState<Recorded | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [shown, setShown] = useState<Span | null>(null)
  const [values, setValues] = useState<Values | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    const abort = new AbortController()
    readRecorded(id, abort.signal).then(
      (found) => setRecorded(found),
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(wordsOf(error))
      },
    )
    return () => abort.abort()
  }, [id, reading])

  const address = addressOf(typed ?? formatAddress(recorded?.segments[0]?.address ?? 0))
  const segment = address === null ? undefined : recorded?.segments.find((one) => address >= one.address && address < one.address + one.length)
  const span = shown ?? recorded?.whole
  const space = segment?.space
  const { from, to } = span ?? {}

  useEffect(() => {
    if (address === null || space === undefined || from === undefined || to === undefined) return undefined
    const abort = new AbortController()
    call('recorder.values', { recording: id, space, address, from, to, points: POINTS }, { signal: abort.signal }).then(
      (found) => {
        setValues(found)
        setProblem(null)
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(wordsOf(error))
      },
    )
    return () => abort.abort()
  }, [id, space, address, from, to])

  if (recorded === null || span === undefined) return problem === null ? null : <p className="problem">{problem}</p>
  const { whole } = recorded
  return (
    <section aria-label="Values over time">
      <h3>Values over time</h3>
      <div className="task-buttons">
        <label>
          Address{' '}
          <input
            className="field data"
            size={8}
            spellCheck={false}
            value={typed ?? formatAddress(recorded.segments[0]?.address ?? 0)}
            aria-invalid={segment === undefined}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <Button label="Closer" shortcut="+" onClick={() => setShown(zoom(span, whole, 0.5, 0.5))} />
        <Button label="Farther" shortcut="-" onClick={() => setShown(zoom(span, whole, 2, 0.5))} />
        <Button label="All" shortcut="0" onClick={() => setShown(null)} />
      </div>
      {segment === undefined ? (
        <p className="muted">Recorded are {recorded.segments.map(({ address: first, length }) => `${formatAddress(first)} (${length} bytes)`).join(', ')}.</p>
      ) : values === null ? null : (
        <Chart label={`Values of ${formatAddress(address ?? 0)}`} values={values} span={span} onSpan={setShown} whole={whole} />
      )}
      {problem === null ? null : <p className="problem">{problem}</p>}
    </section>
  )
}

function addressOf(text: string): number | null {
  try {
    return parseAddress(text)
  } catch {
    return null
  }
}

/** @throws AppError where nothing can be read of it */
async function readRecorded(id: string, signal: AbortSignal): Promise<Recorded | null> {
  const { from, to, spaces } = await call('recorder.info', { recording: id }, { signal })
  if (from === null || to === null) return null
  const { segments } = await call('recorder.imageAt', { recording: id, time: to, spaces, picture: false }, { signal })
  return { whole: { from, to }, segments: segments.map(({ space, address, bytes }) => ({ space, address, length: bytes.length })) }
}

interface ChartProps {
  readonly label: string
  readonly values: Values
  readonly span: Span
  readonly whole: Span
  readonly onSpan: (span: Span | null) => void
}

function Chart({ label, values: { points, exact }, span, whole, onSpan }: ChartProps) {
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number } | null>(null)
  const x = (time: number): number => ((time - span.from) / Math.max(span.to - span.from, 1)) * WIDTH
  const y = (value: number): number => HEIGHT - 1 - value
  const line = points.map(({ time, value }, index) => `${index === 0 ? 'M' : 'H'}${x(Math.max(time, span.from)).toFixed(1)}${index === 0 ? ` ${y(value)}` : `V${y(value)}`}`).join('')
  const band = exact ? '' : points.map(({ time, low, high }) => `M${x(time).toFixed(1)} ${y(low)}V${y(high)}`).join('')
  const at = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / width))
  }
  const last = points.at(-1)

  const onKeyDown = (event: KeyboardEvent) => {
    const next = { '+': zoom(span, whole, 0.5, 0.5), '-': zoom(span, whole, 2, 0.5), ArrowLeft: pan(span, whole, -0.25), ArrowRight: pan(span, whole, 0.25), '0': null }[event.key]
    if (next === undefined) return
    event.preventDefault()
    onSpan(next)
  }

  return (
    <figure className="task-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${last === undefined ? 'none' : `${stepsOf(points)}, the last ${formatByte(last.value)}`}. Plus and minus zoom, arrows move, 0 shows all.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onDoubleClick={() => onSpan(null)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ start: at(event), end: at(event) })
        }}
        onPointerMove={(event) => setDrag((now) => (now === null ? null : { ...now, end: at(event) }))}
        onPointerUp={() => {
          if (drag !== null && Math.abs(drag.end - drag.start) > SHORTEST_DRAG) {
            const [first, second] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)]
            // The middle of what was marked becomes the middle of what is shown.
            const length = span.to - span.from
            onSpan(zoom({ from: span.from + length * first, to: span.from + length * second }, whole, 1, 0.5))
          }
          setDrag(null)
        }}
      >
        {[0x40, 0x80, 0xc0].map((value) => (
          <line key={value} className="task-chart-grid" x1={0} x2={WIDTH} y1={y(value)} y2={y(value)} />
        ))}
        <path className="task-chart-band" d={band} />
        <path className="task-chart-line" d={last === undefined ? '' : `${line}H${WIDTH}`} />
        {drag === null ? null : (
          <rect className="task-chart-drag" x={Math.min(drag.start, drag.end) * WIDTH} width={Math.abs(drag.end - drag.start) * WIDTH} y={0} height={HEIGHT} />
        )}
      </svg>
      <figcaption className="data muted">
        <span>{clock(span.from)}</span>
        <span>{exact ? stepsOf(points) : 'lowest to highest'}, $00 to $FF</span>
        <span>{clock(span.to)}</span>
      </figcaption>
    </figure>
  )
}

const stepsOf = (points: readonly unknown[]): string => (points.length === 1 ? '1 step' : `${points.length} steps`)

const clock = (time: number): string => {
  const date = new Date(time)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
