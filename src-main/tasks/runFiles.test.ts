import { describe, expect, it } from 'vitest'
import { RunFiles } from './runFiles'

describe('the files of a recurring task', () => {
  it('are those of the last run in a folder, and of all runs where each has its own', () => {
    const files = new RunFiles()
    const run = (folder: string, ...names: string[]): string[] => {
      for (const name of names) files.note(`${folder}${name}`)
      return files.settle({ spritesDir: `artifacts/${folder}` })
    }
    expect(run('sprites/', 'a.png', 'b.png')).toEqual([])
    expect(run('sprites/', 'b.png')).toEqual(['sprites/a.png'])
    expect(run('0003/sprites/', 'c.png')).toEqual([])
    expect(run('0004/sprites/', 'd.png')).toEqual([])
  })

  it('stay where a run wrote none', () => {
    const files = new RunFiles()
    files.note('difference/actual.png')
    files.note('difference/difference.png')
    files.settle({ differenceDir: 'artifacts/difference/' })
    expect(files.settle()).toEqual([])
    files.note('difference/actual.png')
    expect(files.settle({ differenceDir: 'artifacts/difference/' })).toEqual(['difference/difference.png'])
  })
})
