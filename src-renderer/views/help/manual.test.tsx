import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { docChapters } from '@shared/docPages'
import { InertMarkdown } from '../../widgets/InertMarkdown'
import { loadText, pictureOf, placeOf } from './manual'

const pages = docChapters.flatMap((chapter) => chapter.pages)
const [page = { name: '', title: '' }] = pages

describe('A link of the manual', () => {
  it('leads to a page, a heading of it, or one of its own', () => {
    expect(placeOf('debugging.md', page)).toMatchObject({ page: { name: 'debugging' }, heading: null })
    expect(placeOf('command-line.md#labels', page)).toMatchObject({ page: { name: 'command-line' }, heading: 'labels' })
    expect(placeOf('#all-pages', page)).toEqual({ page, heading: 'all-pages' })
  })

  it.each([
    'https://example.org',
    'examples/border.py',
    '../CHANGELOG.md',
    'npm.md',
    'none.md',
    '',
    'javascript:alert(1)',
  ])('leads nowhere to %s', (href) => expect(placeOf(href, page)).toBeNull())
})

it.each(pages)('The page $name is read as Markdown, with its pictures', async (each) => {
  const text = await loadText(each)
  const known = { follow: () => null, picture: pictureOf }
  const html = renderToStaticMarkup(<InertMarkdown text={text} known={known} />)
  expect(html).toContain('<h1>')
  expect(html.match(/<img /g) ?? []).toHaveLength([...text.matchAll(/!\[/g)].length)
})
