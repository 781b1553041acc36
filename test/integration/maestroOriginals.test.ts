/**
 * What Maestro's own tests of its dispatcher ask for, on ours: arguments and input of the agent, one at a time, refused numbers, the
 * settings of an installed extension, and exit codes. As there, the batch lies outside the folder in which the agents work.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GeminiProject } from '../support/geminiProject'

let gemini: GeminiProject
let top: string
let batch: string
beforeEach(() => {
  gemini = new GeminiProject()
  ;({ top } = gemini)
  batch = join(top, 'elsewhere/.maestro-parallel')
  mkdirSync(join(batch, 'prompts'), { recursive: true })
})
afterEach(() => gemini.remove())

const prompt = (name: string, text = `Task of ${name}.`) => writeFileSync(join(batch, 'prompts', name), text)
const behaviour = (script: object) => gemini.behave(script)
const result = (name: string) => readFileSync(join(batch, 'results', name), 'utf8')

const calls = (what: 'start' | 'end') => gemini.notes(what)

const quick = { MAESTRO_AGENT_TIMEOUT: '2', MAESTRO_STAGGER_DELAY: '0' }

const home = () => join(top, 'home')
const inherited = Object.keys(process.env).filter((name) => name.startsWith('MAESTRO_'))
const dispatch = (environment: Readonly<Record<string, string>>) =>
  gemini.run(['maestro', 'parallel-dispatch', batch, '--trust'], {
    ...Object.fromEntries(inherited.map((name) => [name, undefined])),
    HOME: home(),
    USERPROFILE: home(),
    ...environment,
  })

describe('its arguments', () => {
  it('with a limit of one, no agent starts before the one before it has ended', async () => {
    const names = ['architect', 'coder', 'tester']
    for (const name of names) prompt(`${name}.txt`)
    behaviour(Object.fromEntries(names.map((name) => [name, { wait: 200 }])))
    expect(await dispatch({ ...quick, MAESTRO_MAX_CONCURRENT: '1' })).toMatchObject({ code: 0 })
    expect(calls('start')).toHaveLength(3)
    const ends = calls('end')
    expect(ends).toHaveLength(3)
    for (const [index, { time }] of calls('start').slice(1).entries())
      expect(time).toBeGreaterThanOrEqual(ends[index]?.time ?? Infinity)
  })

  it('all reach the agent, and the prompt comes on its standard input', async () => {
    prompt('architect.txt', 'Review the project architecture.')
    const { code } = await dispatch({
      ...quick,
      MAESTRO_MAX_CONCURRENT: '1',
      MAESTRO_DEFAULT_MODEL: 'gemini-2.5-pro',
      MAESTRO_GEMINI_EXTRA_ARGS: '--sandbox --policy .gemini/policies/maestro.toml',
    })
    expect(code).toBe(0)
    const [{ argv = [], stdin } = {}] = calls('start')
    expect(argv).toContain('--approval-mode=yolo')
    expect(argv[argv.indexOf('--output-format') + 1]).toBe('json')
    expect(argv[argv.indexOf('-m') + 1]).toBe('gemini-2.5-pro')
    expect(argv.slice(-3)).toEqual(['--sandbox', '--policy', '.gemini/policies/maestro.toml'])
    expect(argv).not.toContain('--prompt')
    expect(stdin).toContain('PROJECT ROOT:')
    expect(stdin).toContain('Review the project architecture.')
    expect(existsSync(join(batch, 'results/architect.json'))).toBe(true)
  })

  it.each([
    ['MAESTRO_AGENT_TIMEOUT', '1minutes', 'positive'],
    ['MAESTRO_MAX_CONCURRENT', '2workers', 'non-negative'],
    ['MAESTRO_STAGGER_DELAY', '5s', 'non-negative'],
  ])('%s=%s is refused, and said', async (name, value, kind) => {
    prompt('architect.txt')
    const { code, stderr } = await dispatch({ ...quick, [name]: value })
    expect(code).not.toBe(0)
    expect(stderr).toContain(`${name} must be a ${kind} integer (got: ${value})`)
    expect(calls('start')).toEqual([])
  })
})

it('The settings come from the .env of the extension in the home folder where nothing else sets them', async () => {
  prompt('architect.txt')
  prompt('coder.txt')
  const extension = join(home(), '.gemini/extensions/maestro')
  mkdirSync(extension, { recursive: true })
  writeFileSync(
    join(extension, '.env'),
    'MAESTRO_DEFAULT_MODEL=of-extension\nMAESTRO_AGENT_TIMEOUT=2\nMAESTRO_MAX_CONCURRENT=0\nMAESTRO_STAGGER_DELAY=1\n',
  )
  const { code, stderr } = await dispatch({})
  expect(code).toBe(0)
  expect(stderr).toContain('Model: of-extension')
  expect(stderr).toContain('Stagger Delay: 1s')
  expect(calls('start')).toHaveLength(2)
  for (const { argv = [] } of calls('start')) {
    expect(argv).toContain('--approval-mode=yolo')
    expect(argv[argv.indexOf('-m') + 1]).toBe('of-extension')
  }
})

it('The exit code is how many failed, and that of an agent stands in its results', async () => {
  prompt('coder.txt')
  behaviour({ coder: { exit: 2, says: 'simulated failure' } })
  const { code, stderr } = await dispatch({ MAESTRO_AGENT_TIMEOUT: '2' })
  expect(code).toBe(1)
  expect(result('coder.exit')).toBe('2')
  expect(JSON.parse(result('summary.json'))).toMatchObject({ agents: [{ name: 'coder', exit_code: 2 }] })
  expect(stderr).toContain('coder: FAILED (exit 2)')
})

it('Maestro’s variables of the caller reach the agent, whose hooks read them', async () => {
  prompt('coder.txt')
  const variables = { ...quick, MAESTRO_STATE_DIR: '.state', MAESTRO_HOOKS_DIR: join(top, 'hooks') }
  expect(await dispatch({ ...variables, OTHER_SECRET: 'x' })).toMatchObject({ code: 0 })
  expect(calls('start')[0]?.variables).toEqual({ ...variables, MAESTRO_CURRENT_AGENT: 'coder' })
})
