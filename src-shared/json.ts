import { AppError } from '@shared/contract/errors'

export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `12:7` for the offset of a character in a text; both count from 1. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return `${before.split('\n').length}:${offset - lineStart + 1}`
}

/** @throws AppError INVALID as `file:line:column: what was expected there` */
export function parseJson(text: string, file: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json
  } catch (error) {
    const { offset, expected } = findJsonError(text)
    const found =
      offset >= text.length ? 'the file ends here' : `here is ${JSON.stringify(text.slice(offset, offset + 10))}`
    throw new AppError('INVALID', `${file}:${lineAndColumn(text, offset)}: ${expected} was expected, ${found}.`, {
      cause: error,
    })
  }
}

type Expectation =
  | 'a value'
  | 'a value or “]”'
  | 'a key in quotes or “}”'
  | 'a key in quotes'
  | '“:”'
  | '“,” or “]”'
  | '“,” or “}”'
  | 'the end of the file'

/** Where a text stops being JSON; JSON.parse does not always tell. */
export function findJsonError(text: string): { offset: number; expected: Expectation } {
  const token =
    /([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y
  const open: ('{' | '[')[] = []
  const afterValue = (): Expectation => {
    const inner = open.at(-1)
    return inner === undefined ? 'the end of the file' : inner === '{' ? '“,” or “}”' : '“,” or “]”'
  }
  let expected: Expectation = 'a value'
  let offset = skipSpace(text, 0)
  for (; offset < text.length; offset = skipSpace(text, token.lastIndex)) {
    token.lastIndex = offset
    const [whole, sign, string] = token.exec(text) ?? []
    if (whole === undefined) break
    const takesValue = expected === 'a value' || expected === 'a value or “]”'
    if (sign === undefined && takesValue) expected = afterValue()
    else if (string !== undefined && expected.startsWith('a key')) expected = '“:”'
    else if (sign === ':' && expected === '“:”') expected = 'a value'
    else if (sign === ',' && expected === '“,” or “}”') expected = 'a key in quotes'
    else if (sign === ',' && expected === '“,” or “]”') expected = 'a value'
    else if ((sign === '{' || sign === '[') && takesValue) {
      open.push(sign)
      expected = sign === '{' ? 'a key in quotes or “}”' : 'a value or “]”'
    } else if ((sign === '}' || sign === ']') && expected.endsWith(`“${sign}”`)) {
      open.pop()
      expected = afterValue()
    } else break
  }
  return { offset, expected }
}

const LINE_KEY = 'args'

/**
 * JSON as spec 001 prints it: two spaces, no line end at the end; lists of plain values, plain objects in lists and
 * anything called `args` are in one line.
 * @param indentation of the lines after the first
 */
export function printJson(value: Json, indentation = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indentation}  `
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return printInLine(value)
    const items = value.map((item) =>
      isJsonObject(item) && Object.values(item).every(isPlain) ? printInLine(item) : printJson(item, inner),
    )
    return `[\n${inner}${items.join(`,\n${inner}`)}\n${indentation}]`
  }
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}: ${key === LINE_KEY ? printInLine(field) : printJson(field, inner)}`,
  )
  return fields.length === 0 ? '{}' : `{\n${inner}${fields.join(`,\n${inner}`)}\n${indentation}}`
}

const isPlain = (value: Json): boolean => typeof value !== 'object' || value === null

export function printInLine(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(printInLine).join(', ')}]`
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${printInLine(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

export function offsetOf(text: string, path: readonly (string | number)[]): number {
  let at = skipSpace(text, 0)
  for (const step of path) {
    const found = childOf(text, at, step)
    if (found === undefined) return at
    at = found
  }
  return at
}

function childOf(text: string, start: number, step: string | number): number | undefined {
  const isList = text[start] === '['
  if (!isList && text[start] !== '{') return undefined
  let at = skipSpace(text, start + 1)
  for (let index = 0; at < text.length && text[at] !== ']' && text[at] !== '}'; index++) {
    let key: unknown = index
    if (!isList) {
      const end = skipValue(text, at)
      key = JSON.parse(text.slice(at, end))
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    if (key === step) return at
    at = skipSpace(text, skipValue(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return undefined
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && ' \t\r\n\uFEFF'.includes(text[at] ?? '')) at++
  return at
}

function skipValue(text: string, at: number): number {
  let depth = 0
  for (; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if ('[{'.includes(character)) depth++
    else if (']}'.includes(character) && --depth < 0) return at
    else if (depth === 0 && ', \t\r\n:'.includes(character)) return at
    else continue
    if (depth === 0) return at + 1
  }
  return at
}
