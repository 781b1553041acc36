import { describe, expect, it } from 'vitest'
import { hooksIn, installHooks, printHooks, removeHooks } from './hooksFile'

const install = (before: string | null, format: '1.2' | '1.4' = '1.2') => installHooks('settings.json', before, format)

describe('the entries of the hooks', () => {
  it('are commands for the four events, with ten seconds each', () => {
    const printed: unknown = JSON.parse(printHooks('1.2'))
    const entry = (event: string) => [
      {
        matcher: '*',
        sequential: true,
        hooks: [
          {
            type: 'command',
            name: `bridgedeck-${event}`,
            command: `bridgedeck maestro hook ${event}`,
            timeout: 10_000,
          },
        ],
      },
    ]
    expect(printed).toEqual({
      hooks: {
        SessionStart: entry('session-start'),
        BeforeAgent: entry('before-agent'),
        AfterAgent: entry('after-agent'),
        SessionEnd: entry('session-end'),
      },
    })
  })

  it.each([null, '', ' \n'])('make a file where there is none: %j', (before) =>
    expect(install(before)).toBe(printHooks('1.2')),
  )

  it('stand beside what is there, which keeps its bytes', () => {
    const theirs =
      '{\n\t"theme": "Dark",\n\t"hooks": {\n\t\t"AfterAgent": [ { "hooks": [ {"type":"command"} ] } ]\n\t}\n}\n'
    const after = install(theirs)
    expect(after).toContain('\t"theme": "Dark"')
    expect(JSON.parse(after)).toMatchObject({
      theme: 'Dark',
      hooks: { AfterAgent: [{ hooks: [{ type: 'command' }] }, { hooks: [{ name: 'bridgedeck-after-agent' }] }] },
    })
    expect(after).toContain('{ "hooks": [ {"type":"command"} ] }')
  })

  it('are there once, however often they are installed, and follow the format', () => {
    const once = install('{"a": 1}')
    expect(install(once)).toBe(once)
    const later = install(once, '1.4')
    expect(later.split('--format 1.4')).toHaveLength(5)
    expect(later.split('bridgedeck-session-end')).toHaveLength(2)
    expect(install(later)).toBe(once)
  })

  it.each(['{', '[]', '{"hooks": []}', '{"hooks": {"AfterAgent": {}}}', '{} // mine'])(
    'are refused for a file that cannot be extended: %s',
    (before) => expect(() => install(before)).toThrow('nothing was changed'),
  )
})

describe('without our entries', () => {
  const theirs = '{\n  "theme": "Dark",\n  "hooks": { "AfterAgent": [ { "hooks": [ {"type":"command"} ] } ] }\n}\n'

  it('a file is as it was before they came', () => {
    expect(JSON.parse(removeHooks('s.json', install(theirs)))).toEqual(JSON.parse(theirs))
    expect(removeHooks('s.json', theirs)).toBe(theirs)
  })

  it('lists and maps that held them alone go with them', () => {
    expect(JSON.parse(removeHooks('s.json', printHooks('1.2')))).toEqual({})
    expect(JSON.parse(removeHooks('s.json', install('{"a": 1}')))).toEqual({ a: 1 })
  })

  it.each(['{', '{"hooks": []}'])('one that cannot be changed is refused: %s', (before) =>
    expect(() => removeHooks('s.json', before)).toThrow('nothing was changed'),
  )
})

it('Which events are ours, and how they are called', () => {
  expect(hooksIn('s.json', install('{}', '1.4')).map(({ command }) => command)).toEqual(
    ['session-start', 'before-agent', 'after-agent', 'session-end'].map(
      (event) => `bridgedeck maestro hook ${event} --format 1.4`,
    ),
  )
  expect(hooksIn('s.json', '{"hooks": {"AfterAgent": [{"hooks": [{"name": "mine"}]}]}}')).toEqual([])
  expect(hooksIn('s.json', '{')).toEqual([])
})
