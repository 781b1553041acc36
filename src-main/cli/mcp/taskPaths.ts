import { isJsonObject, parseJson, type Json } from '@shared/json'
import { describeOperation, propertiesOf } from '../commands/task/catalogue'

export function taskPaths({ operation, args }: Readonly<Record<string, unknown>>): string[] {
  if (typeof operation !== 'string' || typeof args !== 'string') return []
  try {
    const given: Json = parseJson(args, 'args')
    const schema = propertiesOf(describeOperation(operation).arguments)
    if (!isJsonObject(given)) return []
    return Object.entries(given).flatMap(([name, value]) => {
      const property = schema[name]
      const isPath = property !== undefined && isJsonObject(property) && property['format'] === 'path'
      return isPath && typeof value === 'string' ? [value] : []
    })
  } catch {
    return []
  }
}
