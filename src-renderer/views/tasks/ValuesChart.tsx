import { History } from 'lucide-react'
import { useId, useState } from 'react'
import { describeFailure } from '@shared/contract/errors'
import { formatAddress } from '@shared/c64/address'
import { listNames } from '@shared/listNames'
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
import type { Span } from './span'
import { SpanButtons } from './SpanButtons'
import { TaskChart } from './TaskChart'
import { useSpans, type Spans } from './useSpans'

/** More steps cannot be told apart at the width of a chart. */
const CHART_POINTS = 800

const MAX_CHARTS = 8

interface Recorded {
  readonly whole: Span
  readonly segments: readonly RecordedSegment[]
}

interface ValuesChartProps {
  readonly id: string
  readonly own: boolean
  readonly reading: number
  readonly isBehind: boolean
}

export function ValuesChart({ id, own, reading, isBehind }: ValuesChartProps) {
  const noteId = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const recording = useAnswer(id, true, (signal) => readRecorded(id, signal), reading)
  const recorded = recording.data
  const problem = recording.failure === null ? null : describeFailure(recording.failure)
  const spans = useSpans(recorded?.whole ?? { from: 0, to: 0 })
  if (recorded === null) return problem === null ? null : <p className="problem">{problem}</p>

  const { segments } = recorded
  const { span } = spans
  const text = typed ?? sampledText(segments, MAX_CHARTS)
  const cells = cellsOf(text, segments)
  const plotted = cells?.slice(0, MAX_CHARTS) ?? []
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
        <SpanButtons spans={spans} isBytes />
        {own && plotted.length > 0 ? (
          <Button
            label={plotted.length === 1 ? 'Show this in Timeline' : 'Show these in Timeline'}
            icon={History}
            tip={`The Timeline at ${preciseTime(span.from)}, with ${listNames(plotted.map(({ address }) => formatAddress(address)))}`}
            onClick={() => attempt(() => showRecordingAt(id, plotted, span))}
          />
        ) : null}
      </div>
      {cells === null ? (
        <p className="muted">
          Recorded:{' '}
          {segments.map(({ address: first, length }) => `${formatAddress(first)} (${length} bytes)`).join(', ')}.
        </p>
      ) : (
        plotted.map((cell) => <AddressChart key={`${cell.space} ${cell.address}`} id={id} cell={cell} spans={spans} />)
      )}
      {problem === null ? null : <p className="problem">{problem}</p>}
    </section>
  )
}

interface AddressChartProps {
  readonly id: string
  readonly cell: RecordedCell
  readonly spans: Spans
}

function AddressChart({ id, cell, spans }: AddressChartProps) {
  const { space, address } = cell
  const { from, to } = spans.span
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
      <TaskChart label={`Values of ${formatAddress(address)}`} values={values} spans={spans} />
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
