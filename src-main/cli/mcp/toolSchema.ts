/** How a tool describes itself to agents: short, as it is read in each of their sessions. */
import type { ArgumentSchema } from '../namedArguments'
import { argumentsFor, type Operation, type Tool } from './tool'

/** Of what one operation takes once and another one several times. */
interface OneOrSeveral {
  readonly type: readonly ['string', 'array']
}
type PropertySchema = ArgumentSchema | OneOrSeveral

export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Record<string, PropertySchema>
    readonly required: string[]
  }
}

/** A longer list of values is left out, as each agent reads it in every session; a wrong value is answered with the list. */
const MAX_VALUES = 16

/** `more` reads on in a long answer; `raw` adds the answer as data. */
const ofAllTools: Readonly<Record<string, ArgumentSchema>> = { raw: { type: 'boolean' }, more: { type: 'string' } }

export function describeTool({ name, title, about, operations }: Tool): ToolDescription {
  const properties: Record<string, PropertySchema> = { op: { type: 'string', enum: Object.keys(operations) } }
  for (const operation of Object.values(operations)) {
    for (const [argument, { schema }] of argumentsFor(operation)) {
      const known = properties[argument]
      properties[argument] = known === undefined ? brief(schema) : merged(known, brief(schema))
    }
  }
  return {
    ...{ name, title },
    description: [about, ...Object.entries(operations).map(([op, operation]) => usageOf(op, operation))].join('\n'),
    inputSchema: { type: 'object', properties: { ...properties, ...ofAllTools }, required: [] },
  }
}

/** `read(address, length?, bank?): what it does`. Each takes `machine`, too. */
export function usageOf(op: string, operation: Operation): string {
  const names = [...argumentsFor(operation)].flatMap(([name, { isRequired }]) =>
    name === 'machine' ? [] : [isRequired ? name : `${name}?`],
  )
  return `${op}(${names.join(', ')}): ${operation.about}`
}

const brief = (schema: ArgumentSchema): PropertySchema =>
  'enum' in schema && schema.enum.length > MAX_VALUES ? { type: 'string' } : schema

/** Of an argument that several operations have. */
function merged(one: PropertySchema, other: PropertySchema): PropertySchema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  if ('enum' in one && 'enum' in other)
    return { type: 'string', enum: [...new Set([...(one.enum ?? []), ...(other.enum ?? [])])] }
  if (isSeveral(one) || isSeveral(other)) return { type: ['string', 'array'] }
  return { type: 'minimum' in one && 'minimum' in other ? 'number' : 'string' }
}

const isSeveral = ({ type }: PropertySchema): boolean => typeof type === 'object' || type === 'array'
