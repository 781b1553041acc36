import { describe, expect, it } from 'vitest'
import { dispatchAgents } from '../../../formats/maestro/schema'
import { MAX_PROMPT_BYTES, payload, planPrompts, readPrompt, type PromptEntry } from './prompts'

const file = (name: string): PromptEntry => ({ name, kind: 'file' })
const plan = (...entries: readonly (string | PromptEntry)[]) =>
  planPrompts(
    entries.map((entry) => (typeof entry === 'string' ? file(entry) : entry)),
    dispatchAgents,
    false,
  )

describe('the prompts of a batch', () => {
  it.each([
    ['coder.txt', 'coder', 'coder'],
    ['coder', 'coder', 'coder'],
    ['code-reviewer.md', 'code-reviewer', 'code_reviewer'],
    ['code_reviewer.md', 'code_reviewer', 'code_reviewer'],
    ['c(o)d e!r.prompt', 'coder', 'coder'],
    ['tester.2', 'tester', 'tester'],
  ])('%s is for the agent with the results %s, which is %s', (name, result, agent) => {
    expect(plan(name)).toEqual([{ file: name, name: result, agent }])
  })

  it('are in the order of their code units, without hidden ones', () => {
    expect(plan('tester.md', '.DS_Store', 'coder.md', 'api-designer.md').map(({ name }) => name)).toEqual([
      'api-designer',
      'coder',
      'tester',
    ])
  })

  it.each([
    ['no file', [], /No prompt files/],
    ['hidden ones only', ['.hidden'], /No prompt files/],
    ['a folder', ['coder.md', { name: 'old', kind: 'folder' }], /prompts\/old is a folder/],
    ['a link', [{ name: 'coder.md', kind: 'link' }], /prompts\/coder\.md is a symbolic link/],
    ['a socket', [{ name: 'coder.md', kind: 'other' }], /no regular file/],
    ['a name without any letter', ['日本.md'], /names no agent/],
    ['an unknown agent', ['coder.md', 'wizard.md'], /Unknown agent wizard.*Agents: api_designer, architect/],
    ['an agent in capitals', ['Coder.md'], /Unknown agent Coder/],
    ['two prompts with the same results', ['coder.md', 'coder.txt'], /coder\.md and prompts\/coder\.txt/],
  ] as const)('are refused with %s', (_what, entries, message) => {
    expect(() => plan(...entries)).toThrow(message)
  })

  it('may differ in a hyphen alone, as their results do, and in case alone only where the disk can', () => {
    expect(plan('code-reviewer.md', 'code_reviewer.md')).toHaveLength(2)
    const entries = [file('coder.md'), file('CODER.md')]
    expect(planPrompts(entries, ['coder', 'CODER'], false)).toHaveLength(2)
    expect(() => planPrompts(entries, ['coder', 'CODER'], true)).toThrow(/same results/)
  })
})

describe('the text of a prompt', () => {
  it.each([
    ['one byte too many', Buffer.alloc(MAX_PROMPT_BYTES + 1, 'x'), /1000001 bytes/],
    ['nothing', Buffer.alloc(0), /is empty/],
    ['white space only', Buffer.from(' \n\t\r\n'), /is empty/],
    ['Latin-1', Buffer.from([0x66, 0xfc, 0x72]), /not UTF-8/],
  ])('is refused: %s', (_what, content, message) => {
    expect(() => readPrompt('coder.md', content)).toThrow(message)
  })

  it('follows the folder that the agent works in, unchanged to its last byte', () => {
    const text = `\uFEFFDo it\r\n${'x'.repeat(MAX_PROMPT_BYTES - 12)} \n`
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PROMPT_BYTES)
    const whole = payload('/projects/one', readPrompt('coder.md', Buffer.from(text)))
    expect(whole).toMatch(/^PROJECT ROOT: \/projects\/one\n/)
    expect(whole.endsWith(`\n\n${text}`)).toBe(true)
  })
})
