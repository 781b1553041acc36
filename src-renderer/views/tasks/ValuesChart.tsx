import { useId, useState } from 'react'
import { describeFailure } from '@shared/contract/errors'
import { formatAddress, parseTypedAddress } from '@shared/c64/address'
import type { Space } from '@shared/contract/memory'
import { openByteMenu } from '../../client/byteMenu'
import { call } from '../../client/call'
import { Button } from '../../widgets/Button'
import { understoodAddress } from '../../widgets/typedAddress'
import { Understood } from '../../widgets/Understood'
import { useAnswer } from '../../client/useAnswer'
import { zoom, type Span } from './span'
import { TaskChart } from './TaskChart'

/** Steps that are asked for: more than a chart is wide cannot be distinguished. */
const CHART_POINTS = 800

interface Recorded {
  readonly whole: Span
  readonly segments: readonly { readonly space: Space; readonly address: number; readonly length: number }[]
}

interface ValuesChartProps {
  readonly id: string
  /** Counts the readings of the task. */
  readonly reading: number
  /** Whether the task has changed since. */
  readonly isBehind: boolean
}

/** How one address changed over the time that a task recorded it, with zoom. Busy until all that was recorded is shown. */
export function ValuesChart({ id, reading, isBehind }: ValuesChartProps) {
  const noteId = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [shown, setShown] = useState<Span | null>(null)
  const recording = useAnswer(id, true, (signal) => readRecorded(id, signal), reading)
  const recorded = recording.data

  const address = addressOf(typed ?? formatAddress(recorded?.segments[0]?.address ?? 0))
  const segment =
    address === null
      ? undefined
      : recorded?.segments.find((one) => address >= one.address && address < one.address + one.length)
  const span = shown ?? recorded?.whole
  const space = segment?.space
  const { from, to } = span ?? {}

  const known =
    address !== null && space !== undefined && from !== undefined && to !== undefined
      ? { space, address, from, to }
      : null
  const chart = useAnswer(
    `${id} ${space} ${address}`,
    known !== null,
    async (signal) =>
      known === null ? null : call('recorder.values', { recording: id, ...known, points: CHART_POINTS }, { signal }),
    `${from} ${to}`,
  )
  const { data: values } = chart
  const wrong = chart.failure ?? recording.failure
  const problem = wrong === null ? null : describeFailure(wrong)

  if (recorded === null || span === undefined) return problem === null ? null : <p className="problem">{problem}</p>
  const { whole } = recorded
  return (
    <section
      aria-label="Values over time"
      aria-busy={isBehind || recording.isBehind || (known !== null && chart.isBehind)}
    >
      <h3>Values over time</h3>
      <div className="task-buttons">
        <span className="with-note">
          <label>
            Address{' '}
            <input
              className="field data"
              size={8}
              spellCheck={false}
              value={typed ?? formatAddress(recorded.segments[0]?.address ?? 0)}
              aria-invalid={segment === undefined}
              aria-describedby={noteId}
              onChange={({ target }) => setTyped(target.value)}
            />
          </label>
          <Understood id={noteId} text={typed === null ? '' : understoodAddress(typed)} />
        </span>
        <Button label="Closer" shortcut="+" onClick={() => setShown(zoom(span, whole, 0.5, 0.5))} />
        <Button label="Farther" shortcut="-" onClick={() => setShown(zoom(span, whole, 2, 0.5))} />
        <Button label="All" shortcut="0" onClick={() => setShown(null)} />
      </div>
      {segment === undefined ? (
        <p className="muted">
          Recorded:{' '}
          {recorded.segments
            .map(({ address: first, length }) => `${formatAddress(first)} (${length} bytes)`)
            .join(', ')}
          .
        </p>
      ) : values === null ? null : (
        <div onContextMenu={(event) => openByteMenu(event, { address: address ?? 0, space: segment.space })}>
          <TaskChart
            label={`Values of ${formatAddress(address ?? 0)}`}
            values={values}
            span={span}
            onSpan={setShown}
            whole={whole}
          />
        </div>
      )}
      {problem === null ? null : <p className="problem">{problem}</p>}
    </section>
  )
}

function addressOf(text: string): number | null {
  try {
    return parseTypedAddress(text)
  } catch {
    return null
  }
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
