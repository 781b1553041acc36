import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { InertMarkdown } from './InertMarkdown'

const shown = (text: string): string => renderToStaticMarkup(<InertMarkdown text={text} />)
/** Elements and attributes that could load, run or lead somewhere. */
const alive =
  /<(?:script|img|iframe|object|embed|svg|math|video|audio|link|meta|base|form|input|button|style|a)\b|<[^>]*\s(?:href|src|srcset|srcdoc|style|on\w+|formaction|action|xlink:href)=/i

describe('Markdown that somebody else wrote', () => {
  it('is shown with its headings, lists, tables, code and ticks', () => {
    const html = shown(
      '# Title\n\n--------------------------------\n\n- [x] done\n- [ ] open\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n~~gone~~ **strong**',
    )
    for (const part of [
      '<h1>Title</h1>',
      '☑',
      '☐',
      '<td>2</td>',
      '<code>code\n</code>',
      '<del>gone</del>',
      '<strong>strong</strong>',
    ])
      expect(html).toContain(part)
    expect(html).not.toMatch(alive)
  })

  it('has the address of a link or a picture beside it as text', () => {
    const html = shown(
      '[read me](https://example.org/a?b=1) ![a cat](file:///etc/passwd) <https://auto.example> www.example.com mail@example.org',
    )
    for (const part of [
      'read me',
      '‹https://example.org/a?b=1›',
      'picture “a cat” ‹file:///etc/passwd›',
      'https://auto.example',
      'www.example.com',
    ])
      expect(html).toContain(part)
    expect(html).not.toMatch(alive)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '![x](javascript:alert(1))',
    '[x][y]\n\n[y]: javascript:alert(1) "onmouseover=alert(1)"',
    '<iframe src="https://example.org"></iframe>',
    '<style>*{display:none}</style>',
    '<svg/onload=alert(1)>',
    'text <b onclick="alert(1)">bold</b>',
    '<!-- --!><img src=x onerror=alert(1)>-->',
    'a[^1]\n\n[^1]: <img src=x> [back](https://example.org)',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '`<img src=x onerror=alert(1)>`',
    '```html\n<script>alert(1)</script>\n```',
    '<details ontoggle=alert(1) open>x</details>',
    '<form action="https://example.org"><input name=a><button>Go</button></form>',
    '- [x] <input type=checkbox onfocus=alert(1) autofocus>',
  ])('is inert: %s', (text) => {
    expect(shown(text)).not.toMatch(alive)
  })

  it('spells out what would act on a terminal or turn the direction of writing', () => {
    const html = shown('a\u001b]8;;https://example.org\u0007b \u202egnp.exe \u200b')
    expect(html).not.toMatch(/[\u001b\u0007\u202e\u200b]/)
    expect(html).toContain('‹U+202E›')
  })

  it.each([
    '>'.repeat(50_000),
    '- '.repeat(50_000),
    '['.repeat(50_000),
    '*a'.repeat(50_000),
    '`'.repeat(50_000),
    '_'.repeat(100_000),
    '<'.repeat(50_000),
    `${'> '.repeat(20)}x\n`.repeat(2_000),
    '|a'.repeat(20_000),
    '[a](b'.repeat(20_000),
  ])('that is made to take long is shown all the same (%#)', (text) => {
    const html = shown(text)
    expect(html.length).toBeGreaterThan(0)
    expect(html).not.toMatch(alive)
  })

  it('has its words drawn as its reader wants, in code, lists and tables too', () => {
    const html = renderToStaticMarkup(
      <InertMarkdown text={'a.c **a.c** `a.c`\n\n- a.c\n\n|a.c|\n|-|\n|a.c|'} renderText={(text) => <u>{text}</u>} />,
    )
    expect(html.match(/<u>a\.c ?<\/u>/g)).toHaveLength(5)
  })

  it('that is very long is shown as it stands', () => {
    expect(shown(`# ${'x'.repeat(300_000)}`)).toContain('<pre')
  })
})

it('Markdown of the app leads to what is known, and only there', () => {
  const known = {
    follow: (href: string) => (href === 'page.md' ? () => undefined : null),
    picture: (src: string) => (src === 'images/a.png' ? 'app://a.png' : null),
  }
  const html = renderToStaticMarkup(
    <InertMarkdown
      text="[page](page.md) [else](https://x.example) ![a](images/a.png) ![b](images/b.png)"
      known={known}
    />,
  )
  expect(html).toContain('<button type="button" class="text-link">page</button>')
  expect(html).toContain('<img src="app://a.png" alt="a"/>')
  for (const part of ['else', '‹https://x.example›', 'picture “b” ‹images/b.png›']) expect(html).toContain(part)
  expect(html.match(/<(?:a|img|button)\b/g)).toHaveLength(2)
})
