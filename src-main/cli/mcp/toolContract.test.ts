/** What holds for every operation of every tool: a new one is covered by being listed. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import type { Command } from '../command'
import type { ArgumentSchema } from '../namedArguments'
import { PART_LENGTH } from './answers'
import type { ToolAnswer } from './runTool'
import { argumentsFor, BASE64, type Operation, type Tool } from './tool'
import { ask as askIn, type Given } from '../../../test/support/askedTool'
import { brokenRules } from '../../../test/support/mcpSchemaRules'
import { tools } from './tools'
import { describeTool, usageOf } from './toolSchema'

/** With room for what the client adds to each. */
const MAX_LIST_CHARACTERS = 20_700

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-tools-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const ask = (tool: Tool, given: Given, more: Omit<Parameters<typeof askIn>[2], 'folder'> = {}) =>
  askIn(tool, given, { ...more, folder })

function sampleOf(schema: ArgumentSchema): unknown {
  if (schema.type === 'array') return [sampleOf(schema.items)]
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'boolean') return true
  return schema.type === 'string' ? 'sample' : (schema.minimum ?? 1)
}

/** What it needs, with values of the right types. */
const neededBy = (operation: Operation): Record<string, unknown> =>
  Object.fromEntries(
    [...argumentsFor(operation)].flatMap(([name, { schema, isRequired }]) =>
      isRequired ? [[name, name === BASE64 ? 'AAEC' : sampleOf(schema)] as const] : [],
    ),
  )

/** As the schema of the tool has it. */
function asListed(given: Given, tool: Tool): Given {
  const { properties } = describeTool(tool).inputSchema
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      properties[name]?.type === 'array' && !Array.isArray(value) ? [value] : value,
    ]),
  )
}

/** The tool with another command in place of the operation's own. */
function replaced(tool: Tool, op: string, operation: Operation, run: Command['run']): Tool {
  return { ...tool, operations: { [op]: { ...operation, command: { ...operation.command, run } } } }
}

const isRefusal = (answer: ToolAnswer, part: string): void =>
  expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining(part)])

it('All tools together are short, as each agent reads them in every session', () => {
  expect(JSON.stringify(tools.map(describeTool)).length).toBeLessThan(MAX_LIST_CHARACTERS)
})

it.each<[string, object, number]>([
  ['a list of types', { machine: { type: ['string', 'array'] } }, 1],
  ['an array without items', { machine: { type: 'array' } }, 1],
  ['numbers in an enum', { machine: { type: 'integer', enum: [1, 2] } }, 1],
  ['anything else of JSON schema', { machine: { type: 'string', default: 'vice' } }, 1],
  ['a name that is too long', { ['machine'.repeat(10)]: { type: 'string' } }, 1],
  ['what is allowed', { machine: { type: 'array', items: { type: 'string', enum: ['a'] } } }, 0],
])('The rules for schemas tell %s', (_, properties, broken) => {
  const tool = { name: 'tool', description: 'A tool.', inputSchema: { type: 'object', properties } }
  expect(brokenRules(tool)).toHaveLength(broken)
})

describe.each(tools.map((tool): [string, Tool] => [tool.name, tool]))('%s', (_, tool) => {
  const { inputSchema, description } = describeTool(tool)

  it('has a schema that takes what its operations need, and usages in its description', () => {
    const isValid = new AjvJsonSchemaValidator().getValidator(inputSchema)
    for (const [op, operation] of Object.entries(tool.operations)) {
      expect([op, isValid(asListed({ op, ...neededBy(operation) }, tool)).valid]).toEqual([op, true])
      expect(description).toContain(usageOf(op, operation))
    }
    expect(isValid({ op: 'nonsense' }).valid).toBe(false)
  })

  it('keeps the rules of the strictest clients for its schema', () => {
    expect(brokenRules(describeTool(tool))).toEqual([])
  })

  it('names its operations where one is missing or wrong', async () => {
    isRefusal((await ask(tool, { op: 'nonsense' })).answer, `${tool.name} has no op “nonsense”.`)
    const { usual, operations } = tool
    if (usual !== undefined) expect(Object.keys(operations)).toContain(usual)
    else isRefusal((await ask(tool, {})).answer, 'op is missing')
  })

  describe.each(Object.entries(tool.operations))('%s', (op, operation) => {
    const given = { op, ...neededBy(operation) }

    it('tells a wrong argument in one sentence, with what is right, and touches nothing', async () => {
      const wrong: (readonly [Given, string])[] = [
        [{ ...given, nonsense: 1 }, 'There is no argument “nonsense”.'],
        ...Object.keys(neededBy(operation)).map((name) => [without(given, name), `${name} is missing`] as const),
        ...[...argumentsFor(operation)].map(([name]) => [{ ...given, [name]: [{ unexpected: true }] }, name] as const),
      ]
      for (const [bad, message] of wrong) {
        const { answer, calls } = await ask(tool, bad)
        isRefusal(answer, message)
        expect(answer.text.split('\n')).toHaveLength(1)
        expect(answer.text).not.toMatch(/--(?!allow|folder)[a-z]/)
        expect(calls).toEqual([])
      }
    })

    it('takes one value also in a list of one, as the schema has it where others take several', async () => {
      const isValid = new AjvJsonSchemaValidator().getValidator(inputSchema)
      const seen: string[] = []
      const noted = replaced(tool, op, operation, (_, { options, positionals }) => {
        seen.push(JSON.stringify([positionals, ...options]).replaceAll(/bridgedeck-mcp-\w+/g, 'own folder'))
        return Promise.resolve(0)
      })
      expect(isValid(asListed(given, tool)).valid).toBe(true)
      await ask(noted, given)
      await ask(noted, asListed(given, tool))
      expect(seen.length % 2).toBe(0)
      expect(seen.slice(seen.length / 2)).toEqual(seen.slice(0, seen.length / 2))
    })

    it('is refused without its right before anything is touched', async () => {
      if (operation.right === 'look') return
      const { answer, calls } = await ask(tool, given, { allowed: [] })
      isRefusal(answer, `You may not: ${operation.right}.`)
      expect(calls).toEqual([])
    })

    it('answers in parts of bounded size', async () => {
      const long = replaced(tool, op, operation, ({ output }, { options }) => {
        for (const path of options.get('png') ?? []) writeFileSync(path, 'PNG')
        output.result({}, 'line\n'.repeat(4_000))
        return Promise.resolve(0)
      })
      const { answer } = await ask(long, given)
      expect(answer.isError).toBe(false)
      // A picture stands for its text.
      expect(operation.isPicture ? answer.picture : answer.more).not.toBeNull()
      expect(answer.text.length).toBeLessThanOrEqual(PART_LENGTH + 100)
    })

    it('ends when it is cancelled', async () => {
      const cancelled = new AbortController()
      const asked = ask(tool, given, { signal: cancelled.signal })
      cancelled.abort(new AppError('CANCELLED', 'The call was cancelled.'))
      const { answer, calls } = await asked
      // What needs no machine may be done by then.
      expect(answer.isError || calls.length === 0).toBe(true)
    })
  })
})

const without = (given: Given, name: string): Given =>
  Object.fromEntries(Object.entries(given).filter(([key]) => key !== name))
