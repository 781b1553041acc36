import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repositoryAround } from './repositoryAt'

let top: string
let folder: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bridgedeck-repository-'))
  folder = join(top, 'a/b')
  mkdirSync(folder, { recursive: true })
  execFileSync('git', ['init', '--quiet', top])
})
afterEach(() => rmSync(top, { recursive: true }))

describe('the repository around a folder', () => {
  it('is the nearest one, and the folder itself counts', () => {
    expect(repositoryAround(folder)).toBe(top)
    execFileSync('git', ['init', '--quiet', folder])
    expect(repositoryAround(folder)).toBe(folder)
  })

  it('is not where an empty folder has the name of one', () => {
    mkdirSync(join(folder, '.git'))
    expect(repositoryAround(folder)).toBe(top)
  })

  it('is where a work tree or a submodule names its git folder in a file', () => {
    writeFileSync(join(folder, '.git'), 'gitdir: ../../.git/worktrees/b\n')
    expect(repositoryAround(folder)).toBe(folder)
  })

  it('is where HEAD is a link to a branch that has no commit yet', () => {
    mkdirSync(join(folder, '.git'))
    symlinkSync('refs/heads/main', join(folder, '.git/HEAD'))
    expect(repositoryAround(folder)).toBe(folder)
  })
})
