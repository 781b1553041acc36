import { useState, type KeyboardEvent } from 'react'
import type { Output } from '@shared/contract/contract'
import { useChosen } from '../../client/chosen'
import { ByteChart } from '../../widgets/byteChart/ByteChart'
import { formatValue } from '../../widgets/byteChart/valueFormat'
import { preciseTime } from '../../widgets/times'
import { crop, pan, zoom } from './span'
import type { Spans } from './useSpans'

type Values = Pick<Output<'recorder.values'>, 'points' | 'damages' | 'gaps' | 'exact'>

interface TaskChartProps {
  readonly label: string
  readonly values: Values
  readonly spans: Spans
  readonly scale?: 'byte' | 'number'
}

const CROP_SHARE = 0.1

export function TaskChart({ label, values, spans, scale = 'byte' }: TaskChartProps) {
  const [format] = useChosen('tasks.valuesAs')
  const { points, exact, gaps } = values
  const { span, whole, show, back, canGoBack, zoomBy } = spans
  const last = points.at(-1)
  const textOf = (value: number) => (scale === 'number' ? String(value) : formatValue(value, format))

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event
    if (key === '+') zoomBy(0.5)
    else if (key === '-') zoomBy(2)
    else if (key === 'ArrowRight') show(shiftKey ? crop(span, whole, 'from', CROP_SHARE) : pan(span, whole, 0.25))
    else if (key === 'ArrowLeft') show(shiftKey ? crop(span, whole, 'to', CROP_SHARE) : pan(span, whole, -0.25))
    else if (key === '0') show(null)
    else if (key === 'Escape' && canGoBack) back()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <figure className="task-chart">
      <div className="task-chart-title muted">{label}</div>
      <div
        role="img"
        aria-label={`${label}: ${last === undefined ? 'none' : `${stepsOf(points)}, the last ${textOf(last.value)}`}${gaps.length === 0 ? '' : `, gaps: ${gaps.length}`}. Plus and minus zoom, arrows move, with Shift they take time away at one end, Escape goes back, 0 shows all.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onDoubleClick={() => show(null)}
      >
        <ByteChart
          values={values}
          span={span}
          height={160}
          scale={scale}
          format={format}
          onStretch={(stretch) => show(zoom(stretch, whole, 1, 0.5))}
        />
      </div>
      <figcaption className="data muted">
        <span>{preciseTime(span.from)}</span>
        <span>
          {exact ? stepsOf(points) : 'lowest to highest'}
          {gaps.length === 0 ? '' : gaps.length === 1 ? ', 1 gap' : `, ${gaps.length} gaps`}
        </span>
        <span>{preciseTime(span.to)}</span>
      </figcaption>
      <ValueTable label={label} values={values} span={span} textOf={textOf} />
    </figure>
  )
}

interface ValueTableProps extends Pick<TaskChartProps, 'label' | 'values'> {
  readonly span: Spans['span']
  readonly textOf: (value: number) => string
}

const MAX_ROWS = 500

function ValueTable({ label, values: { points }, span, textOf }: ValueTableProps) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? points.filter(({ time }) => time >= span.from && time <= span.to) : []
  return (
    <details className="task-values" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Table</summary>
      <div className="task-values-rows" tabIndex={0} role="group" aria-label={`Table, ${label}`}>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, MAX_ROWS).map(({ time, value, low, high }) => (
              <tr key={time}>
                <td>{preciseTime(time)}</td>
                <td>{low === high ? textOf(value) : `${textOf(low)} to ${textOf(high)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length > MAX_ROWS ? (
          <p className="muted">
            The first {MAX_ROWS} of {shown.length}. Zoom in to see the others.
          </p>
        ) : null}
      </div>
    </details>
  )
}

const stepsOf = (points: readonly unknown[]): string => (points.length === 1 ? '1 step' : `${points.length} steps`)
