import { describe, expect, it } from 'vitest'
import { folderAbove, isTune, pathIn } from './paths'

describe('a path on the machine', () => {
  it('leads into a folder and up again', () => {
    expect(pathIn('/', 'sd')).toBe('/sd')
    expect(pathIn('/sd/', 'games')).toBe('/sd/games')
    expect(pathIn('/sd', 'games')).toBe('/sd/games')
    expect(folderAbove('/sd/games')).toBe('/sd')
    expect(folderAbove('/sd/')).toBe('/')
    expect(folderAbove('/')).toBeUndefined()
    expect(folderAbove('')).toBeUndefined()
  })
})

it('a tune is played, anything else is run', () => {
  expect(['A.SID', 'b.mod', 'c.prg', 'sid', 'd.sid.crt'].map(isTune)).toEqual([true, true, false, false, false])
})
