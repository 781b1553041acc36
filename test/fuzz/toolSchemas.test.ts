/** Tools: schemas of any table of operations are what the strictest clients take, and any arguments are answered. */
import {
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  option,
  record,
  string,
  type Arbitrary,
} from 'fast-check'
import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { AppError, describeFailure } from '@shared/contract/errors'
import { defineCommand, type Parameters } from '../../src-main/cli/command'
import { MAX_REPEATED } from '../../src-main/cli/mcp/repeatedInput'
import { argumentsFor, look, type Tool } from '../../src-main/cli/mcp/tool'
import { tools } from '../../src-main/cli/mcp/tools'
import { describeTool } from '../../src-main/cli/mcp/toolSchema'
import { choice, choices, filePath, filePaths, flag, number, text, texts } from '../../src-main/cli/parameters'
import { ask } from '../support/askedTool'
import { brokenRules } from '../support/mcpSchemaRules'
import { fuzz } from './fuzz'

/** Few, so that operations of a tool have some of them together. */
const names = constantFrom('file', 'machine', 'to-next', 'category', 'raw', 'more', 'x')

const values = array(constantFrom('on', 'off', 'pal', 'ntsc', ...Array.from({ length: 30 }, (_, n) => `v${n}`)), {
  minLength: 1,
  maxLength: 40,
}).map((chosen) => [...new Set(chosen)])

const parameter: Arbitrary<Parameters[string]> = oneof(
  constantFrom(
    flag('A flag.'),
    text('TEXT', 'A text.'),
    texts('TEXT', 'Texts.'),
    filePath('A file.'),
    filePaths('Files.'),
  ),
  values.map((chosen) => choice('CHOICE', 'One.', chosen)),
  values.map((chosen) => choices('CHOICE', 'Some.', chosen)),
  record({ min: integer(), size: integer({ min: 0, max: 1000 }), isWhole: boolean() }).map(({ min, size, isWhole }) =>
    number('N', 'A number.', { min, max: min + size, isWhole }),
  ),
)

const parameters = dictionary(names, parameter, { maxKeys: 7 })

const anyTool: Arbitrary<Tool> = array(parameters, { minLength: 1, maxLength: 6 }).map((each) => ({
  name: 'tool',
  title: 'Any tool',
  about: 'Does something.',
  operations: Object.fromEntries(
    each.map((options, index) => [
      `op${index}`,
      look(
        defineCommand({ name: `op${index}`, summary: 'Does it.', options, run: () => Promise.resolve(0) }),
        'something',
      ),
    ]),
  ),
}))

describe('Schemas of tools', () => {
  fuzz('of any operations keep the rules of the strictest clients', anyTool, (tool) =>
    expect(brokenRules(describeTool(tool))).toEqual([]),
  )
})

/** One far too long, others that may fit. */
const anyValue = oneof(
  constantFrom('$d020', 'vice', 'sample', 1, true),
  jsonValue(),
  record({ part: string({ minLength: 1, maxLength: 9 }), times: integer({ min: 1, max: 300 }) }).map(
    ({ part, times }) => part.repeat(times),
  ),
  array(constantFrom('x'.repeat(500), '$d020', 'a b '.repeat(200)), { maxLength: 3 }),
)

/** Of any operation, each argument or some of them, and perhaps one that it does not have. */
const anyCall = constantFrom(
  ...tools.flatMap((tool) => Object.entries(tool.operations).map(([op, operation]) => ({ tool, op, operation }))),
).chain(({ tool, op, operation }) =>
  record({
    tool: constant(tool),
    op: constant(op),
    own: record(Object.fromEntries([...argumentsFor(operation).keys()].map((name) => [name, anyValue]))),
    others: option(dictionary(string({ maxLength: 400 }), anyValue, { maxKeys: 1 }), { freq: 6, nil: {} }),
    left: constantFrom<'all' | 'required'>('all', 'required'),
  }).map(({ own, others, left, ...call }) => ({
    ...call,
    given: {
      ...Object.fromEntries(
        Object.entries(own).filter(([name]) => left === 'all' || argumentsFor(operation).get(name)?.isRequired),
      ),
      ...others,
    },
  })),
)

describe('Calls of tools', () => {
  fuzz(
    'with any arguments end in an answer, and an error repeats little of them and names nothing internal',
    anyCall,
    async ({ tool, op, given }) => {
      const caller = new AbortController()
      const asked = ask(tool, { ...given, op }, { folder: tmpdir(), signal: caller.signal })
      // What is wrong with the arguments is said by then; nobody answers the rest.
      await setTimeout(2)
      caller.abort(new AppError('CANCELLED', 'The call was cancelled.'))
      const { failure } = (await asked).answer
      if (!failure) return
      const text = describeFailure(failure)
      expect(repeatsMoreThan(text, JSON.stringify(given), MAX_REPEATED)).toBe(false)
      expect(text).not.toMatch(/\b[a-z]+[A-Z]\w*\.[a-z]\w+|Zod|at .*:\d+:\d+\)/)
    },
    3,
  )
})

/** Whether so many characters and one more of the input stand in the text. */
function repeatsMoreThan(text: string, input: string, length: number): boolean {
  for (let at = 0; at + length < text.length; at++) if (input.includes(text.slice(at, at + length + 1))) return true
  return false
}
