import type { Output } from '@shared/contract/contract'
import { MAX_TASK_PAGE } from '@shared/contract/tasks'
import { isJsonObject, parseJson, type Json, type JsonObject } from '@shared/json'
import { readEntry } from './entry'
import type { StoredTask } from './mergeTask'
import { usableId } from './registryFile'
import { compareIds } from './taskId'

/** Longer text is no entry. */
const MAX_ENTRY_CHARACTERS = 1024 * 1024

/** At most so many times the length of the text is parsed: objects in objects are parsed again with each. */
const PARSED_SHARE = 8

export interface RepairPlan {
  readonly entries: readonly { readonly entry: JsonObject; readonly source: 'folder' | 'file' }[]
  readonly leftOut: readonly string[]
}

export function describeRepair({
  entries,
  leftOut,
  stamp,
  problem,
  aside,
}: RepairPlan & { stamp: string; problem: string; aside: string }): Output<'tasks.previewRepair'> {
  const listed = entries.slice(0, MAX_TASK_PAGE).map(({ entry, source }) => {
    const { id, status } = readEntry(entry)
    return { id, status, source }
  })
  return {
    stamp,
    problem: problem.slice(0, 2000),
    aside,
    entries: listed,
    more: entries.length - listed.length,
    leftOut: leftOut.slice(0, 100),
  }
}

export function planRepair(damaged: string, tasks: Iterable<readonly [string, StoredTask]>): RepairPlan {
  const salvaged = new Map(salvageEntries(damaged).map((entry) => [readEntry(entry).id, entry]))
  const found = new Map<string, RepairPlan['entries'][number]>()
  const leftOut: string[] = []
  for (const [id, { entry, own }] of tasks) {
    const written = salvaged.get(id)
    if (own !== null) found.set(id, { entry: { ...written, ...entry }, source: 'folder' })
    else if (!written && entry.status !== 'unknown') found.set(id, { entry, source: 'folder' })
    else if (!written) leftOut.push(id)
  }
  for (const [id, entry] of salvaged) if (!found.has(id)) found.set(id, { entry, source: 'file' })
  return {
    entries: [...found].sort(([one], [other]) => compareIds(one, other)).map(([, repaired]) => repaired),
    leftOut,
  }
}

export function salvageEntries(text: string): JsonObject[] {
  // A string ends with its line at the latest, so that an unclosed one does not spoil the next line.
  const token = /"(?:[^"\\\n]|\\.)*"|[{}]/g
  const open: number[] = []
  const found: { readonly start: number; readonly entry: JsonObject }[] = []
  let budget = PARSED_SHARE * text.length
  for (let match = token.exec(text); match && budget > 0; match = token.exec(text)) {
    if (match[0] === '{') open.push(match.index)
    const start = match[0] === '}' ? open.pop() : undefined
    const length = token.lastIndex - (start ?? token.lastIndex)
    if (start === undefined || length > MAX_ENTRY_CHARACTERS) continue
    budget -= length
    const entry = tryParse(text.slice(start, token.lastIndex))
    if (!isEntry(entry)) continue
    // What only looked like an entry stood in the arguments of this one.
    while ((found.at(-1)?.start ?? -1) > start) found.pop()
    found.push({ start, entry })
  }
  return found.map(({ entry }) => entry)
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text, '')
  } catch {
    return undefined
  }
}

const isEntry = (json: Json | undefined): json is JsonObject =>
  isJsonObject(json) &&
  typeof json.id === 'string' &&
  usableId.test(json.id) &&
  typeof json.operation === 'string' &&
  typeof json.status === 'string'
