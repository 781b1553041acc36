import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { toFailure } from '@shared/contract/errors'
import type { JournalEntry } from '@shared/contract/orchestration'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { visibleText } from '../../widgets/visibleText'
import { journalRows } from './journalRows'
import { agoText, runTitle } from './labels'
import { LinkedText } from './links/LinkedText'
import { FileLink } from './Source'
import { placeOf, showSource, useProjects } from './store'

interface JournalProps {
  readonly project: number
  /** Null for the whole project. */
  readonly run: string | null
  readonly version: unknown
  readonly now: number
}

interface Pages {
  readonly entries: readonly JournalEntry[]
  readonly next: number | null
}

export function Journal({ project, run, version, now }: JournalProps) {
  const [pages, setPages] = useState<Pages | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    let ended = false
    call('projects.journal', { project, run, before: null }).then(
      (first) => {
        if (ended) return
        setProblem(null)
        // Older pages that were read stay; entries are never changed.
        setPages((known) => {
          const oldest = first.entries.at(-1)?.entry ?? 0
          const older = known?.entries.filter(({ entry }) => entry < oldest) ?? []
          const adjoins = known === null || first.next === null || known.entries.some(({ entry }) => entry >= oldest)
          return adjoins && older.length > 0
            ? { entries: [...first.entries, ...older], next: known?.next ?? null }
            : first
        })
      },
      (error: unknown) => {
        if (!ended) setProblem(toFailure(error).message)
      },
    )
    return () => {
      ended = true
    }
  }, [project, run, version])

  const readOlder = useCallback(() => {
    attempt(async () => {
      if (pages === null || pages.next === null) return
      const older = await call('projects.journal', { project, run, before: pages.next })
      setPages((known) => (known ? { entries: [...known.entries, ...older.entries], next: older.next } : known))
    })
  }, [project, run, pages])

  if (problem !== null) return <p className="problem">{problem}</p>
  if (pages === null) return <p className="muted">Loading the journal…</p>
  return (
    <section aria-label="Journal">
      <h3>Journal</h3>
      <p className="muted">
        Changes seen while the project was open, newest first. Each names who wrote it, where that is certain:
        Bridgedeck, or the only agent at work.
      </p>
      {pages.entries.length === 0 ? <p>No changes seen yet.</p> : null}
      <JournalRows project={project} entries={pages.entries} now={now} />
      {pages.next === null ? null : <Button label="Older entries" onClick={readOlder} />}
    </section>
  )
}

interface JournalRowsProps {
  readonly project: number
  readonly entries: readonly JournalEntry[]
  readonly now: number
  readonly most?: number
  readonly offer?: (entry: JournalEntry) => ReactNode
}

export const JournalRows = ({ project, entries, now, most = Infinity, offer }: JournalRowsProps) => (
  <ol className="projects-journal">
    {journalRows(entries)
      .slice(0, most)
      .map((row) =>
        row.kind === 'seen' ? (
          <SeenRow key={row.entries[0].entry} project={project} entries={row.entries} now={now} />
        ) : (
          <EntryRow
            key={row.entry.entry}
            project={project}
            entry={row.entry}
            now={now}
            offer={offer?.(row.entry) ?? null}
          />
        ),
      )}
  </ol>
)

interface SeenRowProps {
  readonly project: number
  readonly entries: readonly [JournalEntry, ...JournalEntry[]]
  readonly now: number
}

function SeenRow({ project, entries, now }: SeenRowProps) {
  const [{ time, run, file }] = entries
  const known = useProjects(({ runs }) => runs.get(placeOf(project, run))?.run)
  return (
    <li className="seen">
      <Stamp time={time} now={now} />
      <details>
        <summary>
          {visibleText(known ? runTitle(known) : run)}:{' '}
          {entries.length === 1 ? visibleText(file) : `${entries.length} files`} seen for the first time
        </summary>
        <ul>
          {entries.map(({ entry, file }) => (
            <li key={entry}>
              <FileLink project={project} source={{ file, line: 1 }} text={file} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

interface EntryRowProps {
  readonly project: number
  readonly entry: JournalEntry
  readonly now: number
  readonly offer: ReactNode
}

const EntryRow = ({ project, entry, now, offer }: EntryRowProps) => (
  <li>
    <Stamp time={entry.time} now={now} />
    <button
      type="button"
      className="source"
      onClick={() => showSource(project, { file: entry.file, line: lineOf(entry.field) })}
    >
      {visibleText(entry.file)}
    </button>
    <Change project={project} entry={entry} />
    <span className="muted">
      {entry.writer === null ? '' : `by ${visibleText(entry.writer)}`} {offer}
    </span>
    <span className="muted data" title={entry.hash === null ? undefined : `SHA-256 ${entry.hash}`}>
      {entry.hash?.slice(0, 8) ?? 'gone'}
    </span>
  </li>
)

const Stamp = ({ time, now }: { readonly time: number; readonly now: number }) => (
  <time dateTime={new Date(time).toISOString()} title={agoText(time, now)}>
    {stampText(time)}
  </time>
)

function Change({ project, entry: { run, kind, field, from, to } }: Pick<EntryRowProps, 'project' | 'entry'>) {
  if (kind === 'removed') return <span>removed</span>
  if (field === null) return <span>{to === null ? 'changed' : <LinkedText {...{ project, run }} text={to} />}</span>
  return (
    <span>
      <span className="data">{visibleText(field)}</span>:{' '}
      <del>{from === null ? 'nothing' : <LinkedText {...{ project, run }} text={from} />}</del> →{' '}
      <ins>{to === null ? 'nothing' : <LinkedText {...{ project, run }} text={to} />}</ins>
    </span>
  )
}

const lineOf = (field: string | null): number => Number(/^line (\d+)$/.exec(field ?? '')?.[1] ?? 1)

const two = (number: number): string => String(number).padStart(2, '0')

/** `11-21 16:29:18`, local time. */
function stampText(time: number): string {
  const date = new Date(time)
  return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
