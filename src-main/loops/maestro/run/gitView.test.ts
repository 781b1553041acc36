import { describe, expect, it } from 'vitest'
import { compareFiles } from './gitView'

const files = (created: readonly string[], modified: readonly string[] = []) => ({ created, modified, deleted: [] })
const known = { base: '', stateDir: '.gemini', changed: [] as string[], dirty: [] as string[] }

describe('what an agent claims', () => {
  it('is held against what git knows', () => {
    expect(
      compareFiles(files(['./a.ts', 'b.ts']), { ...known, changed: ['a.ts', 'c.ts', '.gemini/state/x.md'] }),
    ).toEqual({
      unfounded: ['b.ts'],
      unsaid: ['c.ts'],
    })
  })

  it('may be in a new folder, of which git names only the folder', () => {
    expect(compareFiles(files(['new/a.ts']), { ...known, changed: ['new/'] })).toEqual({ unfounded: [], unsaid: [] })
  })

  it('is not doubted where the file was changed before already', () => {
    expect(compareFiles(files([], ['a.ts']), { ...known, dirty: ['a.ts'] }).unfounded).toEqual([])
  })

  it('starts at the folder of the run', () => {
    expect(compareFiles(files(['a.ts']), { ...known, base: 'sub', changed: ['sub/a.ts', 'other/b.ts'] })).toEqual({
      unfounded: [],
      unsaid: [],
    })
  })
})
