/** What changed between two versions of a state file, value by value, for the journal. */
import { cut } from '@shared/contract/bounded'
import { readFrontMatter } from '../../formats/text/frontMatter'
import type { Located } from '../../formats/text/located'
import { jsonOf, parseLocatedJson } from '../../formats/text/locatedJson'
import { parseLocatedYaml } from '../../formats/text/locatedYaml'
import { StateText, type StateFile } from '../../formats/text/stateFile'

export interface Observation {
  /** A JSON pointer, `line 12`, or null for the file as a whole. */
  readonly field: string | null
  /** As written; null where there was nothing. */
  readonly from: string | null
  readonly to: string | null
}

/** The rest of one write is only counted. */
const MAX_CHANGES_PER_WRITE = 200

/** Of one value. */
const MAX_VALUE_CHARACTERS = 300

/** Files with secrets: of them it is kept that they changed, and nothing of what is in them. */
const secret = /(^|\/)\.env[^/]*$/
export const isSecret = (path: string): boolean => secret.test(path)

/** @returns empty when nothing but the places of the values changed */
export function differences(before: StateFile, after: StateFile): Observation[] {
  if (before.text === null || after.text === null || isSecret(after.path))
    return [{ field: null, from: null, to: null }]
  const [old, now] = [bodyOf(before.path, before.text, before), bodyOf(after.path, after.text, after)]
  const found = [...changedValues(old.root, now.root), ...changedLines(old, now)]
  if (found.length <= MAX_CHANGES_PER_WRITE) return found
  return [
    ...found.slice(0, MAX_CHANGES_PER_WRITE),
    { field: null, from: null, to: `${found.length - MAX_CHANGES_PER_WRITE} more values` },
  ]
}

interface Lines {
  /** Of what is no JSON or YAML. */
  readonly lines: readonly string[]
  /** The number of the first of the lines. */
  readonly firstLine: number
}

/** What a state file is made of. */
export interface Parts extends Lines {
  /** Values as they are written, by JSON pointer. */
  readonly values: ReadonlyMap<string, string>
}

export function partsOf(path: string, text: string): Parts {
  const { root, ...lines } = bodyOf(path, text)
  return { values: new Map(leavesOf(root)), ...lines }
}

/** @param file that the text was read from, which may be parsed already */
function bodyOf(path: string, whole: string, file?: StateFile): Lines & { readonly root: Located | undefined } {
  const noLines = { lines: [], firstLine: 1 }
  const text = new StateText(path, whole)
  if (path.endsWith('.json')) return { root: (file ? jsonOf(path, file) : parseLocatedJson(text)).root, ...noLines }
  if (/\.ya?ml$/.test(path)) return { root: parseLocatedYaml(text).root, ...noLines }
  const { document, bodyStart } = readFrontMatter(text)
  const body = whole.slice(bodyStart)
  return {
    root: document.root,
    lines: body === '' ? [] : body.split(/\r?\n/),
    firstLine: text.lines.place(bodyStart).line,
  }
}

/** As it is written; undefined for what has values in it. */
function leafText(node: Located): string | undefined {
  if (node.kind === 'scalar') return node.written.trim()
  if (node.kind === 'list') return node.items.length === 0 ? '[]' : undefined
  return node.fields.size === 0 ? '{}' : undefined
}

function* leavesOf(node: Located | undefined): Iterable<readonly [pointer: string, written: string]> {
  if (!node) return
  const text = leafText(node)
  if (text !== undefined) yield [node.pointer, text]
  else if (node.kind === 'list') for (const item of node.items) yield* leavesOf(item)
  else if (node.kind === 'map') for (const { value } of node.fields.values()) yield* leavesOf(value)
}

/** What is new or another now, in the order of the file, and then what is gone. */
function changedValues(before: Located | undefined, after: Located | undefined): Observation[] {
  const changed: Observation[] = []
  const gone: Observation[] = []
  const add = (node: Located | undefined) => {
    for (const [field, to] of leavesOf(node)) changed.push({ field, from: null, to: keep(to) })
  }
  const remove = (node: Located | undefined) => {
    for (const [field, from] of leavesOf(node)) gone.push({ field, from: keep(from), to: null })
  }
  const compare = (old: Located | undefined, now: Located | undefined): void => {
    const [from, to] = [old && leafText(old), now && leafText(now)]
    if (now && from !== undefined && to !== undefined) {
      if (from !== to) changed.push({ field: now.pointer, from: keep(from), to: keep(to) })
    } else if (from !== undefined || to !== undefined) {
      add(now)
      remove(old)
    } else if (old?.kind === 'list' && now?.kind === 'list') {
      for (const [index, item] of now.items.entries()) compare(old.items[index], item)
      for (const item of old.items.slice(now.items.length)) remove(item)
    } else if (old?.kind === 'map' && now?.kind === 'map') {
      for (const [key, { value }] of now.fields) compare(old.fields.get(key)?.value, value)
      for (const [key, { value }] of old.fields) if (!now.fields.has(key)) remove(value)
    } else {
      add(now)
      remove(old)
    }
  }
  compare(before, after)
  return [...changed, ...gone]
}

/** Lines that changed in their place one by one; what was put in or taken out as one. */
function changedLines(before: Lines, after: Lines): Observation[] {
  const [old, now] = [before.lines, after.lines]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const [taken, put] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
  const field = (index: number) => `line ${after.firstLine + head + index}`
  if (taken.length === 0 && put.length === 0) return []
  if (taken.length === put.length) {
    return put.flatMap((to, index) => {
      const from = taken[index] ?? ''
      return from === to ? [] : [{ field: field(index), from: keep(from), to: keep(to) }]
    })
  }
  const joined = (lines: readonly string[]) => (lines.length === 0 ? null : keep(lines.slice(0, 20).join('\n')))
  return [{ field: field(0), from: joined(taken), to: joined(put) }]
}

const keep = (text: string): string => cut(text, MAX_VALUE_CHARACTERS)
