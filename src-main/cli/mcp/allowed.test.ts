import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentFolders } from '../../files/agentFolders'
import { requireInside } from './allowed'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridgedeck-allowed-'))
  mkdirSync(join(root, 'games', 'deep'), { recursive: true })
  mkdirSync(join(root, 'games-not'))
  writeFileSync(join(root, 'secret'), '')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const isInside = (path: string): boolean => {
  try {
    requireInside(
      { granted: [], folders: agentFolders([join(root, 'games')]), command: 'bridgedeck mcp' },
      join(root, path),
    )
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'FORBIDDEN' })
    return false
  }
}

describe('what files an agent may use', () => {
  it('are those in its folders, there or not yet, and none beside them', () => {
    expect(['games', 'games/a.prg', 'games/deep/../b', 'games/new/deeper/c'].map(isInside)).toEqual(Array(4).fill(true))
    expect(['secret', 'games/../secret', 'games-not/a', '..', 'games/../games-not'].map(isInside)).toEqual(
      Array(5).fill(false),
    )
  })

  it('are not reached by way of links out of them', () => {
    symlinkSync(root, join(root, 'games', 'up'))
    symlinkSync(join(root, 'secret'), join(root, 'games', 'file'))
    symlinkSync(join(root, 'nowhere'), join(root, 'games', 'dangling'))
    symlinkSync(join(root, 'games', 'deep'), join(root, 'games', 'within'))
    expect(['games/up/secret', 'games/file', 'games/dangling'].map(isInside)).toEqual([false, false, false])
    expect(isInside('games/within/a')).toBe(true)
  })
})
