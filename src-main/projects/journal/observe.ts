import { cut } from '@shared/contract/bounded'
import { readFrontMatter } from '../../formats/text/frontMatter'
import type { Located } from '../../formats/text/located'
import { jsonOf, parseLocatedJson } from '../../formats/text/locatedJson'
import { parseLocatedYaml } from '../../formats/text/locatedYaml'
import { StateText, type StateFile } from '../../formats/text/stateFile'

export interface Observation {
  readonly field: string | null
  /** Null where there was nothing. */
  readonly from: string | null
  readonly to: string | null
}

/** Further changes of one write are only counted. */
const MAX_CHANGES_PER_WRITE = 200

const MAX_VALUE_CHARACTERS = 300

/** Of files with secrets only the fact of a change is kept, nothing of their content. */
const secret = /(^|\/)\.env[^/]*$/
export const isSecret = (path: string): boolean => secret.test(path)

/** @returns empty when only the places of the values changed */
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
  readonly lines: readonly string[]
  readonly firstLine: number
}

export interface Parts extends Lines {
  readonly values: ReadonlyMap<string, string>
}

export function partsOf(path: string, text: string): Parts {
  const { root, ...lines } = bodyOf(path, text)
  return { values: new Map(leavesOf(root)), ...lines }
}

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
