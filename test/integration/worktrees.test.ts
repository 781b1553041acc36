/** Worktrees of runs in real repositories: made, found again after whatever happened to them, merged and thrown away. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GitStep } from '@shared/gitStep'
import { WORKTREE, type Worktree } from '@shared/worktree'
import { pinStep, planRollback, rollBack } from '../../src-main/git/rollback'
import { TrustedFolder } from '../../src-main/git/trustedFolder'
import {
  ensureWorktree,
  listWorktrees,
  planWorktree,
  removeWorktree,
  withinWorktree,
} from '../../src-main/git/worktree'
import { previewRemoval, projectWorktrees, removeLeft } from '../../src-main/loops/leftWorktrees'
import { openDatabase } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SidecarStore } from '../../src-main/storage/sidecar'
import { TestRepository } from '../support/repository'

let repository: TestRepository
let data: string
beforeEach(() => {
  repository = new TestRepository()
  data = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-worktrees-')))
})
afterEach(() => {
  repository.remove()
  rmSync(data, { recursive: true, force: true })
})

const { signal } = new AbortController()
const plan = (name = 'metashell-1') => planWorktree(repository.trusted, { root: join(data, 'worktree'), name }, signal)
async function made(): Promise<Worktree> {
  const worktree = await plan()
  expect(await ensureWorktree(repository.trusted, worktree)).toBe(false)
  return worktree
}
const there = ({ root }: Worktree, file: string) => join(root, file)
const put = (worktree: Worktree, file: string, text: string) => {
  mkdirSync(dirname(there(worktree, file)), { recursive: true })
  writeFileSync(there(worktree, file), text)
}
const gitThere = ({ root }: Worktree, ...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=Bob', '-c', 'user.email=bob@example.org', ...args], {
    encoding: 'utf8',
  }).trim()
function commitThere(worktree: Worktree, message: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) put(worktree, file, text)
  gitThere(worktree, 'add', '--all')
  gitThere(worktree, 'commit', '--quiet', '-m', message)
  return gitThere(worktree, 'rev-parse', 'HEAD')
}
const fileOf = (name: string) => readFileSync(join(repository.root, name), 'utf8')
const head = () => repository.git('rev-parse', 'HEAD')
const branches = () => repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
const mergeOf = (worktree: Worktree, kept: readonly string[] = []): GitStep => ({ kind: 'merge', worktree, kept })
const throwAwayOf = (worktree: Worktree): GitStep => ({ kind: 'throw-away', worktree })

describe('a worktree', () => {
  it('starts from the last commit, on a branch of its own, and leaves the project’s folder as it is', async () => {
    const first = repository.commit('One', { 'a.txt': 'one\n' })
    repository.put('a.txt', 'changed\n')
    const worktree = await made()
    expect(worktree).toMatchObject({ branch: 'bridgedeck/metashell-1', base: first, into: 'main', top: '' })
    expect(readFileSync(there(worktree, 'a.txt'), 'utf8')).toBe('one\n')
    expect(fileOf('a.txt')).toBe('changed\n')
    expect(repository.git('branch', '--show-current')).toBe('main')
    expect(await listWorktrees(repository.trusted)).toEqual([
      { path: worktree.root, branch: worktree.branch, head: first, isMissing: false },
    ])
  })

  it('is found again', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    put(worktree, 'new.txt', 'not committed\n')
    expect(await ensureWorktree(repository.trusted, worktree)).toBe(true)
    expect(existsSync(there(worktree, 'new.txt'))).toBe(true)
  })

  it('is finished where the host was killed before its files were there', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await plan()
    repository.git('worktree', 'add', '--quiet', '--no-checkout', '-b', worktree.branch, worktree.root)
    expect(existsSync(there(worktree, 'a.txt'))).toBe(false)
    await ensureWorktree(repository.trusted, worktree)
    expect(gitThere(worktree, 'status', '--porcelain')).toBe('')
    expect(existsSync(there(worktree, 'a.txt'))).toBe(true)
  })

  it('is checked out again with its commits where its folder was removed by hand', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    const commit = commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
    rmSync(worktree.root, { recursive: true })
    expect(await listWorktrees(repository.trusted)).toMatchObject([{ isMissing: true }])
    expect(await ensureWorktree(repository.trusted, worktree)).toBe(false)
    expect(gitThere(worktree, 'rev-parse', 'HEAD')).toBe(commit)
    expect(gitThere(worktree, 'branch', '--show-current')).toBe(worktree.branch)
  })

  it('is not made over a folder that is there', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await plan()
    put(worktree, 'mine.txt', 'mine\n')
    await expect(ensureWorktree(repository.trusted, worktree)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(existsSync(there(worktree, 'mine.txt'))).toBe(true)
  })

  it('needs a repository with a commit, in the project', async () => {
    await expect(plan()).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('no commits') as string,
    })
    const below = new TrustedFolder(join(repository.root, 'apps'), join(repository.root, 'apps'))
    repository.commit('One', { 'apps/a.txt': 'one\n' })
    await expect(planWorktree(below, { root: data, name: 'x' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(`${repository.root}, above the project`) as string,
    })
    await expect(planWorktree(new TrustedFolder(data, data), { root: data, name: 'x' })).rejects.toMatchObject({
      message: expect.stringContaining('no git repository') as string,
    })
  })
})

describe('a worktree of a repository that begins above the project', () => {
  const apps = () => join(repository.root, 'apps/tool')
  const below = () => new TrustedFolder(apps(), apps(), repository.root)
  async function madeBelow(): Promise<Worktree> {
    const worktree = await planWorktree(below(), { root: join(data, 'worktree'), name: 'metashell-1' }, signal)
    await ensureWorktree(below(), worktree)
    return worktree
  }

  it('is made where that folder is trusted, too, and the run goes on in the same folder of it', async () => {
    repository.commit('One', { 'a.txt': 'one\n', 'apps/tool/b.txt': 'b\n' })
    const worktree = await madeBelow()
    expect(worktree).toMatchObject({ root: join(data, 'worktree/apps/tool'), top: '../..' })
    expect(readFileSync(join(data, 'worktree/a.txt'), 'utf8')).toBe('one\n')
    expect(readFileSync(there(worktree, 'b.txt'), 'utf8')).toBe('b\n')
    expect(withinWorktree(below(), worktree)).toMatchObject({ path: worktree.root, bounds: join(data, 'worktree') })
    expect(await ensureWorktree(below(), worktree)).toBe(true)
  })

  it('has the project’s folder also where nothing in it was committed', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    mkdirSync(apps(), { recursive: true })
    expect(existsSync((await madeBelow()).root)).toBe(true)
  })

  it('is merged with what was done above the project; the run’s own files stay', async () => {
    repository.commit('One', { 'a.txt': 'one\n', 'apps/tool/.meta/session.json': 'old\n' })
    const worktree = await madeBelow()
    commitThere(worktree, 'Work', { '.meta/session.json': 'theirs\n', 'b.txt': 'b\n', '../../c.txt': 'c\n' })
    put(worktree, '../../d.txt', 'd\n')
    await rollBack(below(), { kind: 'commit', files: 'all', message: 'Left', within: worktree })
    expect(gitThere(worktree, 'log', '-1', '--format=%s')).toBe('Left')
    await rollBack(below(), mergeOf(worktree, ['.meta']))
    expect([fileOf('apps/tool/b.txt'), fileOf('c.txt'), fileOf('apps/tool/.meta/session.json')]).toEqual([
      'b\n',
      'c\n',
      'old\n',
    ])
    expect(existsSync(join(data, 'worktree'))).toBe(false)
  })

  it('is not used any more once that folder is not trusted', async () => {
    repository.commit('One', { 'apps/tool/b.txt': 'b\n' })
    const worktree = await madeBelow()
    const restricted = new TrustedFolder(apps(), apps())
    expect(() => withinWorktree(restricted, worktree)).toThrow(repository.root)
    await expect(ensureWorktree(restricted, worktree)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(rollBack(restricted, mergeOf(worktree))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('merging it', () => {
  it('moves the branch forward where nothing else happened, and removes it', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    const commit = commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
    const state = repository.state()
    const shown = await planRollback(repository.trusted, mergeOf(worktree))
    expect(shown).toMatchObject({ obstacles: [], files: [{ path: 'b.txt', added: 1, deleted: 0 }] })
    expect(shown.branch.map(({ subject }) => subject)).toEqual(['Work'])
    expect(repository.state()).toBe(state)
    const done = await rollBack(repository.trusted, mergeOf(worktree))
    expect(head()).toBe(commit)
    expect(done.head).toBe(commit)
    expect(fileOf('b.txt')).toBe('b\n')
    expect(existsSync(worktree.root)).toBe(false)
    expect(branches()).toEqual(['main'])
    expect(repository.git('reflog', '-1', '--format=%gs')).toMatch(/^bridgedeck merge bridgedeck\/metashell-1: /)
  })

  it('makes a merge commit beside what was committed meanwhile, and keeps uncommitted changes elsewhere', async () => {
    repository.commit('One', { 'a.txt': 'one\n', 'd.txt': 'd\n' })
    const worktree = await made()
    const work = commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
    const mine = repository.commit('Mine', { 'c.txt': 'c\n' })
    repository.put('d.txt', 'not committed\n')
    await rollBack(repository.trusted, mergeOf(worktree))
    expect(repository.git('log', '-1', '--format=%P %s')).toBe(
      `${mine} ${work} Merge branch 'bridgedeck/metashell-1' into main`,
    )
    expect([fileOf('b.txt'), fileOf('c.txt'), fileOf('d.txt')]).toEqual(['b\n', 'c\n', 'not committed\n'])
  })

  it('can be undone, and the work is merged again then', async () => {
    const first = repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    const commit = commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
    const { backup } = await rollBack(repository.trusted, mergeOf(worktree))
    await rollBack(repository.trusted, { kind: 'restore', backup, commit: first, head: commit })
    expect(head()).toBe(first)
    await ensureWorktree(repository.trusted, worktree)
    expect(gitThere(worktree, 'rev-parse', 'HEAD')).toBe(commit)
    await rollBack(repository.trusted, mergeOf(worktree))
    expect(head()).toBe(commit)
  })

  it('leaves the run’s own files as they are, whatever its agents committed', async () => {
    repository.commit('One', { '.meta/session.json': '{"old":1}\n', 'a.txt': 'one\n' })
    const worktree = await made()
    commitThere(worktree, 'Work', {
      '.meta/session.json': '{"theirs":1}\n',
      '.meta/summary.json': '{}\n',
      'b.txt': 'b\n',
    })
    repository.put('.meta/session.json', '{"live":1}\n')
    await rollBack(repository.trusted, mergeOf(worktree, ['.meta']))
    expect(fileOf('.meta/session.json')).toBe('{"live":1}\n')
    expect(existsSync(join(repository.root, '.meta/summary.json'))).toBe(false)
    expect(fileOf('b.txt')).toBe('b\n')
  })

  it.each([
    [
      'a conflict',
      (worktree: Worktree) => {
        commitThere(worktree, 'Theirs', { 'a.txt': 'theirs\n' })
        repository.commit('Mine', { 'a.txt': 'mine\n' })
      },
      'git merge bridgedeck/metashell-1',
    ],
    [
      'an uncommitted change of the same file',
      (worktree: Worktree) => {
        commitThere(worktree, 'Theirs', { 'a.txt': 'theirs\n' })
        repository.put('a.txt', 'mine\n')
      },
      'not committed, in a.txt',
    ],
    [
      'a file in the way',
      (worktree: Worktree) => {
        commitThere(worktree, 'Theirs', { 'b.txt': 'theirs\n' })
        repository.put('b.txt', 'mine\n')
      },
      'b.txt would come back',
    ],
    [
      'uncommitted work',
      (worktree: Worktree) => put(worktree, 'left.txt', 'left\n'),
      'The worktree has uncommitted changes in left.txt',
    ],
    [
      'another branch that nobody was asked about',
      () => void repository.git('switch', '--quiet', '-c', 'other'),
      'The run began on main, and other is checked out now.',
    ],
    ['no branch', () => void repository.git('switch', '--quiet', '--detach'), 'check one out first'],
  ])('changes nothing at %s, and says what to do', async (_what, prepare, obstacle) => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    prepare(worktree)
    const state = repository.state()
    const shown = await planRollback(repository.trusted, mergeOf(worktree))
    expect(shown.obstacles.join(' ')).toContain(obstacle)
    await expect(rollBack(repository.trusted, mergeOf(worktree))).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(repository.state()).toBe(state)
    expect(existsSync(worktree.root)).toBe(true)
  })

  it('goes into the branch that is checked out now, once that was agreed on, and into no other', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    const work = commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
    repository.git('switch', '--quiet', '-c', 'other')
    const mine = repository.commit('Mine', { 'c.txt': 'c\n' })
    const agreed = await pinStep(repository.trusted, mergeOf(worktree))
    expect(agreed).toMatchObject({ into: 'other' })
    repository.git('switch', '--quiet', 'main')
    const before = head()
    await expect(rollBack(repository.trusted, agreed)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('main is checked out now') as string,
    })
    expect(head()).toBe(before)
    repository.git('switch', '--quiet', 'other')
    await rollBack(repository.trusted, agreed)
    expect(repository.git('log', '-1', '--format=%P %s')).toBe(
      `${mine} ${work} Merge branch 'bridgedeck/metashell-1' into other`,
    )
    expect(repository.git('rev-parse', 'main')).toBe(before)
    expect(existsSync(worktree.root)).toBe(false)
  })

  it('ends the worktree after a merge by hand, or after a crash in the middle', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
    repository.git('merge', '--quiet', '--ff-only', worktree.branch)
    const before = head()
    expect(await planRollback(repository.trusted, mergeOf(worktree))).toMatchObject({
      obstacles: [],
      branch: [],
      files: [],
    })
    await rollBack(repository.trusted, mergeOf(worktree))
    expect(head()).toBe(before)
    expect(branches()).toEqual(['main'])
    await rollBack(repository.trusted, mergeOf(worktree))
    expect(head()).toBe(before)
  })
})

describe('throwing it away', () => {
  it('tells what goes, keeps it under refs, and leaves the project’s branch alone', async () => {
    const first = repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    const commit = commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
    put(worktree, 'left.txt', 'left\n')
    const shown = await planRollback(repository.trusted, throwAwayOf(worktree))
    expect(shown).toMatchObject({
      obstacles: [],
      lost: [worktree.root, 'left.txt'],
      files: [{ path: 'b.txt', deleted: 1 }],
    })
    expect(shown.branch.map(({ subject }) => subject)).toEqual(['Work'])
    const { backup, changesBackup } = await rollBack(repository.trusted, throwAwayOf(worktree))
    expect(head()).toBe(first)
    expect(existsSync(worktree.root)).toBe(false)
    expect(branches()).toEqual(['main'])
    expect(repository.git('rev-parse', backup)).toBe(commit)
    expect(repository.tree(changesBackup ?? '')['left.txt']).toBe('left')
    await ensureWorktree(repository.trusted, worktree)
    expect(gitThere(worktree, 'rev-parse', 'HEAD')).toBe(commit)
  })

  it('works where its folder was removed by hand', async () => {
    repository.commit('One', { 'a.txt': 'one\n' })
    const worktree = await made()
    const commit = commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
    rmSync(worktree.root, { recursive: true })
    const { backup } = await rollBack(repository.trusted, throwAwayOf(worktree))
    expect(repository.git('rev-parse', backup)).toBe(commit)
    expect(branches()).toEqual(['main'])
    expect(await listWorktrees(repository.trusted)).toEqual([])
  })
})

it('What is left of a run that is gone can be removed', async () => {
  repository.commit('One', { 'a.txt': 'one\n' })
  const worktree = await made()
  expect(await removeWorktree(repository.trusted, worktree)).toBe('refs/bridgedeck/kept/bridgedeck/metashell-1')
  expect(await listWorktrees(repository.trusted)).toEqual([])
})

it('Commits and rollbacks of the run are made in it', async () => {
  const first = repository.commit('One', { 'a.txt': 'one\n' })
  const worktree = await made()
  const commit = commitThere(worktree, 'Work', { 'b.txt': 'b\n' })
  put(worktree, 'left.txt', 'left\n')
  await rollBack(repository.trusted, { kind: 'commit', files: 'all', message: 'Left', within: worktree })
  expect(gitThere(worktree, 'log', '--format=%s')).toBe('Left\nWork\nOne')
  await rollBack(repository.trusted, { kind: 'revert', commits: [commit], within: worktree })
  expect(existsSync(there(worktree, 'b.txt'))).toBe(false)
  expect(existsSync(there(worktree, 'left.txt'))).toBe(true)
  expect(head()).toBe(first)
})

it('Those of a repository in a folder of the project are listed too, and say which run works in them', async () => {
  repository.commit('One', { 'a.txt': 'one\n' })
  const below = join(repository.root, 'libs/font')
  repository.git('init', '--quiet', '--initial-branch=main', below)
  repository.git('-C', below, 'commit', '--quiet', '--allow-empty', '-m', 'Font')
  const font = new TrustedFolder(repository.root, below)
  const worktree = await planWorktree(font, { root: join(data, 'font'), name: 'maestro-1' })
  await ensureWorktree(font, worktree)
  const own = await made()
  const database = openDatabase(join(data, 'test.sqlite'))
  new ProjectStore(database).opened(repository.root, 0)
  const sidecar = new SidecarStore(database)
  sidecar.remember(1, 'maestro:state', { [WORKTREE]: JSON.stringify(worktree) })
  const worktrees = { repositories: [repository.trusted, font], project: 1, sidecar, folder: data }
  expect(await projectWorktrees(worktrees, signal)).toMatchObject([
    { branch: own.branch, run: null },
    { path: join(data, 'font/libs/font'), branch: worktree.branch, run: 'maestro:state' },
  ])
  commitThere(own, 'Work', { 'b.txt': 'b\n' })
  put(own, 'left.txt', 'left\n')
  expect(await previewRemoval(worktrees, own.branch, signal)).toMatchObject({
    commits: [{ subject: 'Work' }],
    files: ['b.txt'],
    uncommitted: ['left.txt'],
  })
  await expect(removeLeft(worktrees, worktree.branch, signal)).rejects.toMatchObject({ code: 'CONFLICT' })
  await removeLeft(worktrees, own.branch, signal)
  expect((await projectWorktrees(worktrees, signal)).map(({ branch }) => branch)).toEqual([worktree.branch])
  database.close()
})
