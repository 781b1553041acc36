import { Children, memo, useMemo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { visibleText } from './visibleText'
import './inertMarkdown.css'

/** Text beyond these limits is shown as it stands. Characters: */
const MAX_CHARACTERS = 200_000
/** Nesting depth of quotes and lists. */
const MAX_DEPTH = 12
/** Pairs of marks for emphasis, links and code in one block: the parser looks at each, some ten million a second. */
const MAX_PAIRS = 4_000_000

/** Nothing is a link: an address is shown as text beside its words. HTML is not parsed. */
const components = {
  a: ({ href, children }) => (
    <span>
      {children}
      {href === undefined || href === '' ? null : <span className="muted"> ‹{visibleText(href)}›</span>}
    </span>
  ),
  img: ({ src, alt }) => (
    <span className="muted">
      picture{alt ? ` “${alt}”` : ''} ‹{typeof src === 'string' ? visibleText(src) : ''}›
    </span>
  ),
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
} satisfies Components

type Draw = (text: string) => ReactNode

const drawn = (children: ReactNode, draw: Draw): ReactNode =>
  Children.map(children, (child) => (typeof child === 'string' ? draw(child) : child))

const drawnBy = (draw: Draw): Components => ({
  p: ({ children }) => <p>{drawn(children, draw)}</p>,
  li: ({ children, className }) => <li className={className}>{drawn(children, draw)}</li>,
  code: ({ children, className }) => <code className={className}>{drawn(children, draw)}</code>,
  em: ({ children }) => <em>{drawn(children, draw)}</em>,
  strong: ({ children }) => <strong>{drawn(children, draw)}</strong>,
  td: ({ children, style }) => <td style={style}>{drawn(children, draw)}</td>,
})

const asWritten = (address: string): string => address

export interface KnownAddresses {
  readonly follow: (href: string) => (() => void) | null
  readonly picture: (src: string) => string | null
}

const knownBy = ({ follow, picture }: KnownAddresses): Components => ({
  a: (link) => {
    const onOpen = follow(link.href ?? '')
    if (!onOpen) return components.a(link)
    return (
      <button type="button" className="text-link" onClick={onOpen}>
        {link.children}
      </button>
    )
  },
  img: (image) => {
    const source = picture(typeof image.src === 'string' ? image.src : '')
    return source === null ? components.img(image) : <img src={source} alt={image.alt ?? ''} />
  },
})

interface InertMarkdownProps {
  readonly text: string
  readonly known?: KnownAddresses
  readonly renderText?: (text: string) => ReactNode
}

/** Nothing in the text can be followed, loaded or run, unless it is `known`. */
export const InertMarkdown = memo(function InertMarkdown({ text, known, renderText }: InertMarkdownProps) {
  const all = useMemo(
    () => ({ ...components, ...(renderText && drawnBy(renderText)), ...(known && knownBy(known)) }),
    [known, renderText],
  )
  if (text.length > MAX_CHARACTERS || isLaborious(text))
    return <pre className="inert-markdown plain">{visibleText(text)}</pre>
  return (
    <div className="inert-markdown">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={all} urlTransform={asWritten}>
        {visibleText(text)}
      </ReactMarkdown>
    </div>
  )
})

/** Whether parsing would take long, as with texts crafted for that. */
function isLaborious(text: string): boolean {
  let pairs = 0
  let marks = 0
  for (const line of text.split('\n')) {
    const start = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? ''
    const isRule = /^(?:-+|\*+|=+)$/.test(line.replace(/\s/g, ''))
    if (isRule) continue
    if (start.replace(/[\s\d]/g, '').length > MAX_DEPTH) return true
    // An empty line, a heading or a list item ends the block before it.
    if (/^\s*(?:$|#|[-*+] |\d+[.)] )/.test(line)) {
      pairs += marks ** 2
      marks = 0
    }
    marks += line.replace(/[^[\]()*_~`<!]/g, '').length
  }
  return pairs + marks ** 2 > MAX_PAIRS
}
