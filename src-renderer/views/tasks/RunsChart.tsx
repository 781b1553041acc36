import { useMemo, useState } from 'react'
import { describeFailure } from '@shared/contract/errors'
import type { Artifact, Task } from '@shared/contract/tasks'
import { call } from '../../client/call'
import { useAnswer } from '../../client/useAnswer'
import { useChosen } from '../../client/chosen'
import { gapsBetween } from '../../widgets/byteChart/chartPoints'
import { formatValue } from '../../widgets/byteChart/valueFormat'
import { parseRuns, pointsOf, seriesOf } from './runValues'
import { SpanButtons } from './SpanButtons'
import { TaskChart } from './TaskChart'
import { useSpans } from './useSpans'

const RUNS_FILE = 'artifacts/runs.ndjson'

/** Bytes read from the end of the file: more runs than a chart can tell apart. */
const SHOWN_BYTES = 512 * 1024

interface RunsChartProps {
  readonly task: Task
  readonly artifacts: readonly Artifact[]
  readonly reading: number
}

export function RunsChart({ task: { id, startedAt, iterations, intervalMs }, artifacts, reading }: RunsChartProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [offset, setOffset] = useState(0)
  const [format] = useChosen('tasks.valuesAs')
  const size = artifacts.find(({ artifact }) => artifact === RUNS_FILE)?.size
  const { data: text, failure } = useAnswer(
    id,
    size !== undefined,
    (signal) => readEnd(id, Math.max(0, (size ?? 0) - SHOWN_BYTES), signal),
    reading,
  )
  const runs = useMemo(() => parseRuns(text ?? '', startedAt ?? 0), [text, startedAt])
  const all = useMemo(() => seriesOf(runs), [runs])
  const series = all.find(({ name }) => name === chosen) ?? all[0]
  const byte = Math.min(offset, (series?.length ?? 1) - 1)
  const values = useMemo(() => {
    const points = series === undefined ? [] : pointsOf(runs, series, byte)
    return {
      points: points.map(({ time, value }) => ({ time, value, low: value, high: value })),
      damages: [],
      gaps: gapsBetween(
        runs.map(({ time }) => time),
        intervalMs ?? Infinity,
      ),
      exact: true,
    }
  }, [runs, series, byte, intervalMs])

  const [first, last] = [values.points[0], values.points.at(-1)]
  const spans = useSpans({ from: first?.time ?? 0, to: last?.time ?? 0 })
  if (failure !== null) return <p className="problem">{describeFailure(failure)}</p>
  if (series === undefined || first === undefined || last === undefined) return null
  return (
    <section aria-label="Values of the runs">
      <h3>Values of the runs</h3>
      <div className="task-buttons">
        {all.length < 2 ? null : (
          <label>
            Value{' '}
            <select className="field" value={series.name} onChange={({ target }) => setChosen(target.value)}>
              {all.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {series.length < 2 ? null : (
          <label>
            Byte{' '}
            <input
              className="field data"
              type="number"
              min={0}
              max={series.length - 1}
              value={byte}
              onChange={({ target }) => setOffset(Math.max(0, Math.floor(Number(target.value)) || 0))}
            />
          </label>
        )}
        <SpanButtons spans={spans} isBytes={series.kind === 'bytes'} />
      </div>
      <TaskChart
        label={`${series.name === '' ? 'Value' : series.name}${series.length < 2 ? '' : `, byte ${byte}`}`}
        values={values}
        scale={series.kind === 'bytes' ? 'byte' : 'number'}
        spans={spans}
      />
      <p className="muted">
        {iterations !== null && runs.length < iterations
          ? `The last ${runs.length} of ${iterations} runs; the others are in artifacts, if they are kept.`
          : `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`}
        {series.kind === 'bytes' ? `, the last ${formatValue(last.value, format)}` : ''}
      </p>
    </section>
  )
}

async function readEnd(id: string, from: number, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let offset = from; ;) {
    const { bytes, size } = await call('tasks.artifact', { id, artifact: RUNS_FILE, offset }, { signal })
    text += decoder.decode(bytes, { stream: true })
    offset += bytes.length
    if (bytes.length === 0 || offset >= size || offset >= from + 2 * SHOWN_BYTES) return text
  }
}
