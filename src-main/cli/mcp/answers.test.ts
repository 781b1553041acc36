import { describe, expect, it } from 'vitest'
import { Answers, PART_LENGTH } from './answers'

describe('a long answer', () => {
  it('is whole in its parts, which end with lines', () => {
    const answers = new Answers()
    const whole = Array.from({ length: 1_000 }, (_, line) => `line ${line} with something behind it`).join('\n')
    let part = answers.begin(whole)
    let text = part.text
    while (part.more !== null) {
      expect(part.text.endsWith('\n')).toBe(true)
      expect(part.text.length).toBeLessThanOrEqual(PART_LENGTH + 1)
      part = answers.more(part.more)
      text += part.text
    }
    expect(text).toBe(whole)
  })

  it('is cut anywhere where it has no lines', () => {
    const answers = new Answers()
    const { text, more } = answers.begin('x'.repeat(PART_LENGTH + 5))
    expect(text).toHaveLength(PART_LENGTH)
    expect(answers.more(more ?? '')).toEqual({ text: 'xxxxx', more: null })
  })

  it('is one part where it is short', () => {
    expect(new Answers().begin('short')).toEqual({ text: 'short', more: null })
  })

  it('is gone after many others, and says so', () => {
    const answers = new Answers()
    const { more } = answers.begin('x'.repeat(PART_LENGTH + 5))
    for (let count = 0; count < 20; count++) answers.begin('y'.repeat(PART_LENGTH + 5))
    for (const name of [more ?? '', 'a1-9999999', 'nothing'])
      expect(() => answers.more(name)).toThrow(/^There is nothing more as/)
  })
})
