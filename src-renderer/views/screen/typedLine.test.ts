import { describe, expect, it } from 'vitest'
import { TypedLine } from './typedLine'

const press = (line: TypedLine, ...keys: readonly string[]) =>
  keys.map((key) => line.press({ key, ctrlKey: false, altKey: false, metaKey: false })).at(-1)

describe('a typed line', () => {
  it('ends with Enter, and has what was deleted no more', () => {
    const line = new TypedLine()
    expect(press(line, '1', '0', 'x', 'Shift')).toBeNull()
    expect(press(line, 'Backspace', ' ', '?', 'Enter')).toBe('10 ?')
    expect(press(line, 'Enter')).toBe('')
  })

  it('is unknown once the cursor moved', () => {
    expect(press(new TypedLine(), 'a', 'ArrowUp', 'b', 'Enter')).toBe('b')
  })

  it('has no commands of the window', () => {
    const line = new TypedLine()
    line.press({ key: 'v', ctrlKey: true, altKey: false, metaKey: false })
    expect(press(line, 'Enter')).toBe('')
  })
})
