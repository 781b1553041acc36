/** Each page of docs/ is a file of the build that is loaded when it is opened. */
import { create } from 'zustand'
import { docChapters, type DocPage } from '@shared/docPages'
import { perform } from '../../client/actions'
import { jump } from '../../client/jumps'

const texts = import.meta.glob<string>('../../../docs/*.md', { query: '?raw', import: 'default' })
const pictures = import.meta.glob<string>('../../../docs/images/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
})

const pages: readonly DocPage[] = docChapters.flatMap((chapter) => chapter.pages)

export interface ManualPlace {
  readonly page: DocPage
  /** The id of a heading; null for the beginning of the page. */
  readonly heading: string | null
}

export const useManual = create<{ readonly place: ManualPlace | null }>(() => ({ place: null }))

const show = (place: ManualPlace | null): void => {
  useManual.setState({ place })
  perform('view.help')
}

export function openManual(place: ManualPlace | null): void {
  const before = useManual.getState().place
  jump({ go: () => show(place), goBack: () => show(before) })
}

export const loadText = async ({ name }: DocPage): Promise<string> =>
  (await texts[`../../../docs/${name}.md`]?.()) ?? ''

/** Null for an address outside the manual. */
export function placeOf(href: string, from: DocPage): ManualPlace | null {
  const [, name, id] = /^([a-z-]+\.md)?(?:#(.+))?$/.exec(href) ?? []
  if (name === undefined && id === undefined) return null
  const page = name === undefined ? from : pages.find((each) => `${each.name}.md` === name)
  return page === undefined ? null : { page, heading: id ?? null }
}

export const pictureOf = (src: string): string | null => pictures[`../../../docs/${src}`] ?? null
