import { Children, memo, useMemo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { visibleText } from './visibleText'
import './inertMarkdown.css'

/** What is beyond these is shown as it stands. Characters: */
const MAX_CHARACTERS = 200_000
/** Quotes and lists in each other. */
const MAX_DEPTH = 12
/** Marks of emphasis, links and code: the parser looks at each pair of those in one block, some ten million pairs a second. */
const MAX_PAIRS = 4_000_000

/** Nothing leads anywhere: an address is text beside its words. HTML is not even read. */
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

/** The elements that hold text, their texts drawn otherwise. */
const drawnBy = (draw: Draw): Components => ({
  p: ({ children }) => <p>{drawn(children, draw)}</p>,
  li: ({ children, className }) => <li className={className}>{drawn(children, draw)}</li>,
  code: ({ children, className }) => <code className={className}>{drawn(children, draw)}</code>,
  em: ({ children }) => <em>{drawn(children, draw)}</em>,
  strong: ({ children }) => <strong>{drawn(children, draw)}</strong>,
  td: ({ children, style }) => <td style={style}>{drawn(children, draw)}</td>,
})

const asWritten = (address: string): string => address

/** Where the texts of the app itself lead. Addresses that neither knows stay text. */
export interface KnownAddresses {
  readonly follow: (href: string) => (() => void) | null
  /** A picture of the app, by what stands in the text. */
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
  /** Draws a piece of its text; as it stands unless given. */
  readonly renderText?: (text: string) => ReactNode
}

/** A Markdown text for reading: headings, lists, tables and code. Nothing in it can be followed, loaded or run, unless it is `known`. */
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

/** Whether reading it would take long, as texts made for that do. */
function isLaborious(text: string): boolean {
  let pairs = 0
  let marks = 0
  for (const line of text.split('\n')) {
    const start = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? ''
    const isRule = /^(?:-+|\*+|=+)$/.test(line.replace(/\s/g, ''))
    if (isRule) continue
    if (start.replace(/[\s\d]/g, '').length > MAX_DEPTH) return true
    // An empty line, a heading or an entry of a list ends the block before it.
    if (/^\s*(?:$|#|[-*+] |\d+[.)] )/.test(line)) {
      pairs += marks ** 2
      marks = 0
    }
    marks += line.replace(/[^[\]()*_~`<!]/g, '').length
  }
  return pairs + marks ** 2 > MAX_PAIRS
}
