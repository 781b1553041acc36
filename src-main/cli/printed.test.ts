import { describe, expect, it } from 'vitest'
import { printedText, table, toned, type Printed } from './printed'

const onTerminal = (printed: Printed, width = 80) => printedText(printed, { width, hasColours: true })
const inFile = (printed: Printed) => printedText(printed, { width: Infinity, hasColours: false })

const tasks = table([
  ['0001_sample', toned('good', 'running'), 'builtin'],
  ['0002_extract_sprites', toned('bad', 'error'), 'The machine did not answer in time, three times in a row.'],
])

describe('what is printed', () => {
  it('has colours on a terminal only', () => {
    expect(onTerminal(toned('bad', 'lost'))).toBe('\u001b[31mlost\u001b[39m')
    expect(inFile(toned('bad', 'lost'))).toBe('lost')
  })

  it('is one block below the other, without those that are empty', () => {
    expect(inFile(['a', '', table([], 'no tasks'), table([['b', 'c']]), table([])])).toBe('a\nno tasks\nb  c')
  })

  it('keeps what others wrote from commanding the terminal or colouring it', () => {
    expect(onTerminal(['\u001b[31mx', table([['\u001b[2J', toned('good', '\u0007')]])])).toBe(
      '\\u001b[31mx\n\\u001b[2J  \u001b[32m\\u0007\u001b[39m',
    )
  })
})

describe('a table', () => {
  it('aligns its columns, whatever their colours and characters', () => {
    expect(inFile(tasks).split('\n')).toEqual([
      '0001_sample           running  builtin',
      '0002_extract_sprites  error    The machine did not answer in time, three times in a row.',
    ])
    expect(
      onTerminal(
        table([
          [toned('good', '日本'), 'x'],
          ['abcdef', 'y'],
        ]),
      ),
    ).toBe('\u001b[32m日本\u001b[39m    x\nabcdef  y')
  })

  it('wraps its widest columns to fit the terminal, and loses nothing', () => {
    const lines = printedText(tasks, { width: 50, hasColours: false }).split('\n')
    expect(lines).toEqual([
      '0001_sample           running  builtin',
      '0002_extract_sprites  error    The machine did not',
      '                               answer in time,',
      '                               three times in a',
      '                               row.',
    ])
    for (const width of [10, 30, 40]) {
      const narrow = printedText(tasks, { width, hasColours: false })
      expect(narrow.replaceAll(/\s/g, '')).toHaveLength(inFile(tasks).replaceAll(/\s/g, '').length)
    }
  })
})
