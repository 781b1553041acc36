import { useEffect, useRef, useState } from 'react'
import type { Project } from '@shared/contract/orchestration'
import type { SearchHit } from '@shared/contract/projectHistory'
import { call } from '../../client/call'
import { describeError } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { ListBox } from '../../widgets/ListBox'
import { visibleText } from '../../widgets/visibleText'
import { choose, placeOf, showSource, useProjects } from './store'
import { runTitle, sourceText } from './labels'

/** Delay after a key before the search, ms. */
const SETTLE_MS = 200

const MAX_HITS = 500

interface Results {
  readonly text: string
  readonly hits: readonly SearchHit[]
  readonly isOpen: boolean
  readonly problem: string | null
}

const nothing: Results = { text: '', hits: [], isOpen: false, problem: null }

function useSearch(text: string): Results {
  const [results, setResults] = useState<Results>(nothing)
  useEffect(() => {
    if (text.trim() === '') {
      setResults(nothing)
      return undefined
    }
    const controller = new AbortController()
    const { signal } = controller
    const search = async () => {
      const hits: SearchHit[] = []
      for (let after: Parameters<typeof readPage>[1] = null; ;) {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage(text, after, signal)
        if (signal.aborted) return
        hits.push(...page.hits)
        after = page.next
        const isOpen = after !== null && hits.length < MAX_HITS
        setResults({
          text,
          hits: hits.slice(0, MAX_HITS),
          isOpen,
          problem: after !== null && !isOpen ? `The first ${MAX_HITS}; there are more.` : null,
        })
        if (!isOpen) return
      }
    }
    const timer = setTimeout(() => {
      search().catch((error: unknown) => {
        if (!signal.aborted) setResults({ text, hits: [], isOpen: false, problem: describeError(error) })
      })
    }, SETTLE_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [text])
  return results
}

const readPage = (
  text: string,
  after: { readonly project: number; readonly run: string; readonly hits: number } | null,
  signal: AbortSignal,
) => call('projects.search', { text, after }, { signal })

interface SearchProps {
  readonly projects: ReadonlyMap<number, Project>
  readonly text: string
}

export function SearchResults({ projects, text }: SearchProps) {
  const { hits, isOpen, problem, text: searched } = useSearch(text)
  const runs = useProjects((state) => state.runs)
  const [chosen, setChosen] = useState<string | null>(null)
  const keys = new Map(hits.map((hit, index) => [hit, String(index)]))
  const keyOf = (hit: SearchHit) => keys.get(hit) ?? ''
  const go = (hit: SearchHit) => {
    setChosen(keyOf(hit))
    choose({ project: hit.project, run: hit.run })
    if (hit.source) showSource(hit.project, hit.source)
  }
  return (
    <section className="projects-list" aria-label="Search">
      <p className="muted" role="status">
        {searched !== text ? 'Searching…' : `${hits.length} found${isOpen ? ', searching…' : '.'}`} {problem}
      </p>
      {hits.length === 0 ? null : (
        <ListBox
          label="Found"
          items={hits}
          keyOf={keyOf}
          chosen={chosen}
          onChoose={go}
          height={40}
          render={({ project, run, kind, text: found, at, source }) => {
            const placed = runs.get(placeOf(project, run))
            return (
              <div className="run-row">
                <span title={found}>
                  {visibleText(found.slice(Math.max(0, at - 30), at))}
                  <mark>{visibleText(found.slice(at, at + searched.length))}</mark>
                  {visibleText(found.slice(at + searched.length))}
                </span>
                <span className="muted">{kind}</span>
                <span className="muted">
                  {visibleText(projects.get(project)?.name ?? '')} ·{' '}
                  {placed ? visibleText(runTitle(placed.run)) : visibleText(run)}
                </span>
                <span className="muted data">{source ? visibleText(sourceText(source)) : ''}</span>
              </div>
            )
          }}
        />
      )}
    </section>
  )
}

export function SearchField({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <input
      ref={field}
      type="search"
      className="field"
      id="projects-search"
      aria-label="Search in all open projects"
      placeholder={`Search  ${shortcutOf('project.search') ?? ''}`}
      maxLength={200}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('')
        if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
        const found = field.current
          ?.closest('[data-panel]')
          ?.querySelector<HTMLElement>('[role=listbox][aria-label=Found]')
        found?.focus()
        if (found) event.preventDefault()
      }}
    />
  )
}
