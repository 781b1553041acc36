/** Edits TOML as text, as no library keeps comments. The caller parses the result and compares. */
import { parse, stringify, TomlError } from 'smol-toml'
import { isTable, refusal, type ConfigText, type Table } from './configText'

export const tomlText: ConfigText = {
  parse: (text, file) => {
    try {
      return parse(text)
    } catch (error) {
      const why = error instanceof TomlError ? `: line ${error.line}, column ${error.column}` : ''
      throw refusal(file, `it is no TOML${why}`)
    }
  },
  edit: (text, path, before, after) => {
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    const lines = text.split(/\r?\n/)
    const edited =
      after === null
        ? removeTables(lines, path)
        : before === null
          ? appendTable(lines, path, after)
          : Object.keys(before).every((key) => key in after)
            ? editTable(lines, path, before, after)
            : appendTable(removeTables(lines, path), path, after)
    return edited.join(eol)
  },
}

type Lines = readonly string[]
type Path = readonly string[]

function appendTable(lines: Lines, path: Path, table: Table): string[] {
  const kept = [...lines]
  while (kept.at(-1)?.trim() === '') kept.pop()
  const body = Object.entries(table).map(([key, value]) => setting(key, value))
  return [...kept, ...(kept.length === 0 ? [] : ['']), `[${path.join('.')}]`, ...body, '']
}

function editTable(lines: Lines, path: Path, before: Table, after: Table): string[] {
  let now = [...lines]
  for (const [key, value] of Object.entries(after)) {
    const old = before[key]
    if (JSON.stringify(old) === JSON.stringify(value)) continue
    const inner = [...path, key]
    if (isTable(value) && bodyOf(now, inner)) {
      for (const [name, one] of Object.entries(value)) now = setIn(now, inner, name, one)
      for (const name of Object.keys(isTable(old) ? old : {}))
        if (!(name in value)) now = setIn(now, inner, name, undefined)
    } else now = setIn(now, path, key, value)
  }
  return now
}

/** @param value undefined to remove the setting */
function setIn(lines: Lines, path: Path, key: string, value: unknown): string[] {
  const body = bodyOf(lines, path)
  // Written in another way: the result is then not what was wanted, and is refused.
  if (!body) return [...lines]
  const place = settingAt(lines, body, key)
  const wanted = value === undefined ? [] : [setting(key, value) + (place?.comment ?? '')]
  const [start, end] = place ? [place.start, place.end] : [body.start, body.start]
  return [...lines.slice(0, start), ...wanted, ...lines.slice(end)]
}

function removeTables(lines: Lines, path: Path): string[] {
  let left = [...lines]
  for (;;) {
    const body = heads(left).find(({ path: found }) => path.every((part, index) => found[index] === part))
    if (!body) return left
    let end = body.end
    while (end < left.length && end > body.start && /^\s*(#.*)?$/.test(left[end - 1] ?? '')) end--
    const start = end === left.length || left[body.head - 1]?.trim() !== '' ? body.head : body.head - 1
    left = [...left.slice(0, start), ...left.slice(end)]
  }
}

interface Body {
  readonly head: number
  readonly start: number
  readonly end: number
}

const bodyOf = (lines: Lines, path: Path): Body | undefined =>
  heads(lines).find(({ path: found }) => found.length === path.length && path.every((part, at) => found[at] === part))

function heads(lines: Lines): (Body & { readonly path: Path })[] {
  const found = lines.flatMap((line, head) => {
    const path = /^\s*\[/.test(line) ? pathOfHead(line) : undefined
    return path ? [{ head, path }] : []
  })
  return found.map(({ head, path }, index) => ({
    head,
    path,
    start: head + 1,
    end: found[index + 1]?.head ?? lines.length,
  }))
}

function pathOfHead(line: string): Path | undefined {
  const path: string[] = []
  let at = parsed(line)
  if (!at) return undefined
  for (;;) {
    const [entry] = Object.entries(at)
    if (!entry) return path
    path.push(entry[0])
    const [, value] = entry
    const inner: unknown = Array.isArray(value) ? value[0] : value
    if (!isTable(inner)) return path
    at = inner
  }
}

/** A value may span lines: it ends where it can be parsed. */
function settingAt(lines: Lines, { start, end }: Body, key: string) {
  for (let at = start; at < end; at++) {
    if (!new RegExp(`^\\s*["']?${key}["']?\\s*=`).test(lines[at] ?? '')) continue
    for (let next = at + 1; next <= end; next++) {
      const text = lines.slice(at, next).join('\n')
      if (!parsed(text)) continue
      const last = text.lastIndexOf('\n') + 1
      const marks = [...text.slice(last).matchAll(/\s*#/g)].map(({ index }) => last + index)
      const comment = marks.find((mark) => parsed(text.slice(0, mark)))
      return { start: at, end: next, comment: comment === undefined ? '' : text.slice(comment) }
    }
  }
  return undefined
}

function setting(key: string, value: unknown): string {
  if (!isTable(value)) return stringify({ [key]: value }).trimEnd()
  return `${key} = { ${Object.entries(value)
    .map(([name, one]) => setting(name, one))
    .join(', ')} }`
}

function parsed(text: string): Table | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
