import { History } from 'lucide-react'
import { useId, useState } from 'react'
import { describeFailure } from '@shared/contract/errors'
import { formatAddress } from '@shared/c64/address'
import { openByteMenu } from '../../client/byteMenu'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { showRecordingAt } from '../../frames/timeline'
import { Button } from '../../widgets/Button'
import { understoodAddress } from '../../widgets/typedAddress'
import { Understood } from '../../widgets/Understood'
import { useAnswer } from '../../client/useAnswer'
import { preciseTime } from '../../widgets/times'
import { cellsOf, sampledText, type RecordedCell, type RecordedSegment } from './recordedCells'
import { zoom, type Span } from './span'
import { TaskChart } from './TaskChart'

/** Steps that are asked for: more than a chart is wide cannot be distinguished. */
const CHART_POINTS = 800

/** Charts below each other. */
const MAX_CHARTS = 8

interface Recorded {
  readonly whole: Span
  readonly segments: readonly RecordedSegment[]
}

interface ValuesChartProps {
  readonly id: string
  /** Whether the Timeline has it. */
  readonly own: boolean
  /** Counts the readings of the task. */
  readonly reading: number
  /** Whether the task has changed since. */
  readonly isBehind: boolean
}

/** How what a task recorded changed over time, a chart for each address, with zoom. Busy until all that was recorded is shown. */
export function ValuesChart({ id, own, reading, isBehind }: ValuesChartProps) {
  const noteId = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [shown, setShown] = useState<Span | null>(null)
  const recording = useAnswer(id, true, (signal) => readRecorded(id, signal), reading)
  const recorded = recording.data
  const problem = recording.failure === null ? null : describeFailure(recording.failure)
  if (recorded === null) return problem === null ? null : <p className="problem">{problem}</p>

  const { whole, segments } = recorded
  const span = shown ?? whole
  const text = typed ?? sampledText(segments, MAX_CHARTS)
  const cells = cellsOf(text, segments)
  const first = cells?.[0]
  return (
    <section aria-label="Values over time" aria-busy={isBehind || recording.isBehind}>
      <h3>Values over time</h3>
      <div className="task-buttons">
        <span className="with-note">
          <label>
            Addresses{' '}
            <input
              className="field data"
              size={Math.min(32, Math.max(8, text.length))}
              spellCheck={false}
              value={text}
              aria-invalid={cells === null}
              aria-describedby={noteId}
              onChange={({ target }) => setTyped(target.value)}
            />
          </label>
          <Understood id={noteId} text={typed === null || /[\s,]/.test(typed) ? '' : understoodAddress(typed)} />
        </span>
        <Button label="Closer" shortcut="+" onClick={() => setShown(zoom(span, whole, 0.5, 0.5))} />
        <Button label="Farther" shortcut="-" onClick={() => setShown(zoom(span, whole, 2, 0.5))} />
        <Button label="All" shortcut="0" onClick={() => setShown(null)} />
        {own && first ? (
          <Button
            label="Show this in Timeline"
            icon={History}
            tip={`The Timeline at ${preciseTime(span.from)}, with ${formatAddress(first.address)}`}
            onClick={() => attempt(() => showRecordingAt(id, first, span))}
          />
        ) : null}
      </div>
      {cells === null ? (
        <p className="muted">
          Recorded:{' '}
          {segments.map(({ address: first, length }) => `${formatAddress(first)} (${length} bytes)`).join(', ')}.
        </p>
      ) : (
        cells
          .slice(0, MAX_CHARTS)
          .map((cell) => (
            <AddressChart
              key={`${cell.space} ${cell.address}`}
              id={id}
              cell={cell}
              span={span}
              whole={whole}
              onSpan={setShown}
            />
          ))
      )}
      {problem === null ? null : <p className="problem">{problem}</p>}
    </section>
  )
}

interface AddressChartProps {
  readonly id: string
  readonly cell: RecordedCell
  readonly span: Span
  readonly whole: Span
  readonly onSpan: (span: Span | null) => void
}

function AddressChart({ id, cell, span, whole, onSpan }: AddressChartProps) {
  const { space, address } = cell
  const { from, to } = span
  const {
    data: values,
    failure,
    isBehind,
  } = useAnswer(
    `${id} ${space} ${address}`,
    true,
    (signal) => call('recorder.values', { recording: id, space, address, from, to, points: CHART_POINTS }, { signal }),
    `${from} ${to}`,
  )
  if (values === null) return failure === null ? null : <p className="problem">{describeFailure(failure)}</p>
  return (
    <div aria-busy={isBehind} onContextMenu={(event) => openByteMenu(event, { address, space })}>
      <TaskChart
        label={`Values of ${formatAddress(address)}`}
        values={values}
        span={span}
        onSpan={onSpan}
        whole={whole}
      />
      {failure === null ? null : <p className="problem">{describeFailure(failure)}</p>}
    </div>
  )
}

/** @throws AppError where nothing can be read of it */
async function readRecorded(id: string, signal: AbortSignal): Promise<Recorded | null> {
  const { from, to, spaces } = await call('recorder.info', { recording: id }, { signal })
  if (from === null || to === null) return null
  const { segments } = await call('recorder.imageAt', { recording: id, time: to, spaces, picture: false }, { signal })
  return {
    whole: { from, to },
    segments: segments.map(({ space, address, bytes }) => ({ space, address, length: bytes.length })),
  }
}
