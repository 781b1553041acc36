import { useEffect, useMemo, useRef, useState } from 'react'
import { ArrowLeft } from 'lucide-react'
import { headingId } from '@shared/docPages'
import { attempt } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { IndexedPage } from '../../widgets/IndexedPage'
import { InertMarkdown, type KnownAddresses } from '../../widgets/InertMarkdown'
import { loadText, openManual, pictureOf, placeOf, type ManualPlace } from './manual'

export function ManualPage({ place }: { readonly place: ManualPlace }) {
  const { page, heading } = place
  const article = useRef<HTMLElement>(null)
  const [loaded, setLoaded] = useState<{ readonly name: string; readonly text: string } | null>(null)
  useEffect(() => attempt(async () => setLoaded({ name: page.name, text: await loadText(page) })), [page])
  const text = loaded?.name === page.name ? loaded.text : null
  const known: KnownAddresses = useMemo(
    () => ({
      follow: (href) => {
        const next = placeOf(href, page)
        return next === null ? null : () => openManual(next)
      },
      picture: pictureOf,
    }),
    [page],
  )
  useEffect(() => {
    if (text !== null) goTo(article.current, heading)
  }, [text, place, heading])
  return (
    <IndexedPage
      key={page.name}
      className="help manual"
      columns={[
        <article key={page.name} ref={article} aria-label={page.title}>
          {text === null ? null : <InertMarkdown text={text} known={known} />}
        </article>,
      ]}
    >
      <div className="help-buttons">
        <Button label="All pages" icon={ArrowLeft} onClick={() => openManual(null)} />
      </div>
    </IndexedPage>
  )
}

function goTo(article: HTMLElement | null, id: string | null): void {
  const all = [...(article?.querySelectorAll<HTMLElement>('h1, h2, h3, h4') ?? [])]
  const heading = id === null ? all[0] : all.find(({ textContent }) => headingId(textContent) === id)
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  if (id === null) article?.closest('.view-content')?.scrollTo({ top: 0 })
  else heading.scrollIntoView({ block: 'start' })
}
