/**
 * Short, as an agent reads it in every session, and with only the JSON schema that the strictest known clients take
 * (`test/support/mcpSchemaRules.ts`).
 */
import { isDeepStrictEqual } from 'node:util'
import type { ArgumentSchema, ValueSchema } from '../namedArguments'
import { argumentsFor, type Operation, type Tool } from './tool'

export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Record<string, ArgumentSchema>
  }
}

const MAX_VALUES = 16

const ofAllTools: Readonly<Record<string, ArgumentSchema>> = { raw: { type: 'boolean' }, more: { type: 'string' } }

export function describeTool({ name, title, about, operations }: Tool): ToolDescription {
  const properties: Record<string, ArgumentSchema> = { op: { type: 'string', enum: Object.keys(operations) } }
  for (const operation of Object.values(operations)) {
    for (const [argument, { schema }] of argumentsFor(operation)) {
      const known = properties[argument]
      properties[argument] = known === undefined ? brief(schema) : merged(known, brief(schema))
    }
  }
  return {
    name,
    title,
    description: [about, ...Object.entries(operations).map(([op, operation]) => usageOf(op, operation))].join('\n'),
    inputSchema: { type: 'object', properties: { ...properties, ...ofAllTools } },
  }
}

export const usageOf = (op: string, operation: Operation): string => usage(op, operation, () => '')

export const usageWithValues = (op: string, operation: Operation): string =>
  usage(op, operation, (schema) => {
    const values = valueOf(schema).enum ?? []
    return values.length === 0 || values.length > MAX_VALUES ? '' : `: ${values.join('|')}`
  })

function usage(op: string, operation: Operation, valuesOf: (schema: ArgumentSchema) => string): string {
  const names = [...argumentsFor(operation)].flatMap(([name, { isRequired, schema }]) =>
    name === 'machine' ? [] : [`${name}${isRequired ? '' : '?'}${valuesOf(schema)}`],
  )
  return `${op}(${names.join(', ')}): ${operation.about}`
}

const brief = (schema: ArgumentSchema): ArgumentSchema =>
  schema.type === 'array' ? { type: 'array', items: briefValue(schema.items) } : briefValue(schema)

const briefValue = (schema: ValueSchema): ValueSchema =>
  schema.enum && schema.enum.length > MAX_VALUES ? { type: 'string' } : schema

function merged(one: ArgumentSchema, other: ArgumentSchema): ArgumentSchema {
  const value = mergedValue(valueOf(one), valueOf(other))
  return one.type === 'array' || other.type === 'array' ? { type: 'array', items: value } : value
}

const valueOf = (schema: ArgumentSchema): ValueSchema => (schema.type === 'array' ? schema.items : schema)

function mergedValue(one: ValueSchema, other: ValueSchema): ValueSchema {
  if (isDeepStrictEqual(one, other)) return one
  if (one.enum && other.enum) return { type: 'string', enum: [...new Set([...one.enum, ...other.enum])] }
  return { type: 'minimum' in one && 'minimum' in other ? 'number' : 'string' }
}
