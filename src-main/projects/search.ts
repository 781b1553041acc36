import { MAX_LINE_CHARACTERS } from '@shared/contract/orchestration'
import type { Input, Output } from '@shared/contract/contract'
import { MAX_HIT_PAGE, type SearchHit } from '@shared/contract/projectHistory'
import { isSecret } from './journal/observe'
import type { OpenProject } from './watch/openProject'
import type { OpenRun } from './watch/openRun'
import type { ValueSource } from '@shared/contract/orchestration'
import { TimeSlice } from './timeSlice'

/** Then others have their turn. */
const TIME_SLICE_MS = 20

/** A page that takes longer ends with what was found. */
const PAGE_LIMIT_MS = 1_000

const LEAD_CHARACTERS = 80

type Found = Omit<SearchHit, 'project' | 'run'>

/** @throws what the signal aborts with */
export async function search(
  projects: ReadonlyMap<number, Pick<OpenProject, 'keys' | 'run'>>,
  wanted: string,
  after: Input<'projects.search'>['after'],
  signal: AbortSignal,
): Promise<Output<'projects.search'>> {
  const needle = wanted.toLowerCase()
  const hits: SearchHit[] = []
  const started = performance.now()
  const slice = new TimeSlice(TIME_SLICE_MS)
  for (const [project, open] of [...projects].sort(([a], [b]) => a - b)) {
    if (after && project < after.project) continue
    const searched = new Set<string>()
    for (const key of open.keys) {
      const run = open.run(key)
      if (!run) continue
      const isBefore = after !== null && project === after.project && key < after.run
      const skipped = after !== null && project === after.project && key === after.run ? after.hits : 0
      let number = 0
      if (!isBefore) {
        for (const found of findIn(run, needle, searched)) {
          if (number >= skipped) hits.push({ project, run: key, ...found })
          number++
          if (hits.length === MAX_HIT_PAGE) return { hits, next: { project, run: key, hits: number } }
        }
      }
      for (const path of run.files.keys()) searched.add(path)
      if (!slice.isOver) continue
      if (performance.now() - started > PAGE_LIMIT_MS) return { hits, next: { project, run: key, hits: number } }
      await slice.next()
      signal.throwIfAborted()
    }
  }
  return { hits, next: null }
}

function* findIn({ view, files }: OpenRun, needle: string, searched: ReadonlySet<string>): Iterable<Found> {
  const look = function* (kind: Found['kind'], text: string | null, source: ValueSource | null): Iterable<Found> {
    const at = text?.toLowerCase().indexOf(needle) ?? -1
    if (text !== null && at >= 0) yield { kind, ...excerpt(text, at), source: source && shortened(source) }
  }
  yield* look('title', view.title.value, view.title.source)
  for (const phase of view.phases) {
    yield* look('task', titled(phase.key, phase.title.value), phase.title.source)
    for (const task of phase.tasks) yield* look('task', titled(task.key, task.title.value), task.title.source)
  }
  for (const need of view.needs) yield* look('need', `${need.title}\n${need.detail}`, need.source)
  for (const { message } of view.errors) yield* look('error', message.value, message.source)
  for (const [path, { file }] of files)
    if (file.text !== null && !searched.has(path) && !isSecret(path)) yield* linesWith(path, file.text, needle)
}

function* linesWith(path: string, text: string, needle: string): Iterable<Found> {
  // Lower case has the same length in nearly all scripts; where not, lines are still the same.
  const lower = text.toLowerCase()
  let line = 1
  let start = 0
  for (let at = lower.indexOf(needle); at >= 0;) {
    for (let end = lower.indexOf('\n', start); end >= 0 && end < at; end = lower.indexOf('\n', start)) {
      line++
      start = end + 1
    }
    const end = lower.indexOf('\n', at)
    const stop = end < 0 ? lower.length : end
    const source = lower.length === text.length ? text : lower
    yield {
      kind: 'line',
      ...excerpt(source.slice(start, stop), at - start),
      source: { file: path.slice(0, 1000), line },
    }
    at = end < 0 ? -1 : lower.indexOf(needle, stop + 1)
  }
}

function excerpt(text: string, at: number): { text: string; at: number } {
  const from = text.length <= MAX_LINE_CHARACTERS ? 0 : Math.max(0, at - LEAD_CHARACTERS)
  const flat = text.slice(from, from + MAX_LINE_CHARACTERS).replaceAll(/[\r\n\t]/g, ' ')
  return { text: flat, at: Math.min(at - from, flat.length) }
}

const titled = (key: string, title: string | null): string => [key, title ?? ''].filter(Boolean).join(' ')

const shortened = ({ file, pointer, line }: ValueSource): SearchHit['source'] => ({
  file: file.slice(0, 1000),
  ...(pointer === undefined ? {} : { pointer: pointer.slice(0, 1000) }),
  ...(line === undefined ? {} : { line }),
})
