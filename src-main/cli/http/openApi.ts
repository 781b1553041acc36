import { argumentsFor, PICTURE, type Operation, type Tool } from '../mcp/tool'
import { tools } from '../mcp/tools'
import type { ArgumentSchema } from '../namedArguments'
import { errorCodes } from '@shared/contract/errors'
import type { Right } from '@shared/contract/steering'

const about = [
  'The jobs of Bridgedeck for scripts: each is a POST with its arguments as JSON. Every request has the header “Authorization: Bearer TOKEN” with',
  'the token that `bridgedeck serve` prints, and may have “Bridgedeck-Name: NAME”, by which the person sees who it is.',
  'Events and frames come over a WebSocket at /api/events, agents use the Model Context Protocol at /mcp.',
].join(' ')

const neededRight: Readonly<Record<Right, string>> = {
  look: 'Always allowed.',
  change: 'Needs the right `change`, or the person’s consent.',
  power: 'Needs the right `power`, or the person’s consent.',
  connect: 'Needs the right `connect`, or the person’s consent.',
  files: 'Needs the right `files`, or the person’s consent.',
  programs: 'Needs the right `programs`, or the person’s consent.',
}

interface Described {
  readonly tool: Tool
  readonly op: string
  readonly operation: Operation
}

export const allOperations = (): Described[] =>
  tools.flatMap((tool) => Object.entries(tool.operations).map(([op, operation]) => ({ tool, op, operation })))

export const pathOf = ({ tool, op }: Pick<Described, 'tool' | 'op'>): string => `/api/${tool.name}/${op}`

export const sentenceOf = ({ operation: { right } }: Described): string => neededRight[right]

export function openApi(version: string, url: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Bridgedeck', version, description: about },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: tools.map(({ name, title, about: description }) => ({ name, description: `${title}. ${description}` })),
    paths: Object.fromEntries(allOperations().map((each) => [pathOf(each), { post: describe(each) }])),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      parameters: {
        name: {
          name: 'Bridgedeck-Name',
          in: 'header',
          required: false,
          description: 'How the script calls itself. Default: script.',
          schema: { type: 'string', maxLength: 60 },
        },
      },
      schemas: { Error: errorSchema },
      responses: {
        error: {
          description: 'What went wrong, and what to do.',
          content: json({ $ref: '#/components/schemas/Error' }),
        },
      },
    },
  }
}

const errorSchema = {
  type: 'object',
  properties: { code: { enum: errorCodes }, message: { type: 'string' }, hint: { type: 'string' } },
  required: ['code', 'message'],
}

const json = (schema: object) => ({ 'application/json': { schema } })

function describe(each: Described): object {
  const { tool, op, operation } = each
  const given = requestSchema(operation)
  return {
    operationId: `${tool.name}_${op}`,
    summary: `${tool.title}: ${operation.about}`,
    description: `${operation.command.summary} ${sentenceOf(each)}`,
    tags: [tool.name],
    parameters: [{ $ref: '#/components/parameters/name' }],
    requestBody: { required: given.required.length > 0, content: json(given) },
    responses: {
      200: {
        description: 'What the operation says, as text and as data.',
        content: {
          ...json(answerSchema(operation)),
          ...(operation.isPicture ? { 'image/png': { schema: { type: 'string', format: 'binary' } } } : {}),
        },
      },
      default: { $ref: '#/components/responses/error' },
    },
  }
}

interface RequestSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ArgumentSchema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

export function requestSchema(operation: Operation): RequestSchema {
  const all = [...argumentsFor(operation)]
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
      more: { type: 'string' },
    },
    required: all.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
    additionalProperties: false,
  }
}

export const dataKeys = ({ command: { data = {} }, isPicture }: Operation): [string, string][] =>
  Object.entries(data)
    .map(([key, words]): [string, string] => [key.replace('?', ''), words])
    .filter(([key]) => key !== '…' && !(isPicture && key === PICTURE))

function answerSchema(operation: Operation): object {
  return {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'Made to be read; the first part of it where it is long.' },
      more: { type: 'string', description: 'Where the text is long: given as `more`, the same operation reads on.' },
      data: {
        type: 'object',
        properties: Object.fromEntries(dataKeys(operation).map(([key, description]) => [key, { description }])),
      },
      ...(operation.isPicture
        ? { picture: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' } }
        : {}),
      failed: {
        const: true,
        description: 'There where the operation was carried out and ended badly, such as a check.',
      },
    },
    required: ['text', 'data'],
  }
}
