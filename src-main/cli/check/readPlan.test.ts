import { describe, expect, it } from 'vitest'
import { toFailure } from '@shared/contract/errors'
import { readPlan } from './readPlan'

const read = (text: string) => readPlan('a.check.yaml', text)

function problemsOf(text: string): string[] {
  try {
    read(text)
  } catch (error) {
    const { code, message } = toFailure(error)
    expect(code).toBe('INVALID')
    return message.split('\n')
  }
  throw new Error('it was read')
}

const oneCase = (...lines: string[]): string =>
  ['cases:', '  - name: one', ...lines.map((line) => `    ${line}`), ''].join('\n')

describe('a file of checks', () => {
  it('gives its cases with the lines of their steps and expectations', () => {
    const plan = read(
      oneCase(
        'machines: vice',
        'steps:',
        '  - type: 10',
        '  - wait: { frames: $10 }',
        'expect:',
        '  - screen: HI',
        '  - memory: { at: $0400, bytes: 05 }',
      ),
    )
    expect(plan).toMatchObject({
      machines: ['builtin'],
      cases: [
        {
          name: 'one',
          line: 2,
          machines: ['vice'],
          steps: [
            { type: '10', line: 5 },
            { wait: { frames: 16 }, line: 6 },
          ],
          expect: [
            { screen: { contains: ['HI'] }, line: 8 },
            { memory: { at: '$0400', bytes: [5] }, line: 9 },
          ],
        },
      ],
    })
  })

  it('takes one machine, step or expectation in place of a list', () => {
    expect(
      read('machines: vice:6502\n' + oneCase('steps: { wait: { stop: true } }', 'expect: { screen: A }')),
    ).toMatchObject({
      machines: ['vice:6502'],
      cases: [{ steps: [{ wait: { stop: true }, line: 4 }], expect: [{ line: 5 }] }],
    })
  })

  it('knows the names of machines in all their spellings', () => {
    expect(read('machines: [vice:localhost, vice:6502]\n' + oneCase('expect: { screen: A }')).machines).toEqual([
      'vice:6502',
    ])
  })

  it('takes a scalar by its alias', () => {
    expect(read(oneCase('basic: &a 10 PRINT', 'expect: { screen: *a }')).cases[0]?.expect[0]?.screen).toEqual({
      contains: ['10 PRINT'],
    })
  })
})

describe('one sentence with a place says how to mend', () => {
  it.each([
    ['an empty file', '', '1:1: the file is empty: expected cases.'],
    ['a list', '- a', '1:1: expected a map with machines, timeout, cases.'],
    ['no cases', 'machines: builtin', '1:1: cases is missing: a list of cases.'],
    ['no case', 'cases: []', '1:8: cases: expected at least one case.'],
    ['a case without a name', 'cases:\n  - expect: { screen: A }', '2:5: name is missing: a name.'],
    [
      'a key that is spelt wrong',
      oneCase('expects: { screen: A }', 'expect: { screen: A }'),
      '3:5: there is no "expects" here. Did you mean expect?',
    ],
    [
      'a step that is spelt wrong',
      oneCase('steps: { typ: a }', 'expect: { screen: A }'),
      '3:14: there is no "typ" here. Did you mean type?',
    ],
    [
      'an unknown key',
      oneCase('expect: { sound: loud }'),
      '3:15: there is no "sound" here. Known here: screen, memory, registers, condition, cycles, picture.',
    ],
    [
      'two in one',
      oneCase('expect: { screen: A, condition: A == 1 }'),
      '3:13: expect: expected one of screen, condition in each entry: split it into 2.',
    ],
    [
      'a wait for nothing',
      oneCase('steps: { wait: { timeout: 3 } }'),
      '3:20: wait: expected one of text, until, stop, seconds, frames.',
    ],
    [
      'a timeout that is no number',
      oneCase('steps: { wait: { text: A, timeout: soon } }'),
      '3:40: timeout: expected a number from 0.1 to 3600, not "soon".',
    ],
    [
      'an absurd count',
      oneCase('steps: { wait: { frames: 99999999999 } }'),
      '3:30: frames: expected a whole number from 1 to 3000, not 99999999999.',
    ],
    [
      'bytes with a digit missing',
      oneCase('expect: { memory: { at: $0400, bytes: a } }'),
      '3:43: bytes: expected bytes in hexadecimal, two digits each and ?? for any, such as a9 05 ??, not "a".',
    ],
    [
      'a register that is too large',
      oneCase('expect: { registers: { a: 256 } }'),
      '3:31: a: expected a whole number from 0 to 255, not 256.',
    ],
    [
      'a flag that is no bit',
      oneCase('expect: { registers: { flags: { z: 2 } } }'),
      '3:40: z: expected 0 or 1, not 2.',
    ],
    [
      'cycles without a bound',
      oneCase('expect: { cycles: { subroutine: draw } }'),
      '3:23: cycles: expected min, max or exact.',
    ],
    [
      'cycles from nowhere',
      oneCase('expect: { cycles: { to: draw, max: 3 } }'),
      '3:23: cycles: expected either from and to, or subroutine.',
    ],
    [
      'a min above max',
      oneCase('expect: { cycles: { subroutine: draw, min: 5, max: 3 } }'),
      '3:23: cycles: expected a min that is not above max.',
    ],
    [
      'a row that is not there',
      oneCase('expect: { screen: { rows: { 25: A } } }'),
      '3:37: 25: expected a row from 0 to 24 in its place, not "A".',
    ],
    [
      'a picture of another kind',
      oneCase('expect: { picture: a.gif }'),
      '3:24: picture: expected a PNG file, not "a.gif".',
    ],
    [
      'a key of the keyboard that is none',
      oneCase('steps: { keys: { press: enter } }', 'expect: { screen: A }'),
      /^3:29: press: expected one of inst_del, return,.*, not "enter"\.$/,
    ],
    [
      'a machine that is none',
      'machines: [amiga]\n' + oneCase('expect: { screen: A }'),
      /^1:12: expected the name of a machine\. Machines are named/,
    ],
    [
      'two programs',
      oneCase('program: a.prg', 'basic: 10 PRINT', 'expect: { screen: A }'),
      '2:5: expected one of program, assembly, basic.',
    ],
    ['nothing to check', oneCase('program: a.prg'), '2:5: expected expect, with what the case is to check.'],
    [
      'a name twice',
      'cases:\n  - { name: a, expect: { screen: A } }\n  - { name: a, expect: { screen: A } }',
      '3:13: name: expected a name that no other case has, not "a".',
    ],
    [
      'a key twice',
      oneCase('basic: 1', 'basic: 2', 'expect: { screen: A }'),
      '4:5: the key is here twice: leave one out.',
    ],
    ['broken YAML', 'cases: [', /^1:9: expected YAML \(/],
    [
      'a block whose first line is indented most',
      oneCase('assembly: |', '      sei', '  loop jmp loop', 'expect: { screen: A }'),
      '5:1: this line of the block is indented less than its first: begin the block at the left, with a label or a comment.',
    ],
    ['a tab', 'cases:\n\t- name: a', /^\d+:\d+: expected YAML \(/],
    [
      'a name with control characters',
      'cases: [{ name: "a\\u001b[2J", expect: { screen: A } }]',
      /^1:17: name: expected a name without control characters, not "a\\u001b\[2J"\.$/,
    ],
  ])('%s', (_, text, problem) => {
    const [first = '', ...others] = problemsOf(text)
    expect(others).toEqual([])
    expect(first.startsWith('a.check.yaml:')).toBe(true)
    const said = first.slice('a.check.yaml:'.length)
    if (typeof problem === 'string') expect(said).toBe(problem)
    else expect(said).toMatch(problem)
  })

  it('for each of several mistakes, and for twenty at most', () => {
    const wrong = (count: number) => oneCase('expect:', ...Array.from({ length: count }, () => '  - { sreen: A }'))
    expect(problemsOf(wrong(3))).toHaveLength(3)
    expect(problemsOf(wrong(100)).at(-1)).toBe('… 80 more problems')
  })
})

describe('a file that means harm', () => {
  it('cannot grow by aliases of lists', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 12; level++)
      bomb.push(
        `${String.fromCharCode(97 + level)}: &${String.fromCharCode(97 + level)} [${`*${String.fromCharCode(96 + level)}, `.repeat(8)}*${String.fromCharCode(96 + level)}]`,
      )
    expect(problemsOf(bomb.join('\n'))[0]).toContain('no alias of a list or a map')
  })

  it.each([
    ['too deep', `cases: ${'['.repeat(5_000)}`],
    ['too long', `cases: # ${'x'.repeat(600_000)}`],
    [
      'too many cases',
      `cases:\n${Array.from({ length: 1_001 }, (_, n) => `  - { name: n${n}, expect: { screen: A } }`).join('\n')}`,
    ],
    ['too many steps', oneCase(`steps: [${'{ type: a }, '.repeat(201)}]`)],
    ['a prototype', 'cases: [{ __proto__: { name: a }, expect: { screen: A } }]'],
  ])('is refused where it is %s', (_, text) => {
    expect(problemsOf(text)[0]).toMatch(/^a\.check\.yaml:\d+:\d+: /)
  })
})
