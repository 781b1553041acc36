import { describe, expect, it } from 'vitest'
import { withoutOptions } from './withoutOptions'

const options = ['A: How it sounds', 'B: Whether it loads']

describe('a question whose options are offered below it', () => {
  it('is shown without them, however they are marked, and without their heading', () => {
    const text =
      '## Question\nWhich?\n\n## Options\n- **Option A:** How it sounds\n1. B: *Whether it loads*\n\n## Then\nC'
    expect(withoutOptions(text, options)).toBe('## Question\nWhich?\n\n\n## Then\nC')
  })

  it('keeps what is said about the options, with their heading', () => {
    const text = '## Options\n- A: How it sounds\n\nA takes a day.\n'
    expect(withoutOptions(text, options)).toBe('## Options\n\nA takes a day.\n')
  })

  it('is as it stands where it has none of them', () => {
    expect(withoutOptions('## Options\n\n', options)).toBe('## Options\n\n')
  })
})
