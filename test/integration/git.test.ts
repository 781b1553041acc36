/** Git as Bridgedeck runs it, in real repositories; one of them does all it can to have a program run. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeCommits, findAndDescribe, listCommits, readCommit } from '../../src-main/git/commits'
import { git, gitOrFail } from '../../src-main/git/git'
import {
  findCommits,
  findRepository,
  newestFirst,
  notInHead,
  readCommitIdentity,
  readWorkTree,
} from '../../src-main/git/repository'
import { planRollback, rollBack } from '../../src-main/git/rollback'
import { TrustedFolder } from '../../src-main/git/trustedFolder'
import { GitShim } from '../support/gitShim'
import { TestRepository } from '../support/repository'

let repository: TestRepository
beforeEach(() => {
  repository = new TestRepository()
})
afterEach(() => repository.remove())

describe('a repository', () => {
  it('is found from a folder in it, with where it begins and what is checked out', async () => {
    const head = repository.commit('One', { 'deep/er/a.txt': 'a\n' })
    const inside = new TrustedFolder(repository.root, join(repository.root, 'deep/er'))
    expect(await findRepository(inside)).toEqual({
      top: repository.root,
      gitFolder: join(repository.root, '.git'),
      head,
      isShallow: false,
    })
  })

  it('tells who commits in it, by its own settings before those of the person', async () => {
    repository.git('config', 'user.name', 'Ada <3')
    repository.git('config', 'user.email', 'ada@example.org')
    expect(await readCommitIdentity(repository.trusted)).toEqual({ name: 'Ada 3', email: 'ada@example.org' })
    repository.git('config', 'user.useConfigOnly', 'true')
    repository.git('config', 'user.name', '')
    expect(await readCommitIdentity(repository.trusted)).toBeNull()
  })

  it('has no HEAD before its first commit', async () => {
    expect(await findRepository(repository.trusted)).toMatchObject({ head: null })
  })

  it('is none where there is none, and none where a folder only looks like a bare one', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-nogit-')))
    try {
      expect(await findRepository(new TrustedFolder(folder, folder))).toBeNull()
      for (const name of ['objects', 'refs']) mkdirSync(join(folder, name))
      writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
      writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = /\n')
      expect(await findRepository(new TrustedFolder(folder, folder))).toBeNull()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('tells which commits it has, by whole hashes and beginnings; a branch with such a name is none', async () => {
    const one = repository.commit('One', { 'a.txt': 'a\n' })
    const blob = repository.git('rev-parse', 'HEAD:a.txt')
    repository.git('branch', 'deadbeef')
    const found = await findCommits(repository.trusted, [
      one,
      one.slice(0, 8),
      one.slice(0, 8).toUpperCase(),
      'deadbeef',
      'facade1',
      blob,
      'HEAD',
      '--all',
      'x y',
    ])
    expect(Object.fromEntries(found)).toEqual({
      [one]: one,
      [one.slice(0, 8)]: one,
      [one.slice(0, 8).toUpperCase()]: one,
      deadbeef: null,
      facade1: null,
      [blob]: null,
    })
  })

  it('asks for many commits with one process and answers each', async () => {
    const one = repository.commit('One')
    const names = Array.from({ length: 5_000 }, (_, index) =>
      index % 100 === 0 ? one : (index + 0x10000000).toString(16),
    )
    const found = await findCommits(repository.trusted, names)
    expect([...found].filter(([, commit]) => commit === null)).toHaveLength(4_950)
    expect(found.get(one)).toBe(one)
  })

  it('tells what HEAD does not contain, orders commits, and describes them', async () => {
    const one = repository.commit('One', { 'a.txt': '1\n' })
    const two = repository.commit('Two: a “title” with\ttabs', { 'a.txt': '2\n' })
    repository.git('checkout', '--quiet', '-b', 'side', one)
    const side = repository.commit('Side', { 'b.txt': 'b\n' })
    repository.git('checkout', '--quiet', 'main')
    expect(await notInHead(repository.trusted, [one, side, two])).toEqual(new Set([side]))
    expect(await newestFirst(repository.trusted, [one, two])).toEqual([two, one])
    expect(await newestFirst(repository.trusted, [one, side])).toEqual([side, one])
    expect(await describeCommits(repository.trusted, [two, one])).toEqual([
      {
        commit: two,
        parents: [one],
        author: 'Ada',
        time: expect.any(Number) as number,
        subject: 'Two: a “title” with\ttabs',
      },
      { commit: one, parents: [], author: 'Ada', time: expect.any(Number) as number, subject: 'One' },
    ])
  })

  it('lists the commits of a folder and of a time, the newest first', async () => {
    // A second after each other, from 1,800,000,000 on.
    const [one, two, three, other] = repository.import([
      { message: 'One', files: { 'shop/a.txt': '1\n' } },
      { message: 'Two', files: { 'shop/a.txt': '2\n' } },
      { message: 'Three', files: { 'shop/a.txt': '3\n' } },
      { message: 'Elsewhere', files: { 'shop/a.txt': '3\n', 'b.txt': 'b\n' } },
    ])
    const shop = new TrustedFolder(repository.root, join(repository.root, 'shop'))
    const list = async (from: number | null, to: number | null, count = 10, folder = shop) =>
      (await listCommits(folder, { from, to }, count)).map(({ commit }) => commit)
    expect(await list(null, null)).toEqual([three, two, one])
    expect(await list(null, null, 1)).toEqual([three])
    expect(await list(null, null, 1, repository.trusted)).toEqual([other])
    expect(await list(1_800_000_001_900, 1_800_000_001_950)).toEqual([two])
  })

  it('has no commits before the first one, and no list where there is no repository', async () => {
    expect(await listCommits(repository.trusted, { from: null, to: null }, 10)).toEqual([])
    rmSync(join(repository.root, '.git'), { recursive: true })
    await expect(listCommits(repository.trusted, { from: null, to: null }, 10)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('shows what a commit changed, the first one and a merge too', async () => {
    const first = repository.commit('First\n\nWith a reason.', { 'a.txt': '1\n', 'b.bin': '\0' })
    repository.git('checkout', '--quiet', '-b', 'side')
    const side = repository.commit('Side', { 'side.txt': 's\n' })
    repository.git('checkout', '--quiet', 'main')
    const main = repository.commit('Main', { 'a.txt': '2\n' })
    repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge', 'side')
    const merge = repository.git('rev-parse', 'HEAD')
    expect(await readCommit(repository.trusted, first.slice(0, 8))).toMatchObject({
      commit: first,
      parents: [],
      author: 'Ada',
      subject: 'First',
      body: 'With a reason.',
      difference: {
        files: [
          { path: 'a.txt', added: 1, deleted: 0 },
          { path: 'b.bin', added: null, deleted: null },
        ],
        diff: expect.stringContaining('+1') as string,
        isCut: false,
      },
    })
    const { parents, difference } = await readCommit(repository.trusted, merge)
    expect(parents).toEqual([main, side])
    expect(difference.files).toEqual([{ path: 'side.txt', added: 1, deleted: 0 }])
  })

  it('says of a commit that is not there what to do', async () => {
    repository.commit('One')
    expect(await findAndDescribe(repository.trusted, ['facade1', 'main', 'HEAD'])).toEqual([])
    await expect(readCommit(repository.trusted, 'facade1')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(readCommit(repository.trusted, 'main')).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('tells what is not committed, whatever the names', async () => {
    repository.commit('One', { 'a.txt': '1\n', 'gone.txt': '1\n', '.gitignore': 'ignored\n' })
    repository.put('a.txt', '2\n')
    repository.put('ignored', '')
    repository.put('ü "quoted"\n.txt', '')
    repository.git('rm', '--quiet', 'gone.txt')
    expect(await readWorkTree(repository.trusted)).toEqual({
      changed: ['a.txt', 'gone.txt'],
      untracked: ['ü "quoted"\n.txt'],
    })
  })

  it('is asked for its filters only where git looks at files', async () => {
    const one = repository.commit('One', { 'a.txt': '1\n' })
    const shim = new GitShim()
    const asked = join(repository.root, '.git/asked')
    const path = process.env['PATH']
    shim.at('before', 'config', `echo asked >>'${asked}'`)
    process.env['PATH'] = shim.path
    try {
      await findCommits(repository.trusted, [one])
      await notInHead(repository.trusted, [one])
      expect(existsSync(asked)).toBe(false)
      await readWorkTree(repository.trusted)
      expect(readFileSync(asked, 'utf8')).toBe('asked\n')
    } finally {
      process.env['PATH'] = path
      shim.remove()
    }
  })

  it('stops when it is told to, and says that it was cancelled', async () => {
    const ended = AbortSignal.abort()
    await expect(git(repository.trusted, ['status'], { signal: ended })).rejects.toThrow()
    const controller = new AbortController()
    // Waits for a writer, who does not come.
    execFileSync('mkfifo', [join(repository.root, 'pipe')])
    const waiting = git(repository.trusted, ['hash-object', 'pipe'], { signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(git(repository.trusted, ['hash-object', 'pipe'], { limitMs: 0 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    })
  })

  it('gives no more output than was asked for', async () => {
    const hash = repository.commit('One', { 'large.txt': 'x'.repeat(1_000_000) })
    expect(
      await git(repository.trusted, ['cat-file', 'blob', `${hash}:large.txt`], { maxOutputBytes: 1_000 }),
    ).toMatchObject({ isCut: true, text: 'x'.repeat(1_000) })
    await expect(
      gitOrFail(repository.trusted, ['cat-file', 'blob', `${hash}:large.txt`], { maxOutputBytes: 1_000 }),
    ).rejects.toMatchObject({ code: 'INVALID' })
  })
})

describe('a hostile repository', () => {
  let witness: string
  /** A program that leaves a witness of its name. */
  const program = (name: string): string => {
    const path = join(repository.root, 'programs', name)
    repository.put(`programs/${name}`, `#!/bin/sh\ntouch "${witness}/${name}"\ncat\n`)
    chmodSync(path, 0o755)
    return path
  }
  const witnesses = (): string[] => programs.filter((name) => existsSync(join(witness, name)))
  const hooks = [
    'pre-commit',
    'post-commit',
    'prepare-commit-msg',
    'commit-msg',
    'post-checkout',
    'post-merge',
    'pre-auto-gc',
    'reference-transaction',
    'post-index-change',
    'post-rewrite',
    'pre-merge-commit',
    'fsmonitor-watchman',
  ]
  const settings: Readonly<Record<string, string>> = {
    'core.fsmonitor': 'fsmonitor',
    'core.pager': 'pager',
    'core.editor': 'editor',
    'core.sshCommand': 'ssh',
    'core.askPass': 'askpass',
    'sequence.editor': 'sequence',
    'diff.external': 'external',
    'diff.evil.command': 'diffcommand',
    'diff.evil.textconv': 'textconv',
    'filter.evil.clean': 'clean',
    'filter.evil.smudge': 'smudge',
    'filter.slow.process': 'process',
    'filter.a=b.smudge': 'oddsmudge',
    'filter.a=b.clean': 'oddclean',
    'merge.evil.driver': 'mergedriver',
    'gpg.program': 'gpg',
    'credential.helper': 'credential',
    'alias.status': 'alias',
    'alias.revert': 'alias',
    'pager.log': 'pager',
    'remote.origin.uploadpack': 'uploadpack',
    'core.alternateRefsCommand': 'alternates',
  }
  const programs = [
    ...new Set([...hooks.map((hook) => `hook-${hook}`), ...Object.values(settings), 'transport', 'worktreesmudge']),
  ]
  let first: string
  let second: string
  let third: string

  beforeEach(() => {
    witness = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-witness-')))
    const lines = (name: string) => `${Array.from({ length: 12 }, (_, index) => `${name} ${index}`).join('\n')}\n`
    first = repository.commit('One', {
      'a.evil': lines('a'),
      'b.slow': lines('b'),
      'c.odd': lines('c'),
      'd.merge': lines('d'),
    })
    second = repository.commit('Two', {
      'a.evil': lines('a').replace('a 1\n', 'A 1\n'),
      'b.slow': lines('b2'),
      'd.merge': lines('d').replace('d 1\n', 'D 1\n'),
    })
    third = repository.commit('Three', {
      'd.merge': lines('d').replace('d 1\n', 'D 1\n').replace('d 10\n', 'D 10\n'),
      'e.txt': 'e\n',
    })
    // From here on, what git runs by itself in the tests would leave witnesses as well: only files are written.
    for (const hook of hooks) {
      const path = program(`hook-${hook}`)
      rmSync(join(repository.root, '.git/hooks', hook), { force: true })
      mkdirSync(join(repository.root, '.git/hooks'), { recursive: true })
      symlinkSync(path, join(repository.root, '.git/hooks', hook))
    }
    repository.put('programs/.gitignore', '*\n')
    const sections = Object.entries(settings).map(([key, name]) => {
      const [, section, sub, field] = /^(\w+)(?:\.(.+))?\.(\w+)$/.exec(key) ?? []
      const value = key.startsWith('alias.')
        ? `!${program(name)}`
        : key.startsWith('merge.')
          ? `${program(name)} %A`
          : program(name)
      return `[${section ?? ''}${sub === undefined ? '' : ` "${sub}"`}]\n\t${field ?? ''} = ${JSON.stringify(value)}\n`
    })
    const transport = program('transport')
    const included = join(repository.root, '.git/included')
    writeFileSync(included, `[filter "worktree"]\n\tsmudge = ${program('worktreesmudge')}\n`)
    writeFileSync(
      join(repository.root, '.git/config'),
      [
        '[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tpartialClone = origin\n',
        `[remote "origin"]\n\turl = "ext::${transport} %S"\n\tpromisor = true\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n`,
        '[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n[merge]\n\tverifySignatures = true\n[submodule]\n\trecurse = true\n[gc]\n\tauto = 1\n',
        `[includeIf "gitdir:**/worktrees/**"]\n\tpath = ${included}\n`,
        ...sections,
      ].join(''),
    )
    mkdirSync(join(repository.root, '.git/info'), { recursive: true })
    writeFileSync(
      join(repository.root, '.git/info/attributes'),
      '*.evil filter=evil diff=evil merge=evil\n*.slow filter=slow\n*.odd filter=a=b\n*.merge merge=evil\n*.txt filter=worktree\n',
    )
  })
  afterEach(() => rmSync(witness, { recursive: true, force: true }))

  it('would run its programs if git ran there as it is', () => {
    try {
      repository.git('diff', first, second)
    } catch {
      // What it says is of no interest.
    }
    expect(witnesses()).not.toEqual([])
  })

  it('has none of its programs run by looking at it', async () => {
    repository.put('a.evil', 'changed\n')
    repository.put('b.slow', 'changed\n')
    repository.put('c.odd', 'changed\n')
    expect(await findRepository(repository.trusted)).toMatchObject({ head: third })
    // A whole hash that is not there is one that a partial clone would fetch.
    const absent = 'facade'.padEnd(40, '0')
    expect(await findCommits(repository.trusted, [first, 'facade1', absent])).toEqual(
      new Map([
        [first, first],
        ['facade1', null],
        [absent, null],
      ]),
    )
    await notInHead(repository.trusted, [first])
    await newestFirst(repository.trusted, [first, second])
    await describeCommits(repository.trusted, [first])
    await listCommits(repository.trusted, { from: null, to: null }, 10)
    await readCommit(repository.trusted, first)
    await readCommit(repository.trusted, second)
    expect((await readWorkTree(repository.trusted)).changed).toEqual(['a.evil', 'b.slow', 'c.odd'])
    await gitOrFail(repository.trusted, ['diff', first])
    await gitOrFail(repository.trusted, ['log', '--patch', '--no-ext-diff', '--no-textconv'])
    expect(witnesses()).toEqual([])
  })

  it('has none of its programs run by a revert, which merges texts as git does by itself', async () => {
    const plan = await planRollback(repository.trusted, { kind: 'revert', commits: [second] })
    expect(plan.obstacles).toEqual([expect.stringContaining('a.evil, b.slow') as string])
    await expect(rollBack(repository.trusted, { kind: 'revert', commits: [second] })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    // Without filters for the files of the commit, it is done.
    writeFileSync(
      join(repository.root, '.git/info/attributes'),
      '*.evil diff=evil merge=evil\n*.merge merge=evil\n*.txt filter=worktree\n*.odd filter=a=b\n',
    )
    const { commits } = await rollBack(repository.trusted, { kind: 'revert', commits: [second] })
    expect(commits).toHaveLength(1)
    expect(witnesses()).toEqual([])
    rmSync(join(repository.root, '.git/config'))
    expect(repository.tree()['d.merge']).toBe(repository.tree(third)['d.merge']?.replace('D 1\n', 'd 1\n'))
    expect(repository.git('status', '--porcelain')).toBe('')
  })

  it('has none of its programs run by what is discarded and what is reset', async () => {
    writeFileSync(join(repository.root, '.git/info/attributes'), '*.txt filter=evil diff=evil\n')
    repository.put('a.evil', 'changed\n')
    repository.put('new.txt', 'new\n')
    await planRollback(repository.trusted, { kind: 'discard' })
    await rollBack(repository.trusted, { kind: 'discard' })
    await planRollback(repository.trusted, { kind: 'reset', commit: second }).then(({ obstacles }) =>
      expect(obstacles).toEqual([expect.stringContaining('e.txt') as string]),
    )
    writeFileSync(join(repository.root, '.git/info/attributes'), '*.evil diff=evil merge=evil\n')
    await rollBack(repository.trusted, { kind: 'reset', commit: second })
    expect(witnesses()).toEqual([])
  })
})
