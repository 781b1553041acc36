import { describe, expect, it } from 'vitest'
import { parseEnv, resolveSetting, stateDirSetting } from './settings'

const read = (text: string) => Object.fromEntries(parseEnv(text))

describe('Maestro’s .env', () => {
  it.each([
    ['a plain variable', 'A=1', { A: '1' }],
    ['lines that end with CR LF', 'A=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['comments and empty lines', '# A=1\n\n   \nB=2', { B: '2' }],
    ['export before the name', 'export A=1', { A: '1' }],
    ['a name with a space behind it is another name', 'C = 3', { 'C ': ' 3' }],
    ['a value keeps the space before it', 'D= 5', { D: ' 5' }],
    ['only the first equals sign separates', 'A=b=c', { A: 'b=c' }],
    ['one pair of quotes is taken off', `A="x"\nB='y'\nC=""z""`, { A: 'x', B: 'y', C: '"z"' }],
    ['quotes that do not match stay', `A="x'`, { A: `"x'` }],
    ['a comment behind a space', 'A=x # why', { A: 'x' }],
    ['no comment without a space', 'A=x#y', { A: 'x#y' }],
    ['no comment inside quotes', 'A="x # y"', { A: 'x # y' }],
    ['nothing is escaped or expanded', 'A="a\\nb"\nB=$A', { A: 'a\\nb', B: '$A' }],
    ['a quote alone is an empty value', 'A="\nB=\'', { A: '', B: '' }],
    ['the last of two wins', 'A=1\nA=2', { A: '2' }],
    ['a line without a name or without an equals sign is nothing', '=1\nA', {}],
  ])('%s', (_, text, expected) => expect(read(text)).toEqual(expected))
})

describe('the precedence of settings', () => {
  const layers = { environment: { A: 'env' }, workspace: 'A=work\nB=work', extension: 'A=ext\nB=ext\nC=ext' }

  it.each([
    ['A', { value: 'env', source: 'environment' }],
    ['B', { value: 'work', source: 'workspace .env' }],
    ['C', { value: 'ext', source: 'extension .env' }],
    ['D', { value: 'none', source: 'default' }],
  ])('%s comes from the first that has it', (name, expected) =>
    expect(resolveSetting(name, layers, 'none')).toEqual(expected),
  )

  it('an empty value counts as not set, everywhere', () => {
    expect(resolveSetting('A', { environment: { A: '' }, workspace: 'A=""', extension: 'A=' }, 'none')).toEqual({
      value: 'none',
      source: 'default',
    })
  })

  it('the state is in .gemini unless something says otherwise', () => {
    expect(stateDirSetting({ environment: {} })).toEqual({ value: '.gemini', source: 'default' })
    expect(stateDirSetting({ environment: {}, workspace: 'MAESTRO_STATE_DIR=docs/maestro' }).value).toBe('docs/maestro')
  })
})
