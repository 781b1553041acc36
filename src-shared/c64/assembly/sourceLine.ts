import { isMnemonic } from '../assembler'
import type { Encoding } from './sourceText'

export type Statement =
  | { readonly kind: 'instruction'; readonly text: string }
  | { readonly kind: 'constant'; readonly name: string; readonly value: string }
  | { readonly kind: 'origin'; readonly value: string }
  | { readonly kind: 'bytes' | 'words'; readonly values: readonly string[] }
  | {
      readonly kind: 'text'
      readonly values: readonly string[]
      readonly encoding: Encoding
      readonly end: number | null
    }
  | { readonly kind: 'fill'; readonly count: string; readonly value: string }
  | { readonly kind: 'align'; readonly to: string }
  | { readonly kind: 'start'; readonly at: string }

export interface SourceLine {
  /** `-` and `+`, in any number, are labels without a name. */
  readonly label: string | null
  readonly statement: Statement | null
}

const directives = new Map<string, (rest: string) => Statement>()
const define = (names: string, read: (rest: string) => Statement): void => {
  for (const name of names.split(' ')) directives.set(name, read)
}
define('byte by byt db dc.b dcb 8', (rest) => ({ kind: 'bytes', values: listOf(rest) }))
define('word wo wor dw dc.w addr 16', (rest) => ({ kind: 'words', values: listOf(rest) }))
define('org pc', (rest) => ({ kind: 'origin', value: rest.replace(/^=/, '') }))
define('fill res ds fi', (rest) => {
  const [count = '', value = '0'] = listOf(rest)
  return { kind: 'fill', count, value }
})
define('align', (rest) => ({ kind: 'align', to: listOf(rest)[0] ?? '' }))
const text =
  (encoding: Encoding, end: number | null = null) =>
  (rest: string): Statement => ({ kind: 'text', values: listOf(rest), encoding, end })
define('text tx asc', text('keys'))
define('pet petscii', text('petscii'))
define('scr screen', text('screen'))
define('ascii raw', text('ascii'))
define('null asciiz', text('keys', 0))

const ignored = new Set(['to', 'cpu', 'processor', 'encoding', 'segment', 'code', 'export', 'global', 'p02', 'setcpu'])

const LABEL = /^(?:([A-Za-z_][\w.]*|[.@_][A-Za-z]\w*):?|([-+]+):?)(?=\s|$|:)/

export interface UnknownLine {
  readonly unknown: string
  readonly label: string | null
}

export function readSourceLine(line: string): SourceLine | UnknownLine {
  const code = withoutComment(line)
  const trimmed = code.trim()
  if (trimmed === '') return { label: null, statement: null }
  const constant = /^(?:\.(?:const|var|label)\s+)?([A-Za-z_.@][\w.@]*)\s*(?::?=|\s(?:equ|EQU)\s)\s*([^=].*)$/.exec(
    trimmed,
  )
  if (constant) {
    const [, name = '', value = ''] = constant
    return { label: null, statement: { kind: 'constant', name, value } }
  }
  const origin = /^\*\s*=\s*(.+)$/.exec(trimmed)
  if (origin) return { label: null, statement: { kind: 'origin', value: withoutName(origin[1] ?? '') } }
  const start = /^:?BasicUpstart2?\s*\(\s*(.+?)\s*\)$/i.exec(trimmed)
  if (start) return { label: null, statement: { kind: 'start', at: start[1] ?? '' } }
  const [word = ''] = /^\S+/.exec(trimmed) ?? []
  const statement = statementOf(trimmed)
  if (statement !== undefined) return { label: null, statement }
  const label = LABEL.exec(trimmed)
  if (!label) return { unknown: word, label: null }
  const rest = trimmed.slice(label[0].length).trim()
  const after = rest === '' ? null : statementOf(rest)
  const name = label[1] ?? label[2] ?? ''
  if (after !== undefined) return { label: name, statement: after }
  return /^[.!]/.test(word) ? { unknown: word, label: null } : { unknown: /^\S+/.exec(rest)?.[0] ?? rest, label: name }
}

/** @returns null for an ignored statement; undefined for an unknown one */
function statementOf(text: string): Statement | null | undefined {
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? []
  if (isMnemonic(word)) return { kind: 'instruction', text }
  const isMarked = /^[.!]/.test(word)
  const name = word.replace(/^[.!]/, '').toLowerCase()
  // Without its mark, a word may as well be a label.
  const isKnown = isMarked || /^(?:org|dc\.[bw]|d[bsw]|processor)$/.test(name)
  const read = isKnown ? directives.get(name) : undefined
  if (read) return read(rest)
  return isKnown && ignored.has(name) ? null : undefined
}

/** KickAssembler names its blocks: `*=$1000 "music"`. */
const withoutName = (origin: string): string => origin.replace(/\s*"[^"]*"\s*$/, '')

function withoutComment(line: string): string {
  const found = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|(?!\/\/)[^;])*/.exec(line)
  return found?.[0] ?? line
}

function listOf(rest: string): string[] {
  const values: string[] = []
  let value = ''
  let depth = 0
  for (const [part] of rest.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|[^]/g)) {
    if (part === '(' || part === '[') depth++
    if (part === ')' || part === ']') depth--
    if (part === ',' && depth === 0) {
      values.push(value.trim())
      value = ''
    } else value += part
  }
  if (value.trim() !== '' || values.length > 0) values.push(value.trim())
  return values
}
