import { useId, useState, type ReactNode } from 'react'
import type { ValueSource } from '@shared/contract/orchestration'
import type { NumberFact, TextFact } from '@shared/contract/runDetails'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { InertMarkdown } from '../../../widgets/InertMarkdown'
import { visibleText } from '../../../widgets/visibleText'
import { Source } from '../Source'

export interface PanelProps<Details> {
  readonly project: number
  readonly details: Details
  readonly version: number
}

interface SectionProps {
  readonly title: string
  readonly count?: number
  readonly none?: string
  readonly children?: ReactNode
}

export function Section({ title, count, none, children }: SectionProps) {
  const id = useId()
  return (
    <section className="details-section" aria-labelledby={id}>
      <h3 id={id}>
        {title} {count === undefined ? null : <span className="muted">{count}</span>}
      </h3>
      {count === 0 && none !== undefined ? <p className="muted">{none}</p> : children}
    </section>
  )
}

export const Table = ({ heads, children }: { readonly heads: readonly string[]; readonly children: ReactNode }) => (
  <table className="details-table">
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

interface FactProps {
  readonly project: number
  readonly title: string
  readonly fact: {
    readonly value: string | number | boolean | null
    readonly source: ValueSource | null
    readonly written?: string | undefined
  }
  readonly say?: (value: string | number | boolean) => string
}

export function FactLine({ project, title, fact: { value, source, written }, say = String }: FactProps) {
  if (source === null && value === null) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {value === null ? (
          <span className="muted">unknown{written === undefined ? '' : `, in the file: ${visibleText(written)}`}</span>
        ) : (
          visibleText(say(value))
        )}{' '}
        <Source project={project} source={source} />
      </dd>
    </div>
  )
}

export const Facts = ({ children }: { readonly children: ReactNode }) => (
  <dl className="projects-facts details-facts">{children}</dl>
)

/** `2026-11-17 09:12:40`, local time. */
export function timeText(time: string | number | boolean): string {
  const date = new Date(Number(time))
  if (Number.isNaN(date.getTime())) return 'unknown'
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** `1 h 02 min`, `3 min 05 s`, `12 s`, `480 ms`. */
export function lengthText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))} ms`
  const seconds = Math.round(milliseconds / 1_000)
  const two = (number: number) => String(number).padStart(2, '0')
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
  return `${Math.floor(seconds / 3_600)} h ${two(Math.floor((seconds % 3_600) / 60))} min`
}

export function TextList({
  project,
  title,
  facts,
}: {
  readonly project: number
  readonly title: string
  readonly facts: readonly TextFact[]
}) {
  if (facts.length === 0) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <ul className="details-texts">
          {facts.map(({ value, source }, at) => (
            <li key={at}>
              {value === null ? <span className="muted">unknown</span> : visibleText(value)}{' '}
              <Source project={project} source={source} />
            </li>
          ))}
        </ul>
      </dd>
    </div>
  )
}

export const numberText = ({ value }: NumberFact): string =>
  value === null ? 'unknown' : value.toLocaleString('en', { maximumFractionDigits: 4 })

interface EntryProps {
  readonly project: number
  readonly summary: ReactNode
  readonly source: ValueSource | null
  readonly open?: boolean
  readonly onToggle?: (isOpen: boolean) => void
  readonly children: ReactNode
}

export const Entry = ({ project, summary, source, open, onToggle, children }: EntryProps) => (
  <div className="details-entry">
    <details open={open} onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary>{summary}</summary>
      {children}
    </details>
    {source === null ? null : <Source project={project} source={source} />}
  </div>
)

interface FileTextProps {
  readonly project: number
  readonly file: string
  readonly version: number
  readonly title: string
  readonly isMarkdown: boolean
}

export function FileText({ project, file, version, title, isMarkdown }: FileTextProps) {
  const [isOpen, setOpen] = useState(false)
  const { data, failure } = useAnswer(
    `${project} ${file}`,
    isOpen,
    (signal) => call('projects.file', { project, file, line: 1 }, { signal }),
    version,
  )
  return (
    <Entry project={project} summary={visibleText(title)} source={{ file, line: 1 }} onToggle={setOpen}>
      {failure === null ? null : <p className="problem">{visibleText(failure.message)}</p>}
      {data === null ? null : isMarkdown ? (
        <InertMarkdown text={data.text} />
      ) : (
        <pre className="projects-text">{visibleText(data.text)}</pre>
      )}
    </Entry>
  )
}
