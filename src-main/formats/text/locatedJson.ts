import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import type { Finding } from '../finding'
import { childPointer, LocatedDocument, toScalar, type Located } from './located'
import { StateText, type StateFile } from './stateFile'

/** Upper limit, far above any state file: parsers recurse. */
export const MAX_DEPTH = 200

/**
 * Broken JSON gives the part before the first error, with a finding.
 * @param hasComments whether the program also reads comments and trailing commas
 */
export function parseLocatedJson(
  text: StateText,
  span = { start: text.start, end: text.text.length },
  { hasComments = false } = {},
): LocatedDocument {
  const source = text.text.slice(span.start, span.end)
  const tooDeep = depthExceeded(source)
  if (tooDeep !== undefined) {
    const start = span.start + tooDeep
    return new LocatedDocument(text, undefined, [
      text.finding({ start, end: start + 1 }, 'file/depth', 'error', `at most ${MAX_DEPTH} levels`, {
        found: 'a value deeper than that',
      }),
    ])
  }
  const errors: ParseError[] = []
  const tree = parseTree(source, errors, {
    disallowComments: !hasComments,
    allowTrailingComma: hasComments,
    allowEmptyContent: false,
  })
  const findings: Finding[] = errors.slice(0, 1).map(({ error, offset, length }) => {
    const start = span.start + Math.min(offset, source.length)
    const found = offset >= source.trimEnd().length ? { found: 'the end of the file' } : {}
    return text.finding(
      { start, end: start + Math.max(1, Math.min(length, 20)) },
      'file/json',
      'error',
      expectations[printParseErrorCode(error)] ?? 'JSON',
      found,
    )
  })
  const locate = (node: Node, pointer: string): Located => {
    const start = span.start + node.offset
    const place = { pointer, start, end: start + node.length }
    if (node.type === 'array')
      return {
        ...place,
        kind: 'list',
        items: (node.children ?? []).map((child, index) => locate(child, childPointer(pointer, index))),
      }
    if (node.type !== 'object')
      return { ...place, kind: 'scalar', value: toScalar(node.value), written: text.text.slice(place.start, place.end) }
    const fields = new Map<string, { key: { start: number; end: number }; value: Located }>()
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (!key || !value || typeof key.value !== 'string') continue
      const at = { start: span.start + key.offset, end: span.start + key.offset + key.length }
      if (fields.has(key.value)) findings.push(text.finding(at, 'file/duplicate-key', 'warning', 'each key once'))
      fields.set(key.value, { key: at, value: locate(value, childPointer(pointer, key.value)) })
    }
    return { ...place, kind: 'map', fields }
  }
  return new LocatedDocument(text, tree && locate(tree, ''), findings)
}

/** Several callers want a file's values; it is parsed once. */
const parsed = new WeakMap<StateFile, LocatedDocument>()

export function jsonOf(path: string, file: StateFile | undefined): LocatedDocument {
  const known = file && parsed.get(file)
  if (known) return known
  const document =
    typeof file?.text === 'string'
      ? parseLocatedJson(new StateText(path, file.text))
      : new LocatedDocument(new StateText(path, ''), undefined, [])
  if (file) parsed.set(file, document)
  return document
}

const expectations: Readonly<Record<string, string>> = {
  InvalidNumberFormat: 'a number',
  PropertyNameExpected: 'a key in quotes',
  ValueExpected: 'a value',
  ColonExpected: '“:”',
  CommaExpected: '“,”',
  CloseBraceExpected: '“}”',
  CloseBracketExpected: '“]”',
  EndOfFileExpected: 'the end of the file',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfComment: 'no comment',
  UnexpectedEndOfString: 'a closing quote',
  UnexpectedEndOfNumber: 'a digit',
  InvalidUnicode: 'four hexadecimal digits',
  InvalidEscapeCharacter: 'an escape that JSON knows',
  InvalidCharacter: 'control characters as escapes',
  InvalidSymbol: 'a value',
}

function depthExceeded(text: string): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') {
      if (++depth > MAX_DEPTH) return at
    } else if (character === '}' || character === ']') depth--
  }
  return undefined
}
