import { useEffect, useMemo, useState } from 'react'
import { counted } from '@shared/countedText'
import type { Task } from '@shared/contract/tasks'
import { perform } from '../../client/actions'
import { useArtworkSource } from '../../client/artworkSources'
import { useTasks } from '../../client/tasks'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { Problem } from '../../widgets/Problem'
import { Comparison } from './Comparison'
import { ItemDetail } from './ItemDetail'
import { ItemGrid } from './ItemGrid'
import { gallerySubjects, readGallery, useGallery } from './gallery'
import { galleryItems, itemKey, matching } from './galleryItems'
import './artifacts.css'

export function ArtifactsView({ visible }: ViewProps) {
  const { found, failure } = useGallery()
  const tasks = useTasks((state) => state.tasks)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const stamp = useMemo(() => stampOf(tasks.values()), [tasks])
  useEffect(() => {
    if (!visible) return undefined
    const abort = new AbortController()
    void readGallery(abort.signal)
    return () => abort.abort()
  }, [visible, stamp])
  const items = useMemo(() => galleryItems(found ?? [], tasks), [found, tasks])
  const shown = useMemo(() => matching(items, query), [items, query])
  const [first, second] = chosen.flatMap((key) => items.find((item) => itemKey(item) === key) ?? [])
  useArtworkSource('artifacts', () => gallerySubjects(first))
  if (found === null || items.length === 0)
    return (
      <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Gallery">
        <Problem failure={failure} className="gallery-problem" />
        {found === null ? null : (
          <EmptyState
            title="No files of tasks yet"
            action={<Button label="New task…" look="primary" onClick={() => perform('task.new')} />}
          >
            <p>Tasks that save pictures, sprites or character sets fill the gallery.</p>
          </EmptyState>
        )}
      </div>
    )
  return (
    <div className="view artifacts">
      <div className="toolbar" role="toolbar" aria-label="Search">
        <input
          type="search"
          className="field gallery-search"
          aria-label="Search the gallery"
          placeholder="Name, task, operation or date"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        <span className="muted" role="status">
          {query.trim() === '' ? counted(items.length, 'file') : `${shown.length} of ${counted(items.length, 'file')}`}
        </span>
      </div>
      <Problem failure={failure} className="gallery-problem" />
      <div className="gallery-parts">
        <ItemGrid items={shown} chosen={chosen} onChosen={setChosen} />
        {first && second ? (
          <Comparison key={chosen.join(' ')} first={first} second={second} />
        ) : first ? (
          <ItemDetail key={itemKey(first)} item={first} />
        ) : null}
      </div>
    </div>
  )
}

/** Changes when a task may have written, as the times of tasks are whole seconds. */
const stampOf = (tasks: Iterable<Task>): string =>
  [...tasks].map(({ id, status, updatedAt, iterations }) => [id, status, updatedAt, iterations].join(' ')).join('\n')
