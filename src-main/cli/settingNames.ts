import { isJsonObject, type Json, type JsonObject } from '@shared/json'
import { didYouMean } from './nearestName'
import { UsageError } from './usageError'

export function listSettings(settings: JsonObject): [name: string, value: Json][] {
  return Object.entries(settings).flatMap(([name, value]): [string, Json][] =>
    isGroup(name, value) ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner]) : [[name, value]],
  )
}

/** @throws UsageError for a setting that does not exist */
export function findSetting(settings: JsonObject, name: string): Json {
  const found = listSettings(settings).find(([known]) => known === name)
  if (found) return found[1]
  const group = settings[name]
  if (Object.hasOwn(settings, name) && group !== undefined) return group
  const names = listSettings(settings).map(([known]) => known)
  throw new UsageError(`There is no setting “${name}”.${didYouMean(name, names)}`, 'setting get')
}

export function settingChange(settings: JsonObject, name: string, value: Json): JsonObject {
  findSetting(settings, name)
  const [group = '', part] = name.split('.')
  const before = settings[group]
  return { [group]: part === undefined || !isJsonObject(before) ? value : { ...before, [part]: value } }
}

/** Maps of keys are no groups: their names are values too. */
const freeKeys: ReadonlySet<string> = new Set(['keyOverrides', 'joystickKeys'])

const isGroup = (name: string, value: Json | undefined): value is JsonObject =>
  value !== undefined && isJsonObject(value) && !freeKeys.has(name)
