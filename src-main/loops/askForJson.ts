import type { z } from 'zod'
import { describeIssues } from '@shared/contract/describeIssues'
import type { AgentResult } from '../agents/agent'

/** Characters from the end of an answer: what counts is said last. */
const MAX_SEARCHED_LENGTH = 2 * 1024 * 1024
/** Places where JSON may begin, and characters read for them: text full of braces is given up after these. */
const MAX_STARTS = 500
const MAX_READ_LENGTH = 16 * 1024 * 1024

export interface FoundJson<T> {
  readonly value: T
  readonly json: object
}

export type JsonAnswer<T> =
  | ({ readonly kind: 'found' } & FoundJson<T>)
  | { readonly kind: 'none'; readonly result: AgentResult }

export type RepairAgent = (raw: string) => Promise<AgentResult>

export async function askForJson<T>(
  ask: () => Promise<AgentResult>,
  schema: z.ZodType<T>,
  repair: RepairAgent,
): Promise<JsonAnswer<T>> {
  const result = await ask()
  if (result.status !== 'success') return { kind: 'none', result }
  const found = await findOrRepairJson(result.data, schema, repair)
  return found ? { kind: 'found', ...found } : { kind: 'none', result }
}

const MAX_ASKS = 3

export type FittingAnswer<T> =
  | { readonly kind: 'fits'; readonly value: T }
  | { readonly kind: 'none'; readonly reason: string; readonly result: AgentResult }

/**
 * @param ask gets what was wrong with the answer before
 * @param problemOf why an answer cannot be used, in a sentence; undefined when it can
 */
export async function askUntilFits<T>(
  ask: (problem: string | undefined) => Promise<AgentResult>,
  schema: z.ZodType<T>,
  problemOf: (value: T) => Promise<string | undefined>,
): Promise<FittingAnswer<T>> {
  let problem: string | undefined
  for (let asked = 1; ; asked++) {
    const result = await ask(problem)
    if (result.status !== 'success') return { kind: 'none', reason: result.reason, result }
    const found = findJson(result.data, schema)
    problem = found ? await problemOf(found.value) : describeMissingJson(result.data, schema)
    if (found && problem === undefined) return { kind: 'fits', value: found.value }
    if (asked === MAX_ASKS) return { kind: 'none', reason: problem ?? '', result }
  }
}

export async function findOrRepairJson<T>(
  raw: string,
  schema: z.ZodType<T>,
  repair: RepairAgent,
): Promise<FoundJson<T> | undefined> {
  const found = findJson(raw, schema)
  if (found || raw.trim() === '') return found
  const { status, data } = await repair(raw)
  return status === 'success' ? findJson(data, schema) : undefined
}

/** The last object that fits counts: on its own, in a fence, or between sentences. */
export function findJson<T>(raw: string, schema: z.ZodType<T>): FoundJson<T> | undefined {
  let found: FoundJson<T> | undefined
  for (const json of objectsIn(raw.slice(-MAX_SEARCHED_LENGTH))) {
    const parsed = schema.safeParse(json)
    if (parsed.success) found = { value: parsed.data, json }
  }
  return found
}

export function describeMissingJson(raw: string, schema: z.ZodType): string {
  const last = [...objectsIn(raw.slice(-MAX_SEARCHED_LENGTH))].at(-1)
  if (!last) return raw.trim() === '' ? 'It printed no answer.' : 'Its answer holds no JSON object.'
  return `The JSON object in its answer does not fit: ${describeIssues(schema.safeParse(last).error?.issues ?? [])}.`
}

function* objectsIn(source: string): Generator<object> {
  const whole = parse(source.trim())
  if (whole) {
    yield whole
    return
  }
  let read = 0
  let starts = 0
  for (let from = source.indexOf('{'); from >= 0 && starts < MAX_STARTS && read < MAX_READ_LENGTH; starts++) {
    const end = endOfObject(source, from)
    read += (end ?? source.length) - from
    const json = end === undefined ? undefined : parse(source.slice(from, end))
    if (json) yield json
    from = source.indexOf('{', json && end !== undefined ? end : from + 1)
  }
}

/** Braces in strings do not count. */
function endOfObject(source: string, from: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = from; at < source.length; at++) {
    const character = source[at]
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"' || character === '\n') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return undefined
}

function parse(source: string): object | undefined {
  if (!source.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(source)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
