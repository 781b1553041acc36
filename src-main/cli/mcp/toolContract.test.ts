/** What holds for every operation of every tool: a new one is covered by being listed. */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { grantableRights, type Right } from '@shared/contract/steering'
import type { Command, CommandContext } from '../command'
import type { ArgumentSchema } from '../namedArguments'
import type { Session } from '../session'
import { Answers, PART_LENGTH } from './answers'
import { runTool, type ToolAnswer } from './runTool'
import { SteeredCalls } from './steeredCalls'
import { argumentsFor, type Operation, type Tool } from './tool'
import { tools } from './tools'
import { describeTool, usageOf } from './toolSchema'

/** With room for what the client adds to each. */
const MAX_LIST_CHARACTERS = 20_500

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-tools-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Given = Readonly<Record<string, unknown>>

interface Bridge {
  readonly session: Session
  /** The commands that reached it. */
  readonly calls: string[]
}

/** Refuses what is not allowed, and answers nothing else until the call is cancelled. */
function bridge(allowed: readonly Right[]): Bridge {
  const calls: string[] = []
  const call = (name: string, input: { rights?: readonly Right[] }, signal?: AbortSignal): Promise<unknown> => {
    calls.push(name)
    const missing = input.rights?.find((right) => right !== 'look' && !allowed.includes(right))
    if (missing !== undefined) return Promise.reject(new AppError('FORBIDDEN', `You may not: ${missing}.`))
    if (name.startsWith('agentLine.')) return Promise.resolve({})
    return new Promise((_, reject) => {
      const end = (): void => reject(asError(signal?.reason))
      if (signal?.aborted) end()
      else signal?.addEventListener('abort', end)
    })
  }
  const connect = (_: string, signal: AbortSignal) => call('machine.connect', {}, signal)
  const session = {
    ...{
      client: { call },
      connect,
      connectLasting: connect,
      giveSetPassword: connect,
      status: () => call('status', {}),
    },
    ...{ endsWithCall: () => false, requirePausable: () => undefined, requireLastingConnection: () => undefined },
  }
  return { session: session as unknown as Session, calls }
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

interface Asked {
  readonly allowed?: readonly Right[]
  readonly signal?: AbortSignal
}

async function ask(tool: Tool, given: Given, { allowed = grantableRights, signal }: Asked = {}) {
  const { session, calls } = bridge(allowed)
  const openSession = () => Promise.resolve(session)
  const context: Omit<CommandContext, 'output'> = {
    ...{ folder, environment: {}, streams: process, commands: [], resources: folder },
    ...{ signal: signal ?? new AbortController().signal, openSession, findSession: openSession },
    ownSessions: () => ({ find: openSession, open: openSession, close: () => Promise.resolve() }),
  }
  const answer = await runTool({
    ...{
      tool,
      given,
      context,
      answers: new Answers(),
      allowed: { folders: [folder], granted: [], command: 'bridgedeck mcp' },
    },
    steered: new SteeredCalls(openSession, () => ({ name: 'test', granted: [], waits: false })),
    onProgress: () => undefined,
  })
  return { answer, calls: calls.filter((name) => !name.startsWith('agentLine.')) }
}

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
      isRequired ? [[name, sampleOf(schema)] as const] : [],
    ),
  )

/** The tool with another command in place of the operation's own. */
function replaced(tool: Tool, op: string, operation: Operation, run: Command['run']): Tool {
  return { ...tool, operations: { [op]: { ...operation, command: { ...operation.command, run } } } }
}

const isRefusal = (answer: ToolAnswer, part: string): void =>
  expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining(part)])

it('All tools together are short, as each agent reads them in every session', () => {
  expect(JSON.stringify(tools.map(describeTool)).length).toBeLessThan(MAX_LIST_CHARACTERS)
})

describe.each(tools.map((tool): [string, Tool] => [tool.name, tool]))('%s', (_, tool) => {
  const { inputSchema, description } = describeTool(tool)

  it('has a schema that takes what its operations need, and usages in its description', () => {
    const isValid = new AjvJsonSchemaValidator().getValidator(inputSchema)
    for (const [op, operation] of Object.entries(tool.operations)) {
      expect([op, isValid({ op, ...neededBy(operation) }).valid]).toEqual([op, true])
      expect(description).toContain(usageOf(op, operation))
    }
    expect(isValid({ op: 'nonsense' }).valid).toBe(false)
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
        ...[...argumentsFor(operation)].map(([name]) => [{ ...given, [name]: { unexpected: true } }, name] as const),
      ]
      for (const [bad, message] of wrong) {
        const { answer, calls } = await ask(tool, bad)
        isRefusal(answer, message)
        expect(answer.text.split('\n')).toHaveLength(1)
        expect(answer.text).not.toMatch(/--(?!allow|folder)[a-z]/)
        expect(calls).toEqual([])
      }
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
