import { describe, expect, it } from 'vitest'
import { chosenOptionsSchema, type DispatchSettingName } from '@shared/contract/loopOptions'
import { chosenSettings, foreignWords, readSettings, resolveSettings } from './dispatchSettings'
import { wordsOf } from './words'

const from = (environment: Partial<Record<DispatchSettingName, string>>, workspace = '', extension = '') =>
  resolveSettings({ environment, workspace, extension })

describe('each setting of a dispatch', () => {
  const name = 'MAESTRO_DEFAULT_MODEL'

  it('comes from the environment, else the working folder’s .env, else the extension’s, else its default', () => {
    const workspace = `${name}=two`
    const extension = `${name}=three`
    expect(from({ [name]: 'one' }, workspace, extension)[name]).toEqual({ value: 'one', source: 'environment' })
    expect(from({}, workspace, extension)[name]).toEqual({ value: 'two', source: 'workspace .env' })
    expect(from({}, '', extension)[name]).toEqual({ value: 'three', source: 'extension .env' })
    expect(from({})[name]).toEqual({ value: '', source: 'default' })
  })

  it('is what the person chose for the run, before all others', () => {
    const options = { MAESTRO_AGENT_TIMEOUT: 20, MAESTRO_DEFAULT_MODEL: 'flash', maxTurns: 3 }
    const texts = resolveSettings({
      environment: { MAESTRO_DEFAULT_MODEL: 'one' },
      workspace: 'MAESTRO_AGENT_TIMEOUT=30\nMAESTRO_DEFAULT_MODEL=two',
      chosen: chosenSettings(options),
    })
    expect([texts.MAESTRO_DEFAULT_MODEL, texts.MAESTRO_AGENT_TIMEOUT]).toEqual([
      { value: 'flash', source: 'your choice' },
      { value: '20', source: 'your choice' },
    ])
    expect(foreignWords(texts)).toBe('')
  })

  it('can be chosen only where a dispatch would take it', () => {
    const refused = [
      { MAESTRO_AGENT_TIMEOUT: 0 },
      { MAESTRO_AGENT_TIMEOUT: 1_441 },
      { MAESTRO_MAX_CONCURRENT: 1e12 },
      { MAESTRO_STAGGER_DELAY: 1.5 },
      { MAESTRO_DEFAULT_MODEL: '--yolo' },
      { MAESTRO_CLEANUP_DISPATCH: 'yes' },
    ]
    for (const options of refused) expect(chosenOptionsSchema.safeParse(options).success).toBe(false)
    const most = { MAESTRO_AGENT_TIMEOUT: 1_440, MAESTRO_MAX_CONCURRENT: 86_400, MAESTRO_STAGGER_DELAY: 86_400 }
    expect(chosenOptionsSchema.parse(most)).toEqual(most)
    expect(readSettings(resolveSettings({ environment: {}, chosen: chosenSettings(most) })).timeout).toBe(1_440)
  })

  it('counts as unset where it is empty, in every layer', () => {
    expect(from({ [name]: '' }, `${name}=`, `${name}=three`)[name].source).toBe('extension .env')
  })

  it('has the default of Maestro', () => {
    expect(readSettings(from({}))).toEqual({
      model: null,
      writerModel: null,
      timeout: 10,
      concurrency: 0,
      stagger: 5,
      extraArgs: [],
      removesPrompts: false,
      warnings: [],
    })
  })
})

describe('a number', () => {
  it.each([
    ['MAESTRO_AGENT_TIMEOUT', 'timeout', '1', 1],
    ['MAESTRO_AGENT_TIMEOUT', 'timeout', '010', 10],
    ['MAESTRO_AGENT_TIMEOUT', 'timeout', '1440', 1440],
    ['MAESTRO_MAX_CONCURRENT', 'concurrency', '0', 0],
    ['MAESTRO_STAGGER_DELAY', 'stagger', '0', 0],
  ] as const)('%s (%s) “%s” is %i', (name, key, text, value) => {
    expect(readSettings(from({ [name]: text }))[key]).toBe(value)
  })

  it.each([
    ['MAESTRO_AGENT_TIMEOUT', '0', 'MAESTRO_AGENT_TIMEOUT must be a positive integer (got: 0)'],
    ['MAESTRO_AGENT_TIMEOUT', '-1', 'MAESTRO_AGENT_TIMEOUT must be a positive integer (got: -1)'],
    ['MAESTRO_AGENT_TIMEOUT', '1.5', 'MAESTRO_AGENT_TIMEOUT must be a positive integer (got: 1.5)'],
    ['MAESTRO_AGENT_TIMEOUT', ' 10', 'MAESTRO_AGENT_TIMEOUT must be a positive integer (got:  10)'],
    ['MAESTRO_AGENT_TIMEOUT', '1441', 'at most 1440'],
    ['MAESTRO_AGENT_TIMEOUT', '35792', 'at most 1440'],
    ['MAESTRO_AGENT_TIMEOUT', '86401', 'at most 1440 minutes'],
    ['MAESTRO_MAX_CONCURRENT', 'many', 'MAESTRO_MAX_CONCURRENT must be a non-negative integer (got: many)'],
    ['MAESTRO_STAGGER_DELAY', '5s', 'MAESTRO_STAGGER_DELAY must be a non-negative integer (got: 5s)'],
    ['MAESTRO_STAGGER_DELAY', '٣', 'MAESTRO_STAGGER_DELAY must be a non-negative integer'],
    ['MAESTRO_DEFAULT_MODEL', '--help', 'MAESTRO_DEFAULT_MODEL must be the name of a model'],
    ['MAESTRO_GEMINI_EXTRA_ARGS', '--a "b', 'a quote that does not end'],
  ] as const)('is refused: %s “%s”', (name, text, message) => {
    expect(() => readSettings(from({ [name]: text }))).toThrow(message)
  })

  it('of more than an hour is a warning', () => {
    expect(readSettings(from({ MAESTRO_AGENT_TIMEOUT: '60' })).warnings).toEqual([])
    expect(readSettings(from({ MAESTRO_AGENT_TIMEOUT: '61' })).warnings).toEqual([
      expect.stringContaining('61 minutes'),
    ])
  })
})

describe('extra arguments', () => {
  it.each([
    ['', []],
    ['  --sandbox\t--policy a.toml ', ['--sandbox', '--policy', 'a.toml']],
    [`--a "b c" 'd e'`, ['--a', 'b c', 'd e']],
    [`--name="b c"x`, ['--name=b cx']],
    [`""`, ['']],
    [String.raw`a\ b`, ['a\\', 'b']],
  ])('%s are the words %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it.each([
    ['--allowed-tools Read', 1],
    ['--allowed-tools=Read --allowed-tools=Edit', 1],
    ['--policy a.toml', 0],
    ['--allowed-tools-file a', 0],
  ])('%s: %i warnings', (text, count) => {
    expect(readSettings(from({ MAESTRO_GEMINI_EXTRA_ARGS: text })).warnings).toHaveLength(count)
  })

  it('with quotes say that Maestro’s own dispatcher does not know them', () => {
    expect(readSettings(from({ MAESTRO_GEMINI_EXTRA_ARGS: '"a b"' })).warnings).toEqual([
      expect.stringContaining('quotes'),
    ])
  })
})

it.each([
  ['true', true],
  ['TRUE', false],
  ['1', false],
  ['yes', false],
])('MAESTRO_CLEANUP_DISPATCH=%s removes the prompts: %s', (text, removesPrompts) => {
  expect(readSettings(from({ MAESTRO_CLEANUP_DISPATCH: text })).removesPrompts).toBe(removesPrompts)
})

it('A person has to see the model and arguments of a project’s own .env, and nothing else', () => {
  expect(foreignWords(from({}, 'MAESTRO_GEMINI_EXTRA_ARGS=--yolo\nMAESTRO_DEFAULT_MODEL=big'))).toBe(
    'MAESTRO_DEFAULT_MODEL=big\nMAESTRO_GEMINI_EXTRA_ARGS=--yolo',
  )
  expect(foreignWords(from({ MAESTRO_GEMINI_EXTRA_ARGS: '--mine' }, 'MAESTRO_GEMINI_EXTRA_ARGS=--yolo'))).toBe('')
  expect(foreignWords(from({}, 'MAESTRO_AGENT_TIMEOUT=5', 'MAESTRO_DEFAULT_MODEL=own'))).toBe('')
})
