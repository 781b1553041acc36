import { describe, expect, it } from 'vitest'
import { readStat } from './processTree'

describe('a process as /proc tells it', () => {
  it('is read past a name with anything in it', () => {
    expect(readStat('12 (a) Z 1 (b c) S 7 12 10 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2')).toEqual({
      parent: 7,
      group: 12,
      session: 10,
      start: 98_765,
    })
  })

  it('has ended when it only waits to be reaped, or is not there', () => {
    expect(readStat('12 (node) Z 7 12 10 0')).toBeUndefined()
    expect(readStat('')).toBeUndefined()
  })
})
