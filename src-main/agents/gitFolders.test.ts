import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestRepository } from '../../test/support/repository'
import { gitFoldersOf } from './gitFolders'

let repository: TestRepository
let beside: string
beforeEach(() => {
  repository = new TestRepository()
  repository.commit('Begin', { 'src/main.asm': ' rts\n' })
  beside = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-beside-')))
})
afterEach(() => {
  repository.remove()
  rmSync(beside, { recursive: true, force: true })
})

/** As git itself says it. */
const toldByGit = (folder: string): string[] => [
  ...new Set(
    repository
      .git('-C', folder, 'rev-parse', '--path-format=absolute', '--git-common-dir', '--absolute-git-dir')
      .split('\n'),
  ),
]

describe('the folders that a commit is written to', () => {
  it('are the git folder of the repository, from a folder in it too', () => {
    expect(gitFoldersOf(repository.root)).toEqual([join(repository.root, '.git')])
    expect(gitFoldersOf(join(repository.root, 'src'))).toEqual(toldByGit(join(repository.root, 'src')))
  })

  it('are those of the repository around an empty .git, which Codex leaves and git ignores', () => {
    const folder = join(repository.root, 'src')
    mkdirSync(join(folder, '.git'), { recursive: true })
    expect(gitFoldersOf(folder)).toEqual([join(repository.root, '.git')])
    expect(gitFoldersOf(folder)).toEqual(toldByGit(folder))
  })

  it('are the common one and its own in a worktree', () => {
    const worktree = join(beside, 'tree')
    repository.git('worktree', 'add', '--quiet', worktree)
    expect(gitFoldersOf(worktree)).toEqual(toldByGit(worktree))
    expect(gitFoldersOf(worktree)).toHaveLength(2)
  })

  it('are in the git folder of the repository around a submodule', () => {
    const other = new TestRepository()
    try {
      other.commit('Other', { 'a.asm': ' rts\n' })
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'other')
      const submodule = join(repository.root, 'other')
      expect(gitFoldersOf(submodule)).toEqual([join(repository.root, '.git/modules/other')])
      expect(gitFoldersOf(submodule)).toEqual(toldByGit(submodule))
    } finally {
      other.remove()
    }
  })

  it('are none outside of a repository, and where a .git names a folder that is no repository', () => {
    expect(gitFoldersOf(beside)).toEqual([])
    const home = join(beside, 'home')
    mkdirSync(home)
    mkdirSync(join(beside, 'project'))
    writeFileSync(join(beside, 'project/.git'), `gitdir: ${home}\n`)
    expect(gitFoldersOf(join(beside, 'project'))).toEqual([])
  })
})
