import { isJsonObject, parseJson, type Json } from '@shared/json'

interface RunValue {
  readonly run: number
  /** ms since 1970 */
  readonly time: number
  readonly value: Json
}

export interface Series {
  readonly name: string
  readonly kind: 'bytes' | 'number'
  readonly length: number
}

export interface Point {
  readonly time: number
  readonly value: number
}

/**
 * Skips lines that are cut or damaged.
 * @param startedAt of the task, ms since 1970
 */
export function parseRuns(text: string, startedAt: number): RunValue[] {
  return text.split('\n').flatMap((line) => {
    const json = readLine(line)
    if (!isJsonObject(json)) return []
    const { run, at, value } = json
    if (typeof run !== 'number' || typeof at !== 'number' || value === undefined) return []
    return [{ run, time: startedAt + at, value }]
  })
}

function readLine(line: string): Json {
  try {
    return parseJson(line, '')
  } catch {
    return null
  }
}

export function seriesOf(runs: readonly RunValue[]): Series[] {
  const found = new Map<string, Series>()
  for (const { value } of runs) {
    for (const [name, field] of fieldsOf(value)) {
      const bytes = bytesOf(field)
      const known = found.get(name)
      if (bytes !== null) found.set(name, { name, kind: 'bytes', length: Math.max(bytes, known?.length ?? 0) })
      else if (known === undefined && numberOf(field) !== null) found.set(name, { name, kind: 'number', length: 1 })
    }
  }
  return [...found.values()].sort((a, b) => Number(b.kind === 'bytes') - Number(a.kind === 'bytes'))
}

export function pointsOf(runs: readonly RunValue[], { name, kind }: Series, offset: number): Point[] {
  return runs.flatMap(({ time, value }) => {
    const field = fieldsOf(value).find(([one]) => one === name)?.[1]
    const read = kind === 'bytes' ? byteOf(field, offset) : numberOf(field)
    return read === null ? [] : [{ time, value: read }]
  })
}

const fieldsOf = (value: Json): [string, Json][] => (isJsonObject(value) ? Object.entries(value) : [['', value]])

/** Number of bytes in a hexadecimal text; null for anything else, an address too. */
const bytesOf = (value: Json): number | null =>
  typeof value === 'string' && /^([0-9a-f]{2})+$/.test(value) ? value.length / 2 : null

function byteOf(value: Json | undefined, offset: number): number | null {
  if (typeof value !== 'string' || (bytesOf(value) ?? 0) <= offset) return null
  return Number.parseInt(value.slice(2 * offset, 2 * offset + 2), 16)
}

const numberOf = (value: Json | undefined): number | null =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null
