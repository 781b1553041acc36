/** What changed between two versions of a state file, value by value, for the journal. */
import { readFrontMatter } from './text/frontMatter'
import type { Located } from './text/located'
import { parseLocatedJson } from './text/locatedJson'
import { parseLocatedYaml } from './text/locatedYaml'
import { StateText, type StateFile } from './text/stateFile'

export interface Observation {
  /** A JSON pointer, `line 12`, or null for the file as a whole. */
  readonly field: string | null
  /** As written; null where there was nothing. */
  readonly from: string | null
  readonly to: string | null
}

/** Values of one write that are told one by one; of the rest their number is told. */
const MOST = 200

/** Of a value that is kept. */
const LONGEST = 300

/** Files with secrets: of them it is kept that they changed, and nothing of what is in them. */
const secret = /(^|\/)\.env[^/]*$/
export const isSecret = (path: string): boolean => secret.test(path)

/** @returns empty when nothing but the places of the values changed */
export function differences(before: StateFile, after: StateFile): Observation[] {
  if (before.text === null || after.text === null || isSecret(after.path)) return [{ field: null, from: null, to: null }]
  const [old, now] = [partsOf(before.path, before.text, cut), partsOf(after.path, after.text, cut)]
  const found = [...changedValues(old.values, now.values), ...changedLines(old, now)]
  if (found.length <= MOST) return found
  return [...found.slice(0, MOST), { field: null, from: null, to: `${found.length - MOST} more values` }]
}

/** What a state file is made of. */
export interface Parts {
  /** Values as they are written, by JSON pointer. */
  readonly values: ReadonlyMap<string, string>
  /** Of what is no JSON or YAML. */
  readonly lines: readonly string[]
  /** The number of the first of the lines. */
  readonly firstLine: number
}

/** @param shorten what is kept of a value; all of it unless told */
export function partsOf(path: string, whole: string, shorten: (text: string) => string = (text) => text): Parts {
  const text = new StateText(path, whole)
  const values = new Map<string, string>()
  if (path.endsWith('.json')) {
    collect(parseLocatedJson(text).root, values, shorten)
    return { values, lines: [], firstLine: 1 }
  }
  if (/\.ya?ml$/.test(path)) {
    collect(parseLocatedYaml(text).root, values, shorten)
    return { values, lines: [], firstLine: 1 }
  }
  const { document, bodyStart } = readFrontMatter(text)
  collect(document.root, values, shorten)
  const body = whole.slice(bodyStart)
  return { values, lines: body === '' ? [] : body.split(/\r?\n/), firstLine: text.lines.place(bodyStart).line }
}

function collect(node: Located | undefined, values: Map<string, string>, shorten: (text: string) => string): void {
  if (!node) return
  if (node.kind === 'scalar') values.set(node.pointer, shorten(node.written.trim()))
  else if (node.kind === 'list') {
    if (node.items.length === 0) values.set(node.pointer, '[]')
    for (const item of node.items) collect(item, values, shorten)
  } else {
    if (node.fields.size === 0) values.set(node.pointer, '{}')
    for (const { value } of node.fields.values()) collect(value, values, shorten)
  }
}

function* changedValues(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Iterable<Observation> {
  for (const [field, to] of after) {
    const from = before.get(field) ?? null
    if (from !== to) yield { field, from, to }
  }
  for (const [field, from] of before) if (!after.has(field)) yield { field, from, to: null }
}

/** Lines that changed in their place one by one; what was put in or taken out as one. */
function changedLines(before: Parts, after: Parts): Observation[] {
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
      return from === to ? [] : [{ field: field(index), from: cut(from), to: cut(to) }]
    })
  }
  const joined = (lines: readonly string[]) => (lines.length === 0 ? null : cut(lines.slice(0, 20).join('\n')))
  return [{ field: field(0), from: joined(taken), to: joined(put) }]
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
