import { useState } from 'react'
import type { Run } from '@shared/contract/orchestration'
import type { FileDifference, Moment } from '@shared/contract/projectHistory'
import { call } from '../../client/call'
import { useAnswer } from '../../client/useAnswer'
import { Button } from '../../widgets/Button'
import { visibleText } from '../../widgets/visibleText'
import { showSource, showTime, useProjects } from './store'
import { dayAndTime } from '../../widgets/times'

export function History({ project, run }: { readonly project: number; readonly run: Run }) {
  const at = useProjects((state) => state.at)
  const moments = useMoments(project, run)
  const [base, setBase] = useState<number | null>(null)
  if (moments.length < 2) return null
  const last = moments.length - 1
  const found = at === null ? -1 : moments.findIndex(({ time }) => time === at)
  const index = found < 0 ? last : found
  const moment = moments[index]
  const go = (to: number) => showTime(to >= last ? null : (moments[to]?.time ?? null))
  return (
    <section className="projects-history" aria-label="History">
      <div className="projects-scrubber">
        <label>
          <span>History</span>
          <input
            type="range"
            min={0}
            max={last}
            value={index}
            list="projects-moments"
            aria-valuetext={at === null ? 'now' : moment && momentText(moment)}
            onChange={({ target }) => go(Number(target.value))}
          />
        </label>
        <datalist id="projects-moments">
          {moments.length > 200 ? null : moments.map(({ time }, value) => <option key={time} value={value} />)}
        </datalist>
        <span className="muted">{at === null || !moment ? `now; ${moments.length} moments` : momentText(moment)}</span>
        {at === null ? null : <Button label="Live" onClick={() => showTime(null)} />}
        <Button
          label={base === null ? 'Compare from here' : 'End comparing'}
          onClick={() => setBase(base === null ? (moment?.time ?? null) : null)}
        />
      </div>
      {at === null ? null : (
        <p className="projects-past" role="status">
          As it was at {dayAndTime(at)}; read-only. What Bridgedeck keeps beside the files shows its present state.
        </p>
      )}
      {base === null ? null : <Comparison project={project} run={run} base={base} at={at} />}
    </section>
  )
}

const nothing: readonly Moment[] = []

function useMoments(project: number, { key, revision }: Run): readonly Moment[] {
  const { data } = useAnswer(
    `${project} ${key}`,
    true,
    (signal) => call('projects.moments', { project, run: key }, { signal }),
    revision,
  )
  return data?.moments ?? nothing
}

const momentText = ({ time, files, changes, writer }: Moment): string =>
  `${dayAndTime(time)}: ${changes} change${changes === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}${writer === null ? '' : `, by ${visibleText(writer)}`}`

interface ComparisonProps {
  readonly project: number
  readonly run: Run
  readonly base: number
  /** Null means the present. */
  readonly at: number | null
}

function Comparison({ project, run: { key, revision }, base, at }: ComparisonProps) {
  const [from, to] = at !== null && at < base ? [at, base] : [base, at]
  const { data: read, failure } = useAnswer(
    `${project} ${key} ${from} ${to ?? 'now'}`,
    true,
    (signal) => call('projects.compare', { project, run: key, from, ...(to === null ? {} : { to }) }, { signal }),
    revision,
  )
  if (failure !== null) return <p className="problem">{failure.message}</p>
  return (
    <section className="projects-comparison" aria-label="Comparison" tabIndex={0}>
      <h3>
        From {dayAndTime(from)} to {to === null ? 'now' : dayAndTime(to)}
      </h3>
      {read === null ? (
        <p className="muted">Comparing…</p>
      ) : read.files.length === 0 ? (
        <p className="muted">No differences. Move the slider to another moment.</p>
      ) : null}
      {read?.files.map((difference) => (
        <Difference key={difference.file} project={project} difference={difference} />
      ))}
      {read && read.more > 0 ? <p className="muted">And {read.more} more files.</p> : null}
    </section>
  )
}

const changes: Readonly<Record<FileDifference['change'], string>> = {
  added: 'came',
  removed: 'went',
  changed: 'changed',
}

function Difference({
  project,
  difference: { file, change, kept, fields, hunks, cut },
}: {
  readonly project: number
  readonly difference: FileDifference
}) {
  return (
    <article>
      <p>
        <button
          type="button"
          className="source data"
          onClick={() => showSource(project, { file, line: Math.max(1, hunks[0]?.to ?? 1) })}
        >
          {visibleText(file)}
        </button>{' '}
        <span className="muted">{kept ? changes[change] : `${changes[change]}; its content was not kept`}</span>
      </p>
      {fields.length === 0 ? null : (
        <ul className="projects-fields">
          {fields.map(({ field, from, to }, index) => (
            <li key={index}>
              <span className="data">{visibleText(field ?? '')}</span>:{' '}
              <del>{from === null ? 'nothing' : visibleText(from)}</del> →{' '}
              <ins>{to === null ? 'nothing' : visibleText(to)}</ins>
            </li>
          ))}
        </ul>
      )}
      {hunks.map((hunk, index) => (
        <pre key={index} className="projects-hunk data">
          {hunk.lines.map((line, number) => (
            <span key={number} className={line.startsWith('+') ? 'put' : line.startsWith('-') ? 'taken' : undefined}>
              {visibleText(line)}
              {'\n'}
            </span>
          ))}
        </pre>
      ))}
      {cut ? <p className="muted">More lines differ.</p> : null}
    </article>
  )
}
