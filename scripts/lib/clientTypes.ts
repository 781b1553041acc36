/** Makes the types of the client from the tools' table and the schemas of events. */
import { resolve } from 'node:path'
import { format } from 'oxfmt'
import { z } from 'zod'
import { eventTable } from '../../src-shared/contract/contract.ts'
import { frameSchema, fromClientSchema, scriptEvents } from '../../src-main/cli/http/eventMessages.ts'
import { allOperations, dataKeys } from '../../src-main/cli/http/openApi.ts'
import { argumentsFor } from '../../src-main/cli/mcp/tool.ts'
import { tools } from '../../src-main/cli/mcp/tools.ts'
import formatConfig from '../../oxfmt.config.ts'

export const generatedFile = resolve(import.meta.dirname, '../../src-client/generated.ts')

export const formatted = async (text: string): Promise<string> => (await format(generatedFile, text, formatConfig)).code

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly propertyNames?: Schema
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const nameOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name))
const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))

/** A JSON schema as a type. */
export function typeOf(schema: Schema): string {
  const { type, anyOf, oneOf, items } = schema
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const either = anyOf ?? oneOf
  if (either) return [...new Set(either.map(typeOf))].join(' | ')
  if (type === 'array') return `readonly ${inArray(items ? typeOf(items) : 'unknown')}[]`
  if (type === 'object') return objectOf(schema)
  const types = type === undefined ? ['unknown'] : typeof type === 'string' ? [type] : type
  return [...new Set(types.map((name) => (name === 'integer' ? 'number' : name)))].join(' | ')
}

const inArray = (type: string): string => (type.includes(' ') && !type.startsWith('{') ? `(${type})` : type)

function objectOf({ properties, required = [], additionalProperties, propertyNames }: Schema): string {
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
    return `Readonly<Partial<Record<${propertyNames ? typeOf(propertyNames) : 'string'}, ${values}>>>`
  }
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${members.join('; ')} }`
}

const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema

const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /')} */`

function operationType({ op, operation }: ReturnType<typeof allOperations>[number]): string {
  const all = [...argumentsFor(operation)]
  const given = all.map(([name, { schema, isRequired }]) => {
    return `readonly ${nameOf(name)}${isRequired ? '' : '?'}: ${typeOf(schema)}`
  })
  const isOptional = all.every(([, { isRequired }]) => !isRequired)
  const keys = dataKeys(operation).map(([key]) => quoted(key))
  return [
    comment(`${operation.command.summary} Right: ${operation.right}.`),
    `readonly ${nameOf(op)}: (given${isOptional ? '?' : ''}: ${given.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${given.join('; ')} }`}, options?: CallOptions) => Promise<Answer<${keys.join(' | ') || 'never'}>>`,
  ].join('\n')
}

export function clientTypes(): string {
  const all = allOperations()
  const ofTool = (name: string) => all.filter(({ tool }) => tool.name === name)
  const frames = fromClientSchema.options.find(({ shape }) => shape.kind.value === 'frames')
  if (!frames) throw new Error('There are no frames to ask for.')
  const { kind: _, id: __, ...asked } = jsonSchemaOf(frames, 'input').properties ?? {}
  const request = { ...jsonSchemaOf(frames, 'input'), properties: asked }
  return `// Made by \`npm run client-types\` from the tools of agents and the contract; do not edit.
import type { Answer, Call, CallOptions } from './calls.ts'

/** Each tool with its operations. */
export interface Tools {
${tools
  .map(({ name, title }) => `${comment(title)}\nreadonly ${name}: {\n${ofTool(name).map(operationType).join('\n')}\n}`)
  .join('\n')}
}

export const createTools = (call: Call): Tools => ({
${tools
  .map(
    ({ name }) =>
      `${name}: {\n${ofTool(name)
        .map(({ op }) => `${nameOf(op)}: (given, options) => call(${quoted(name)}, ${quoted(op)}, given, options),`)
        .join('\n')}\n},`,
  )
  .join('\n')}
})

/** What can be listened to, with what is told. */
export interface EventPayloads {
${scriptEvents.map((name) => `readonly ${quoted(name)}: ${typeOf(jsonSchemaOf(eventTable[name], 'input'))}`).join('\n')}
}
export type EventName = keyof EventPayloads

/** Which frames are sent: \`rate\` is a second. */
export type FrameRequest = ${typeOf(request)}

export type Frame = ${typeOf(jsonSchemaOf(frameSchema, 'output'))}
`
}
