import { describe, expect, it } from 'vitest'
import { extended, selectedRange } from './selection'

describe('a selection', () => {
  it('goes from where it began to the cursor, in both directions', () => {
    expect(selectedRange({ anchor: 0x400, cursor: 0x40f }, 0x40f)).toEqual({ start: 0x400, end: 0x410 })
    expect(selectedRange({ anchor: 0x40f, cursor: 0x400 }, 0x400)).toEqual({ start: 0x400, end: 0x410 })
  })

  it('is over once the cursor is moved by anything else, and is none for one byte', () => {
    expect(selectedRange({ anchor: 0x400, cursor: 0x40f }, 0x410)).toBeNull()
    expect(selectedRange({ anchor: 0x400, cursor: 0x400 }, 0x400)).toBeNull()
    expect(selectedRange(null, 0x400)).toBeNull()
  })

  it('keeps its beginning while it is extended, and begins at the cursor after that stood elsewhere', () => {
    const first = extended(null, 0x400, 0x401)
    expect(first).toEqual({ anchor: 0x400, cursor: 0x401 })
    expect(extended(first, 0x401, 0x3f0)).toEqual({ anchor: 0x400, cursor: 0x3f0 })
    expect(extended(first, 0x500, 0x501)).toEqual({ anchor: 0x500, cursor: 0x501 })
  })
})
