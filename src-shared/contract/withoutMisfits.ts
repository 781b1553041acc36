import type { z } from 'zod'

/** So many times entries are left out before the whole value is refused. */
const MAX_ROUNDS = 3

interface Outcome<Value> {
  readonly value: Value
  readonly left: readonly string[]
}

/**
 * Leaves out list entries that do not fit, so that they do not take the others with them. Entries that are not objects
 * stay, as their positions may count.
 * @throws ZodError where something else does not fit
 */
export function parseWithoutMisfits<Value>(schema: z.ZodType<Value>, value: unknown): Outcome<Value> {
  const left: string[] = []
  for (let round = 0, rest = value; ; round++) {
    const parsed = schema.safeParse(rest)
    if (parsed.success) return { value: parsed.data, left }
    const misfits = new Set<object>()
    for (const { path, message } of parsed.error.issues) {
      const entry = entryAt(rest, path)
      if (!entry || round === MAX_ROUNDS) throw parsed.error
      if (!misfits.has(entry)) left.push(`${path.join('.')}: ${message}`)
      misfits.add(entry)
    }
    rest = without(rest, misfits)
  }
}

function entryAt(value: unknown, path: readonly PropertyKey[]): object | undefined {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined
    const isList = Array.isArray(at)
    at = Reflect.get(at, key)
    if (isList && typeof at === 'object' && at !== null && !Array.isArray(at)) return at
  }
  return undefined
}

/** Bytes, and what holds none of these entries, stay as they are. */
function without(value: unknown, misfits: ReadonlySet<object>): unknown {
  if (Array.isArray(value))
    return value.filter((entry) => !misfits.has(entry as object)).map((entry) => without(entry, misfits))
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, without(inner, misfits)]))
}
