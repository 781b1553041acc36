import { isAlias, isMap, isScalar, isSeq, parseDocument, type Node } from 'yaml'
import type { Finding } from '../finding'
import { childPointer, LocatedDocument, toScalar, type Located } from './located'
import { MAX_DEPTH } from './locatedJson'
import type { Span, StateText } from './stateFile'

/** UTF-16 units; longer than any state file. YAML takes fifty times longer to parse than JSON. */
const MAX_LENGTH = 500_000

/**
 * YAML 1.2, core schema: dates stay text.
 * @param hidden lines that are read as empty
 */
export function parseLocatedYaml(
  text: StateText,
  span: Span = { start: text.start, end: text.text.length },
  hidden: readonly Span[] = [],
): LocatedDocument {
  const refuse = (rule: string, found: string, expected: string) =>
    new LocatedDocument(text, undefined, [text.finding(span, rule, 'error', expected, { found })])
  if (span.end - span.start > MAX_LENGTH)
    return refuse('file/size', `${span.end - span.start} characters of YAML`, `at most ${MAX_LENGTH}`)
  const source = blanked(text.text, span, hidden)
  if (isTooDeep(source)) return refuse('file/depth', 'a value deeper than that', `at most ${MAX_DEPTH} levels`)
  const document = parseDocument(source, {
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    stringKeys: false,
  })
  const findings: Finding[] = document.errors.slice(0, 1).map(({ pos: [from, to], message }) => {
    const start = span.start + Math.min(from, source.length)
    return text.finding(
      { start, end: span.start + Math.min(to, from + 20, source.length) },
      'file/yaml',
      'error',
      `YAML (${message.replaceAll(/\s+/g, ' ').slice(0, 120)})`,
    )
  })
  const locate = (node: Node | null, pointer: string, fallback: number): Located => {
    const [from, to] = node?.range ?? [fallback, fallback]
    const place = { pointer, start: span.start + from, end: span.start + to }
    const written = text.text.slice(place.start, place.end)
    if (isSeq<Node | null>(node))
      return {
        ...place,
        kind: 'list',
        items: node.items.map((item, index) => locate(item, childPointer(pointer, index), from)),
      }
    if (isMap<Node | null, Node | null>(node)) {
      const fields = new Map<string, { key: Span; value: Located }>()
      for (const { key, value } of node.items) {
        const [keyFrom, keyTo] = key?.range ?? [from, from]
        const at = { start: span.start + keyFrom, end: span.start + keyTo }
        const name = isScalar(key) ? String(key.value) : source.slice(keyFrom, keyTo)
        if (fields.has(name)) findings.push(text.finding(at, 'file/duplicate-key', 'warning', 'each key once'))
        fields.set(name, { key: at, value: locate(value, childPointer(pointer, name), keyTo) })
      }
      return { ...place, kind: 'map', fields }
    }
    // Nested aliases of lists could exceed any memory: only plain values are resolved.
    const target = isAlias(node) ? node.resolve(document) : node
    if (isAlias(node) && !isScalar(target))
      findings.push(text.finding(place, 'file/yaml-alias', 'error', 'no alias of a list or a map'))
    return { ...place, kind: 'scalar', value: isScalar(target) ? toScalar(target.value) : null, written }
  }
  const contents = document.contents
  return new LocatedDocument(text, contents === null ? undefined : locate(contents, '', 0), findings)
}

/** Blanks replace what is hidden, so that every other place stays. */
function blanked(text: string, span: Span, hidden: readonly Span[]): string {
  let source = ''
  let from = span.start
  for (const { start, end } of hidden) {
    source += text.slice(from, start) + ' '.repeat(end - start)
    from = end
  }
  return source + text.slice(from, span.end)
}

/** Counts brackets, indentation and dashes generously, even inside quotes. */
function isTooDeep(source: string): boolean {
  let brackets = 0
  let deepest = 0
  for (const character of source) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++brackets)
    else if ((character === ']' || character === '}') && brackets > 0) brackets--
  }
  if (deepest > MAX_DEPTH) return true
  return new RegExp(`^(?: {${2 * MAX_DEPTH}}|[ \\t]*(?:[-?:][ \\t]+){${MAX_DEPTH}})`, 'm').test(source)
}
