import type { KeyboardEvent } from 'react'
import { formatByte } from '@shared/c64/address'
import type { Output } from '@shared/contract/contract'
import { ByteChart } from '../../widgets/byteChart/ByteChart'
import { preciseTime } from '../../widgets/times'
import { pan, zoom, type Span } from './span'

interface TaskChartProps {
  readonly label: string
  readonly values: Pick<Output<'recorder.values'>, 'points' | 'damages' | 'gaps' | 'exact'>
  readonly span: Span
  readonly whole: Span
  readonly scale?: 'byte' | 'number'
  readonly onSpan: (span: Span | null) => void
}

/** Values over time, with zoom. */
export function TaskChart({ label, values, span, whole, scale = 'byte', onSpan }: TaskChartProps) {
  const { points, exact, gaps } = values
  const last = points.at(-1)

  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      '+': zoom(span, whole, 0.5, 0.5),
      '-': zoom(span, whole, 2, 0.5),
      ArrowLeft: pan(span, whole, -0.25),
      ArrowRight: pan(span, whole, 0.25),
      '0': null,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    onSpan(next)
  }

  return (
    <figure className="task-chart">
      <div
        role="img"
        aria-label={`${label}: ${last === undefined ? 'none' : `${stepsOf(points)}, the last ${scale === 'byte' ? formatByte(last.value) : last.value}`}${gaps.length === 0 ? '' : `, gaps: ${gaps.length}`}. Plus and minus zoom, arrows move, 0 shows all.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onDoubleClick={() => onSpan(null)}
      >
        {/* The middle of what was marked becomes the middle of what is shown. */}
        <ByteChart
          values={values}
          span={span}
          height={160}
          scale={scale}
          onStretch={(stretch) => onSpan(zoom(stretch, whole, 1, 0.5))}
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
    </figure>
  )
}

const stepsOf = (points: readonly unknown[]): string => (points.length === 1 ? '1 step' : `${points.length} steps`)
