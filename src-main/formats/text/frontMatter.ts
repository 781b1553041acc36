import { parseLocatedJson } from './locatedJson'
import { LocatedDocument } from './located'
import { parseLocatedYaml } from './locatedYaml'
import type { Severity } from '@shared/contract/orchestration'
import type { Finding } from '../finding'
import type { Span, StateText } from './stateFile'

export interface FrontMatter {
  readonly document: LocatedDocument
  /** `none` when the file has no front matter. */
  readonly syntax: 'yaml' | 'json' | 'none'
  readonly bodyStart: number
}

/** YAML between two lines of `---`, or JSON as later Maestro versions write it. */
export function readFrontMatter(text: StateText): FrontMatter {
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(text.text.slice(text.start, text.start + 200))
  if (!opening) return { document: new LocatedDocument(text, undefined, []), syntax: 'none', bodyStart: text.start }
  const start = text.start + opening[0].length
  const closing = /^(?:---|\.\.\.)[ \t]*\r?$/gm
  closing.lastIndex = start
  const end = closing.exec(text.text)
  if (end?.[0].startsWith('...')) {
    const whole = readAcrossDots(text, start, end)
    if (whole) return whole
  }
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

const MAX_DOTS = 100

/**
 * People and models shorten lists with `...`, which ends a YAML document. The text up to `---` is read too where all of
 * it is one map; otherwise it is an error.
 * @returns undefined where the values end there
 */
function readAcrossDots(text: StateText, start: number, first: RegExpExecArray): FrontMatter | undefined {
  const closing = /^---[ \t]*\r?$/gm
  closing.lastIndex = first.index
  const end = closing.exec(text.text)
  if (!end) return undefined
  const dots = [...text.text.slice(0, end.index).matchAll(/^\.\.\.[ \t]*$/gm)]
    .filter(({ index }) => index >= first.index)
    .slice(0, MAX_DOTS)
    .map(({ index, 0: line }) => ({ start: index, end: index + line.length }))
  const between = text.text.slice(first.index + first[0].length, end.index)
  if (!/^\s*(?:[\w"'-]+:(?:\s|$)|-\s)/.test(between) || /^#{1,6}\s/m.test(between)) return undefined
  const whole = parseLocatedYaml(text, { start, end: end.index }, dots)
  const isWhole = whole.root?.kind === 'map' && !whole.findings.some(({ severity }) => severity === 'error')
  const note = (severity: Severity, expected: string) =>
    text.finding({ start: first.index, end: first.index + 3 }, 'file/second-document', severity, expected)
  const { root, findings } = isWhole ? whole : parseLocatedYaml(text, { start, end: first.index })
  const problem = isWhole
    ? note('warning', 'no line of …: other readers stop here, and miss what follows')
    : note('error', 'one map of values: what follows cannot be read together with what stands before')
  return {
    document: new LocatedDocument(text, root, [problem, ...findings]),
    syntax: 'yaml',
    bodyStart: Math.min(text.text.length, end.index + end[0].length + 1),
  }
}

function parseValues(text: StateText, span: Span): { syntax: 'yaml' | 'json'; document: LocatedDocument } {
  if (!/^\s*\{/.test(text.text.slice(span.start, Math.min(span.end, span.start + 1000))))
    return { syntax: 'yaml', document: parseLocatedYaml(text, span) }
  const document = parseLocatedJson(text, span)
  // A YAML flow map starts with a brace too.
  const yaml = document.findings.some(({ rule }) => rule === 'file/json') ? parseLocatedYaml(text, span) : undefined
  return yaml?.findings.length === 0 ? { syntax: 'yaml', document: yaml } : { syntax: 'json', document }
}
