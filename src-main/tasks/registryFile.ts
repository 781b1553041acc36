/** Everything that is not understood stays as it is. */
import { AppError } from '@shared/contract/errors'
import { isJsonObject, lineAndColumn, offsetOf, parseJson, printJson, type Json, type JsonObject } from '@shared/json'

export const REGISTRY = 'tasks.json'

export interface Registry {
  readonly rest: JsonObject
  /** By id, in their order. Of several with one id the last counts. */
  readonly entries: ReadonlyMap<string, JsonObject>
  readonly others: readonly Json[]
  readonly notices: readonly string[]
}

export const noEntries: Registry = { rest: {}, entries: new Map(), others: [], notices: [] }

/** Ids that are longer or hold control characters are not shown. */
export const usableId = /^\P{Cc}{1,300}$/u

/** @throws AppError INVALID with line and column */
export function parseRegistry(text: string): Registry {
  const json = parseJson(text, REGISTRY)
  const place = (...path: (string | number)[]) => `${REGISTRY}:${lineAndColumn(text, offsetOf(text, path))}`
  if (!isJsonObject(json)) throw new AppError('INVALID', `${place()}: an object with the list “tasks” was expected.`)
  const { tasks, ...rest } = json
  if (!Array.isArray(tasks)) throw new AppError('INVALID', `${place('tasks')}: a list was expected as “tasks”.`)
  const entries = new Map<string, JsonObject>()
  const others: Json[] = []
  const notices: string[] = []
  for (const [index, entry] of tasks.entries()) {
    if (!isJsonObject(entry) || typeof entry.id !== 'string' || !usableId.test(entry.id)) {
      others.push(entry)
      notices.push(
        `${place('tasks', index)}: an object with a text of at most 300 characters as “id” was expected; it is left as it is.`,
      )
      continue
    }
    const earlier = entries.get(entry.id)
    if (earlier) {
      others.push(earlier)
      notices.push(
        `${place('tasks', index)}: the id ${entry.id.slice(0, 100)} comes again; this entry counts, and the earlier one is left as it is.`,
      )
    }
    entries.set(entry.id, entry)
  }
  return { rest, entries, others, notices }
}

/** Kept as long as the entries themselves, as nearly all of them stay the same from one time to the next. */
const printed = new WeakMap<JsonObject, string>()

export function printEntry(entry: JsonObject): string {
  const known = printed.get(entry)
  if (known !== undefined) return known
  const text = printJson(entry, '    ')
  printed.set(entry, text)
  return text
}
