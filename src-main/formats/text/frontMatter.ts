import { parseLocatedJson } from './locatedJson'
import { LocatedDocument } from './located'
import { parseLocatedYaml } from './locatedYaml'
import type { Finding } from '../finding'
import type { Span, StateText } from './stateFile'

export interface FrontMatter {
  /** The values between the `---` lines; its findings include those of the lines themselves. */
  readonly document: LocatedDocument
  /** `none` when the file does not start with one. */
  readonly syntax: 'yaml' | 'json' | 'none'
  /** Where the Markdown below it starts. */
  readonly bodyStart: number
}

/** What a Markdown file starts with between two lines of `---`: YAML, or JSON as later Maestros write it. */
export function readFrontMatter(text: StateText): FrontMatter {
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(text.text.slice(text.start, text.start + 200))
  if (!opening) return { document: new LocatedDocument(text, undefined, []), syntax: 'none', bodyStart: text.start }
  const start = text.start + opening[0].length
  const closing = /^(?:---|\.\.\.)[ \t]*\r?$/gm
  closing.lastIndex = start
  const end = closing.exec(text.text)
  const problems: Finding[] = []
  if (!end) {
    problems.push(
      text.finding(
        { start: text.start, end: text.start + 3 },
        'file/front-matter',
        'error',
        'a line of --- below the values',
        { found: 'a file that ends inside its front matter' },
      ),
    )
  }
  const { syntax, document } = parseValues(text, { start, end: end?.index ?? text.text.length })
  return {
    document: new LocatedDocument(text, document.root, [...problems, ...document.findings]),
    syntax,
    bodyStart: end ? Math.min(text.text.length, end.index + end[0].length + 1) : text.text.length,
  }
}

function parseValues(text: StateText, span: Span): { syntax: 'yaml' | 'json'; document: LocatedDocument } {
  if (!/^\s*\{/.test(text.text.slice(span.start, Math.min(span.end, span.start + 1000))))
    return { syntax: 'yaml', document: parseLocatedYaml(text, span) }
  const document = parseLocatedJson(text, span)
  // A flow map of YAML starts with a brace too.
  const yaml = document.findings.some(({ rule }) => rule === 'file/json') ? parseLocatedYaml(text, span) : undefined
  return yaml?.findings.length === 0 ? { syntax: 'yaml', document: yaml } : { syntax: 'json', document }
}
