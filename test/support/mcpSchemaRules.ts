/** What the strictest known clients take of a tool's description, each rule with its reason. One that breaks any loses the whole server. */
import { isDeepStrictEqual } from 'node:util'

/** Any JSON schema, as a client sees it. */
type Schema = Readonly<Record<string, unknown>>

export interface ListedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: Schema
  readonly outputSchema?: Schema | undefined
}

interface Rule {
  readonly rule: string
  readonly reason: string
  /** What breaks it. */
  readonly breaks: (tool: ListedTool) => readonly string[]
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema and all within it, with its path. */
function* within(schema: unknown, path: string): Generator<readonly [path: string, schema: unknown]> {
  yield [path, schema]
  if (!isObject(schema)) return
  if (schema['items'] !== undefined) yield* within(schema['items'], `${path}.items`)
  if (isObject(schema['properties']))
    for (const [name, property] of Object.entries(schema['properties'])) yield* within(property, `${path}.${name}`)
}

function* schemasOf({ inputSchema, outputSchema }: ListedTool): Generator<readonly [string, unknown]> {
  yield* within(inputSchema, 'input')
  if (outputSchema !== undefined) yield* within(outputSchema, 'output')
}

/** A rule that each schema keeps. */
const everywhere = (rule: string, reason: string, isKept: (schema: Schema) => boolean): Rule => ({
  rule,
  reason,
  breaks: (tool) =>
    [...schemasOf(tool)].flatMap(([path, schema]) => (isObject(schema) && isKept(schema) ? [] : [path])),
})

const onTop = (rule: string, reason: string, isKept: (schema: Schema) => boolean): Rule => ({
  rule,
  reason,
  breaks: ({ inputSchema, outputSchema }) => [
    ...(isKept(inputSchema) ? [] : ['input']),
    ...(outputSchema === undefined || isKept(outputSchema) ? [] : ['output']),
  ],
})

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const known = ['type', 'description', 'properties', 'required', 'items', 'enum', 'minimum', 'maximum']
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Claude Code puts this in front of a tool's name. */
const CLIENT_PREFIX = 'mcp__bridgedeck__'

export const schemaRules: readonly Rule[] = [
  {
    rule: 'A name has letters, digits, _ and -, begins with a letter, and has 64 characters at most with the client’s prefix.',
    reason: 'The APIs of OpenAI and Anthropic check it so, and VS Code has met it (microsoft/vscode#243602).',
    breaks: ({ name }) =>
      /^[A-Za-z][\w-]*$/.test(name) && CLIENT_PREFIX.length + name.length <= 64 ? [] : [`name ${name}`],
  },
  {
    rule: 'A description has 1 to 1,024 characters.',
    reason: 'Azure and the completions of OpenAI refuse a longer one (modelcontextprotocol/servers#799).',
    breaks: ({ description = '' }) => (description.length >= 1 && description.length <= 1024 ? [] : ['description']),
  },
  onTop(
    'The top is an object with properties.',
    'OpenAI misses properties; Gemini CLI passes on “schema at top-level requires unspecified property type” (gemini-cli#23382).',
    ({ type, properties }) => type === 'object' && isObject(properties) && Object.keys(properties).length > 0,
  ),
  everywhere(
    'A type is one word.',
    'Gemini reads a list as a field that does not repeat, and refuses the request (zed#44875, copilot-cli#4623).',
    ({ type }) => types.includes(text(type)),
  ),
  everywhere(
    'An array says what it has, and only an array does.',
    'Gemini and OpenAI refuse an array without items, and Gemini items anywhere else (mcp-server-excel#672).',
    ({ type, items }) => (type === 'array') === isObject(items),
  ),
  everywhere(
    'Only an object has properties and required.',
    'Gemini refuses them on anything else (opencode#11889).',
    ({ type, properties, required }) => type === 'object' || (properties === undefined && required === undefined),
  ),
  everywhere(
    'Nothing but type, description, properties, required, items, enum, minimum and maximum.',
    'Anthropic refuses anyOf, oneOf and allOf at the top and $ref anywhere (claude-code#27337); Gemini knows few words beside these (gemini-cli#22210).',
    (schema) => Object.keys(schema).every((word) => known.includes(word)),
  ),
  everywhere(
    'An enum lists different texts, none of them empty, and its type is string.',
    'Gemini takes an enum of strings only, and refuses an empty one.',
    ({ type, enum: values }) =>
      values === undefined ||
      (type === 'string' &&
        list(values).length > 0 &&
        new Set(list(values)).size === list(values).length &&
        list(values).every((value) => text(value) !== '')),
  ),
  everywhere(
    'Bounds are finite numbers in order, of a number.',
    'Bounds on a text make no sense to strict validators, such as Ajv in its strict mode.',
    ({ type, minimum, maximum }) =>
      (minimum === undefined && maximum === undefined) ||
      ((type === 'integer' || type === 'number') &&
        Number.isFinite(minimum ?? 0) &&
        Number.isFinite(maximum ?? 0) &&
        Number(minimum ?? -Infinity) <= Number(maximum ?? Infinity)),
  ),
  everywhere(
    'The names of properties have 1 to 64 letters, digits, _, . and -.',
    'Anthropic refuses others.',
    ({ properties }) =>
      !isObject(properties) || Object.keys(properties).every((name) => /^[A-Za-z0-9_.-]{1,64}$/.test(name)),
  ),
  everywhere(
    'What is required is a list of different properties, and left out where it is empty.',
    'Gemini refuses names that are no property; draft 4 of JSON schema, which old validators follow, refuses an empty list.',
    ({ required, properties }) =>
      required === undefined ||
      (list(required).length > 0 &&
        new Set(list(required)).size === list(required).length &&
        list(required).every((name) => isObject(properties) && Object.hasOwn(properties, text(name)))),
  ),
  {
    rule: 'It is JSON.',
    reason: 'What is undefined or not a number reaches the client as something else.',
    breaks: (tool) => (isDeepStrictEqual(JSON.parse(JSON.stringify(tool)), tool) ? [] : ['values that JSON lacks']),
  },
]

/** Each broken rule, with the place. */
export const brokenRules = (tool: ListedTool): string[] =>
  schemaRules.flatMap(({ rule, breaks }) => breaks(tool).map((place) => `${tool.name} ${place}: ${rule}`))
