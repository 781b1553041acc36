import { resolve } from 'node:path'
import type { OperationDescription } from '@shared/contract/tasks'
import { parseUnambiguousAddress } from '@shared/c64/address'
import { isJsonObject, parseJson, type Json, type JsonObject } from '@shared/json'
import { Catalogue } from '../../../tasks/catalogue'
import { findOperation, operations } from '../../../tasks/operations'
import type { Parameters } from '../../command'
import { text } from '../../parameters'
import { asUsage, UsageError } from '../../usageError'

export const catalogue = new Catalogue({ all: operations, find: findOperation })

export const operationNames: readonly string[] = operations.map(({ name }) => name)

/** @throws AppError INVALID for an operation that does not exist */
export function describeOperation(operation: string): OperationDescription {
  const { name } = findOperation(operation)
  const found = catalogue.describe().find((described) => described.name === name)
  if (!found) throw new UsageError(`There is no operation “${operation}”.`)
  return found
}

export function argumentOptions(operation: string): Parameters {
  if (!catalogue.get(operation)) return {}
  return Object.fromEntries(
    argumentHelp(describeOperation(operation)).map(({ name, help }) => [name, text('VALUE', help)]),
  )
}

export function argumentHelp({ arguments: schema }: OperationDescription): { name: string; help: string }[] {
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : []
  return Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const { description, default: fallback, enum: choices } = isJsonObject(property) ? property : {}
    const notes = [
      ...(typeof description === 'string' ? [description] : []),
      ...(Array.isArray(choices) ? [`One of ${choices.map(String).join(', ')}.`] : []),
      ...(fallback === undefined ? [] : [`Default ${JSON.stringify(fallback)}.`]),
      ...(required.includes(name) ? ['Required.'] : []),
    ]
    return { name, help: notes.join(' ') }
  })
}

export const propertiesOf = (schema: Json): JsonObject =>
  isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}

/**
 * `--args`, overridden by single options.
 * @param folder base of relative paths
 * @throws UsageError where `--args` is not a JSON object
 */
export function readTaskArguments(
  operation: string,
  whole: string | undefined,
  options: ReadonlyMap<string, string>,
  folder: string,
): JsonObject {
  const args = whole === undefined ? {} : asUsage(() => parseJson(whole, '--args'))
  if (!isJsonObject(args)) throw new UsageError('--args must be a JSON object.')
  if (options.size === 0) return args
  const properties = propertiesOf(describeOperation(operation).arguments)
  const given = [...options].map(([name, written]) => [name, valueOf(written, properties[name], folder)] as const)
  return { ...args, ...Object.fromEntries(given) }
}

function valueOf(written: string, property: Json | undefined, folder: string): Json {
  const { type, format } = property !== undefined && isJsonObject(property) ? property : {}
  if (format === 'path') return resolve(folder, written)
  if (format === 'address' || format === 'ranges') refuseAmbiguous(written)
  if (type === 'string') return written
  try {
    return parseJson(written, '')
  } catch {
    return written
  }
}

/**
 * Operations read digits alone as decimal, as c64bridge does.
 * @throws UsageError for `0427`, which could be $0427 too
 */
function refuseAmbiguous(addresses: string): void {
  for (const [digits] of addresses.matchAll(/(?<![\w$%+.])0\d+(?!\w)/g)) asUsage(() => parseUnambiguousAddress(digits))
}
