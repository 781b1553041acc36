import { useEffect, useEffectEvent } from 'react'
import type { Artwork } from '@shared/graphics/artwork'
import { viewTitles, type ViewName } from '@shared/views'

/** What a view has to export. */
export interface ExportSubject {
  /** `Selected sprites` */
  readonly title: string
  /** Of the file, without an ending. */
  readonly name: string
  /** One at least. */
  readonly artworks: readonly Artwork[]
}

type Source = () => readonly ExportSubject[] | Promise<readonly ExportSubject[]>

export interface FoundSubject extends ExportSubject {
  /** Of the view that has it. */
  readonly viewTitle: string
}

const sources = new Map<ViewName, Source>()
/** Those that had the keyboard, the last one first. */
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

/** While the view is there, what it has can be exported. @param source the first is what a person most likely means */
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

/** What the views that are seen have to export, first that of the one that had the keyboard last. */
export async function subjectsInFront(): Promise<FoundSubject[]> {
  const seen = panelNames()
  const views = [...lately, ...sources.keys()].filter((view) => seen.includes(view))
  return subjectsOf([...new Set(views)].map((view) => [view, () => sources.get(view)?.() ?? []]))
}

/** One that cannot be read leaves the others. @throws what the first said where there are no others */
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
