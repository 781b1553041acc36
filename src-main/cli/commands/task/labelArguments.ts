/** A task gets addresses in place of labels: it does not know the labels, and they may move while it runs. */
import { formatRange } from '@shared/c64/address'
import { isJsonObject, type Json, type JsonObject } from '@shared/json'
import { mayHaveLabel, resolvePlace } from '../../place'
import type { Session } from '../../session'
import { describeOperation, propertiesOf } from './catalogue'

export const haveLabels = (operation: string, args: JsonObject): boolean =>
  placesOf(operation, args).some(({ places }) => places.some(mayHaveLabel))

/** @throws UsageError for a name that the machine's program does not have */
export async function withAddresses(
  session: Session,
  machine: string,
  operation: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  const resolve = async (text: string, range: boolean): Promise<string> => {
    if (!mayHaveLabel(text)) return text
    const place = await resolvePlace(() => Promise.resolve(session), machine, { text, range, known: null }, signal)
    return formatRange({ start: place.start, end: place.end + 1 })
  }
  const resolved: JsonObject = { ...args }
  for (const { name, range, places } of placesOf(operation, args)) {
    const written = await Promise.all(places.map((text) => resolve(text, range)))
    resolved[name] = Array.isArray(args[name]) ? written : written.join(', ')
  }
  return resolved
}

interface WrittenPlaces {
  readonly name: string
  /** Whether `tab+3` is three bytes from tab, not the single byte at tab + 3. */
  readonly range: boolean
  readonly places: readonly string[]
}

function placesOf(operation: string, args: JsonObject): WrittenPlaces[] {
  return Object.entries(propertiesOf(describeOperation(operation).arguments)).flatMap(([name, property]) => {
    const isPlace = isJsonObject(property) && (property.format === 'address' || property.format === 'ranges')
    const places = isPlace ? textsOf(args[name]) : []
    return places.length === 0 ? [] : [{ name, range: isJsonObject(property) && property.format === 'ranges', places }]
  })
}

const textsOf = (value: Json | undefined): string[] => {
  if (typeof value === 'string') return value.split(/[,;\s]+/).filter(Boolean)
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : []
}
