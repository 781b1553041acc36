/** Schemas of tools: those of any table of operations are what the strictest clients take. */
import { array, boolean, constantFrom, dictionary, integer, oneof, record, type Arbitrary } from 'fast-check'
import { describe, expect } from 'vitest'
import { defineCommand, type Parameters } from '../../src-main/cli/command'
import { look, type Tool } from '../../src-main/cli/mcp/tool'
import { describeTool } from '../../src-main/cli/mcp/toolSchema'
import { choice, choices, filePath, filePaths, flag, number, text, texts } from '../../src-main/cli/parameters'
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
  ...{ name: 'tool', title: 'Any tool', about: 'Does something.' },
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
