import { describe, expect, it } from 'vitest'
import { followLine } from './followLine'

const source = ['start', ' inc $d020', ' nop', ' inc $d020', ' rts', '']
const text = (...lines: string[]) => lines.join('\n')
const before = text(...source)

describe('a line of a source that was edited', () => {
  it('stays where nothing changed, and where only spaces did', () => {
    expect(followLine(before, before, 2)).toBe(2)
    expect(followLine(before, text(...source.map((line) => `${line}  \r`)), 4)).toBe(4)
  })

  it('moves with what was added or taken away above, also where others have its text', () => {
    expect(followLine(before, text('; new', '; lines', ...source), 4)).toBe(6)
    expect(followLine(before, text(...source.slice(2)), 4)).toBe(2)
    expect(followLine(before, text(...source, '; more'), 2)).toBe(2)
  })

  it('is the nearest with its text between changes', () => {
    const after = text('; a', ...source.slice(0, 4), ' nop', '; b', ' rts', ' nop', '')
    expect(followLine(before, after, 2)).toBe(3)
  })

  it('is gone where it was changed or taken away', () => {
    expect(followLine(before, text(...source.with(2, ' sei')), 3)).toBeNull()
    expect(followLine(before, text(...source.slice(0, 2), ...source.slice(3)), 3)).toBeNull()
    expect(followLine(before, before, 99)).toBeNull()
  })
})
