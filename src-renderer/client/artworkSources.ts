import { useEffect, useEffectEvent } from 'react'
import type { Artwork } from '@shared/graphics/artwork'
import { viewTitles, type ViewName } from '@shared/views'

export interface ExportSubject {
  readonly title: string
  readonly name: string
  /** At least one. */
  readonly artworks: readonly Artwork[]
}

type Source = () => readonly ExportSubject[] | Promise<readonly ExportSubject[]>

export interface FoundSubject extends ExportSubject {
  readonly viewTitle: string
}

const sources = new Map<ViewName, Source>()
/** Views that had the keyboard, the last one first. */
let lately: readonly ViewName[] = []

const panelNames = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-panel]')]
    .filter((panel) => panel.checkVisibility())
    .map((panel) => panel.dataset['panel'] ?? '')

function noteFocus({ target }: FocusEvent): void {
  const panel = target instanceof Element ? target.closest<HTMLElement>('[data-panel]')?.dataset['panel'] : undefined
  const view = [...sources.keys()].find((name) => name === panel)
  if (view) lately = [view, ...lately.filter((other) => other !== view)]
}

export function useArtworkSource(view: ViewName, source: Source): void {
  const latest = useEffectEvent(source)
  useEffect(() => {
    if (sources.size === 0) document.addEventListener('focusin', noteFocus)
    const own: Source = () => latest()
    sources.set(view, own)
    return () => {
      if (sources.get(view) === own) sources.delete(view)
    }
  }, [view])
}

export async function subjectsInFront(): Promise<FoundSubject[]> {
  const seen = panelNames()
  const views = [...lately, ...sources.keys()].filter((view) => seen.includes(view))
  return subjectsOf([...new Set(views)].map((view) => [view, () => sources.get(view)?.() ?? []]))
}

/**
 * One that cannot be read does not affect the others.
 * @throws the first error where there are no others
 */
export async function subjectsOf(read: readonly (readonly [ViewName, Source])[]): Promise<FoundSubject[]> {
  const found: FoundSubject[] = []
  const errors: unknown[] = []
  for (const [view, source] of read)
    try {
      const subjects = await source()
      found.push(...subjects.map((subject) => ({ ...subject, viewTitle: viewTitles[view] })))
    } catch (error) {
      errors.push(error)
    }
  if (found.length === 0 && errors.length > 0) throw errors[0]
  return found
}
