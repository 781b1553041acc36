/** Rollbacks in real repositories: each is done as a whole, with what was there kept under a backup ref, or has changed nothing. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pinStep, planRollback, rollBack, type RollbackResult } from '../../src-main/git/rollback'
import { TrustedFolder } from '../../src-main/git/trustedFolder'
import { GitShim } from '../support/gitShim'
import { TestRepository } from '../support/repository'

let repository: TestRepository
beforeEach(() => {
  repository = new TestRepository()
})
afterEach(() => repository.remove())

const fileOf = (name: string) => readFileSync(join(repository.root, name), 'utf8')
const lines = (name: string, changed: Readonly<Record<number, string>> = {}) =>
  `${Array.from({ length: 20 }, (_, index) => changed[index] ?? `${name} ${index}`).join('\n')}\n`
const leftovers = () =>
  readdirSync(tmpdir()).filter(
    (name) => name.startsWith('bridgedeck-rollback-') || name.startsWith('bridgedeck-index-'),
  )
const refs = () => repository.git('for-each-ref', '--format=%(refname)', 'refs/bridgedeck').split('\n').filter(Boolean)

describe('reverting commits', () => {
  let one: string
  let two: string
  let three: string
  beforeEach(() => {
    one = repository.commit('One', { 'a.txt': lines('a'), 'b.txt': lines('b') })
    two = repository.commit('Two', { 'a.txt': lines('a', { 3: 'A 3' }) })
    three = repository.commit('Three', { 'a.txt': lines('a', { 3: 'AA 3' }), 'new.txt': 'new\n' })
  })

  it('is planned without a trace: the newest first, whatever their order, with what changes', async () => {
    const before = repository.state()
    const had = leftovers()
    const plan = await planRollback(repository.trusted, { kind: 'revert', commits: [two.slice(0, 9), three] })
    expect(plan.obstacles).toEqual([])
    expect(plan.commits.map(({ subject }) => subject)).toEqual(['Three', 'Two'])
    expect(plan.files).toEqual([
      { path: 'a.txt', added: 1, deleted: 1 },
      { path: 'new.txt', added: 0, deleted: 1 },
    ])
    expect(plan.diff).toContain('-AA 3\n+a 3\n')
    expect(repository.state()).toBe(before)
    expect(leftovers()).toEqual(had)
  })

  it('is done with a commit for each, and HEAD as it was under a backup ref', async () => {
    const result = await rollBack(repository.trusted, { kind: 'revert', commits: [two, three] })
    expect(repository.tree()).toEqual(repository.tree(one))
    expect(fileOf('a.txt')).toBe(lines('a'))
    expect(repository.git('log', '--format=%s').split('\n')).toEqual([
      'Revert "Two"',
      'Revert "Three"',
      'Three',
      'Two',
      'One',
    ])
    expect(repository.git('rev-parse', result.backup)).toBe(three)
    expect(result.backup).toMatch(/^refs\/bridgedeck\/backup\/\d{8}T\d{9}Z$/)
    expect(result.commits).toEqual(repository.git('rev-list', '-2', 'HEAD').split('\n'))
    expect(result.head).toBe(repository.git('rev-parse', 'HEAD'))
    expect(repository.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect(repository.git('status', '--porcelain')).toBe('')
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1)
  })

  it('says which commit conflicts in which files, and changes nothing', async () => {
    const before = repository.state()
    const plan = await planRollback(repository.trusted, { kind: 'revert', commits: [two] })
    expect(plan.obstacles).toEqual([`Reverting ${two.slice(0, 10)} “Two” conflicts with later changes in a.txt.`])
    await expect(rollBack(repository.trusted, { kind: 'revert', commits: [two] })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('a.txt') as string,
    })
    expect(repository.state()).toBe(before)
  })

  it('is refused while something is not committed, and names the files', async () => {
    repository.put('b.txt', 'in the middle of it\n')
    const before = repository.state()
    const plan = await planRollback(repository.trusted, { kind: 'revert', commits: [three] })
    expect(plan.obstacles).toEqual([expect.stringContaining('in b.txt:') as string])
    expect(plan.files).toHaveLength(2)
    await expect(rollBack(repository.trusted, { kind: 'revert', commits: [three] })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(fileOf('b.txt')).toBe('in the middle of it\n')
    expect(repository.state()).toBe(before)
    expect(refs()).toEqual([])
  })

  it('goes by files that git does not know, and stops where one stands in the way', async () => {
    const gone = repository.commit('Four')
    repository.git('rm', '--quiet', 'new.txt')
    const removed = repository.commit('Five')
    repository.put('notes.txt', 'mine\n')
    repository.put('new.txt', 'mine\n')
    expect((await planRollback(repository.trusted, { kind: 'revert', commits: [removed] })).obstacles).toEqual([
      expect.stringContaining('new.txt') as string,
    ])
    await expect(rollBack(repository.trusted, { kind: 'revert', commits: [removed] })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    // One that is ignored is not among them, and is kept as well.
    writeFileSync(join(repository.root, '.git/info/exclude'), 'new.txt\n')
    await expect(rollBack(repository.trusted, { kind: 'revert', commits: [removed] })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(fileOf('new.txt')).toBe('mine\n')
    rmSync(join(repository.root, 'new.txt'))
    await rollBack(repository.trusted, { kind: 'revert', commits: [removed] })
    expect(repository.tree()).toEqual(repository.tree(gone))
    expect(fileOf('notes.txt')).toBe('mine\n')
  })

  it('leaves out what was undone before, and has nothing to do when nothing is left', async () => {
    repository.git('revert', '--no-edit', three)
    const before = repository.git('rev-parse', 'HEAD')
    expect(await planRollback(repository.trusted, { kind: 'revert', commits: [three] })).toMatchObject({
      undone: [three],
      files: [],
      obstacles: [],
    })
    expect(await rollBack(repository.trusted, { kind: 'revert', commits: [three] })).toMatchObject({
      before,
      head: before,
      commits: [],
    })
    const plan = await planRollback(repository.trusted, { kind: 'revert', commits: [three, two] })
    expect(plan).toMatchObject({ undone: [three], obstacles: [], files: [{ path: 'a.txt' }] })
    expect((await rollBack(repository.trusted, { kind: 'revert', commits: [two, three] })).commits).toHaveLength(1)
    expect(repository.tree()).toEqual(repository.tree(one))
  })

  it('knows a commit that was reverted, also where others have worked on since, and none that came back', async () => {
    repository.git('revert', '--no-edit', three)
    const revert = repository.git('rev-parse', 'HEAD')
    const since = repository.commit('Since', { 'a.txt': lines('a', { 3: 'something else' }) })
    expect(await planRollback(repository.trusted, { kind: 'revert', commits: [three] })).toMatchObject({
      undone: [three],
      obstacles: [],
    })
    repository.git('revert', '--no-edit', since)
    repository.git('revert', '--no-edit', revert)
    repository.commit('Later', { 'a.txt': lines('a', { 3: 'once more' }) })
    expect((await planRollback(repository.trusted, { kind: 'revert', commits: [three] })).obstacles).toEqual([
      expect.stringContaining('conflicts with later changes in a.txt') as string,
    ])
  })

  it('takes the first commit of all back, and works on a detached HEAD', async () => {
    repository.git('checkout', '--quiet', '--detach', one)
    await rollBack(repository.trusted, { kind: 'revert', commits: [one] })
    expect(repository.tree()).toEqual({})
    expect(repository.git('rev-parse', 'main')).toBe(three)
  })

  it.each([
    ['one that is not there', () => 'facade1', 'facade1 is not in the repository'],
    ['what is no hash', () => '--exec=touch', 'is not a commit hash'],
    ['a branch’s name', () => 'main', 'is not a commit hash'],
    [
      'one on another branch',
      () => {
        repository.git('checkout', '--quiet', '-b', 'side', one)
        const side = repository.commit('Side', { 'c.txt': 'c\n' })
        repository.git('checkout', '--quiet', 'main')
        return side
      },
      'not in the history of the current branch',
    ],
    [
      'a merge',
      () => {
        repository.git('checkout', '--quiet', '-b', 'side', one)
        repository.commit('Side', { 'c.txt': 'c\n' })
        repository.git('checkout', '--quiet', 'main')
        repository.git('merge', '--quiet', '--no-edit', 'side')
        return repository.git('rev-parse', 'HEAD')
      },
      'is a merge',
    ],
  ])('is refused for %s', async (_what, make, words) => {
    const commit = make()
    const before = repository.state()
    expect((await planRollback(repository.trusted, { kind: 'revert', commits: [three, commit] })).obstacles).toEqual([
      expect.stringContaining(words) as string,
    ])
    await expect(rollBack(repository.trusted, { kind: 'revert', commits: [three, commit] })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(words) as string,
    })
    expect(repository.state()).toBe(before)
  })

  it('leaves the run’s own files as they are, changed ones too, and conflicts in nothing else', async () => {
    const state = (turn: number) => ({ 'tasks.md': `- [${turn > 1 ? 'x' : ' '}] One\nTurn ${turn}\n` })
    const first = repository.commit('Turn 1', { ...state(1), 'docs/one.txt': 'one\n', 'questions/one.md': 'asked\n' })
    repository.commit('Turn 2', { ...state(2), 'docs/two.txt': 'two\n', 'questions/one.md': 'answered\n' })
    repository.put('tasks.md', 'Changed since\n')
    const step = { kind: 'revert', commits: [first], kept: ['tasks.md', 'questions'] } as const
    expect(await planRollback(repository.trusted, step)).toMatchObject({
      obstacles: [],
      files: [{ path: 'docs/one.txt' }],
    })
    await rollBack(repository.trusted, step)
    expect(existsSync(join(repository.root, 'docs/one.txt'))).toBe(false)
    expect(fileOf('docs/two.txt')).toBe('two\n')
    expect([fileOf('tasks.md'), fileOf('questions/one.md')]).toEqual(['Changed since\n', 'answered\n'])
    expect(repository.git('log', '-1', '--format=%B')).toContain(`This reverts commit ${first}.`)
    expect((await planRollback(repository.trusted, step)).undone).toEqual([first])
  })

  it('names the commits that no branch has any more, and takes back the others', async () => {
    const replaced = repository.commit('Four', { 'four.txt': 'four\n' })
    repository.git('reset', '--quiet', '--hard', three)
    const step = { kind: 'revert', commits: [replaced, three] } as const
    expect(await planRollback(repository.trusted, step)).toMatchObject({
      gone: [replaced],
      obstacles: [],
      commits: [{ commit: three }],
    })
    await rollBack(repository.trusted, step)
    expect(repository.git('log', '-1', '--format=%s')).toBe('Revert "Three"')
  })

  it('is refused while a merge is under way', async () => {
    repository.git('checkout', '--quiet', '-b', 'side', one)
    repository.commit('Side', { 'a.txt': lines('a', { 3: 'side' }) })
    repository.git('checkout', '--quiet', 'main')
    expect(() => repository.git('merge', 'side')).toThrow()
    await expect(planRollback(repository.trusted, { kind: 'revert', commits: [three] })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('merge') as string,
    })
  })

  it('commits as whoever git is set up for', async () => {
    repository.git('config', 'user.name', 'Grace')
    repository.git('config', 'user.email', 'grace@example.org')
    await rollBack(repository.trusted, { kind: 'revert', commits: [three] })
    expect(repository.git('log', '-1', '--format=%an %ae')).toBe('Grace grace@example.org')
  })
})

describe('a repository', () => {
  it('that is none, has no commit, or begins above the project is not rolled back', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-nogit-')))
    try {
      await expect(planRollback(new TrustedFolder(outside, outside), { kind: 'discard' })).rejects.toMatchObject({
        code: 'UNSUPPORTED',
      })
    } finally {
      rmSync(outside, { recursive: true })
    }
    await expect(planRollback(repository.trusted, { kind: 'discard' })).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    repository.commit('One', { 'sub/a.txt': 'a\n' })
    const sub = join(repository.root, 'sub')
    await expect(planRollback(new TrustedFolder(sub, sub), { kind: 'discard' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    expect((await planRollback(new TrustedFolder(repository.root, sub), { kind: 'discard' })).obstacles).toEqual([])
  })

  it('whose work tree or git folder is said to be elsewhere is not rolled back', async () => {
    repository.commit('One', { 'a.txt': 'a\n' })
    const victim = new TestRepository()
    try {
      victim.commit('Theirs', { 'b.txt': 'b\n' })
      victim.put('b.txt', 'not committed\n')
      const before = victim.state()
      repository.git('config', 'core.worktree', victim.root)
      await expect(rollBack(repository.trusted, { kind: 'discard' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
      renameSync(join(repository.root, '.git'), join(repository.root, 'git-before'))
      writeFileSync(join(repository.root, '.git'), `gitdir: ${join(victim.root, '.git')}\n`)
      await expect(rollBack(repository.trusted, { kind: 'discard' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(victim.state()).toBe(before)
    } finally {
      victim.remove()
    }
  })

  it('may be a linked work tree', async () => {
    const one = repository.commit('One', { 'a.txt': 'a\n' })
    const linked = join(repository.root, 'linked')
    repository.git('worktree', 'add', '--quiet', linked, '-b', 'linked')
    writeFileSync(join(linked, 'a.txt'), 'changed\n')
    const { changesBackup } = await rollBack(new TrustedFolder(linked, linked), { kind: 'discard' })
    expect(readFileSync(join(linked, 'a.txt'), 'utf8')).toBe('a\n')
    expect(repository.git('show', `${changesBackup ?? ''}:a.txt`)).toBe('changed')
    expect(repository.git('rev-parse', 'main')).toBe(one)
  })

  it('with submodules keeps what is not committed in them: it is not reset', async () => {
    const other = new TestRepository()
    try {
      other.commit('Theirs', { 'b.txt': 'b\n' })
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'sub')
      repository.commit('One')
      await expect(rollBack(repository.trusted, { kind: 'discard' })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('submodules') as string,
      })
    } finally {
      other.remove()
    }
  })
})

describe('discarding and resetting', () => {
  let one: string
  let two: string
  beforeEach(() => {
    one = repository.commit('One', { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'ignored.txt\n' })
    two = repository.commit('Two', { 'a.txt': 'aa\n', 'c.txt': 'c\n' })
    repository.put('a.txt', 'staged\n')
    repository.put('added.txt', 'added\n')
    repository.git('add', 'a.txt', 'added.txt')
    repository.put('a.txt', 'not staged\n')
    repository.put('questions/q1.md', 'never committed\n')
    repository.put('ignored.txt', 'ignored\n')
    rmSync(join(repository.root, 'b.txt'))
  })

  it('is planned with every file that changes, without a trace', async () => {
    const before = repository.state()
    const plan = await planRollback(repository.trusted, { kind: 'discard' })
    expect(plan).toMatchObject({ commits: [], obstacles: [] })
    expect(plan.files.map(({ path }) => path)).toEqual(['a.txt', 'added.txt', 'b.txt', 'questions/q1.md'])
    expect(plan.diff).toContain('-not staged\n+aa\n')
    const reset = await planRollback(repository.trusted, { kind: 'reset', commit: one })
    expect(reset.commits.map(({ subject }) => subject)).toEqual(['Two'])
    expect(reset.files.map(({ path }) => path)).toEqual(['a.txt', 'added.txt', 'b.txt', 'c.txt'])
    expect(repository.state()).toBe(before)
  })

  it('discards everything that is not committed, and keeps it for git stash apply', async () => {
    const { backup, changesBackup, head } = await rollBack(repository.trusted, { kind: 'discard' })
    expect(head).toBe(two)
    expect(repository.git('status', '--porcelain')).toBe('')
    expect(existsSync(join(repository.root, 'questions'))).toBe(false)
    expect(fileOf('a.txt')).toBe('aa\n')
    expect(fileOf('ignored.txt')).toBe('ignored\n')
    expect(refs()).toEqual([backup, changesBackup])
    expect(repository.git('show', `${changesBackup ?? ''}^2:a.txt`)).toBe('staged')
    repository.git('stash', 'apply', '--quiet', changesBackup ?? '')
    expect(fileOf('a.txt')).toBe('not staged\n')
    expect(fileOf('questions/q1.md')).toBe('never committed\n')
    expect(fileOf('added.txt')).toBe('added\n')
    expect(existsSync(join(repository.root, 'b.txt'))).toBe(false)
  })

  it('resets to a commit: what came after it, and what was not committed, is under backup refs', async () => {
    const { backup, changesBackup, head } = await rollBack(repository.trusted, {
      kind: 'reset',
      commit: one.slice(0, 10),
    })
    expect(head).toBe(one)
    expect(repository.git('rev-parse', 'main')).toBe(one)
    expect(repository.git('rev-parse', backup)).toBe(two)
    expect(fileOf('a.txt')).toBe('a\n')
    expect(fileOf('questions/q1.md')).toBe('never committed\n')
    expect(repository.git('show', `${changesBackup ?? ''}:a.txt`)).toBe('not staged')
  })

  it('keeps nothing beside HEAD where everything is committed', async () => {
    repository.commit('Three')
    expect(await rollBack(repository.trusted, { kind: 'reset', commit: two })).toMatchObject({
      changesBackup: null,
      head: two,
    })
  })

  it('goes back to the commit before HEAD as it was when it was agreed to', async () => {
    const pinned = await pinStep(repository.trusted, { kind: 'reset', commit: 'HEAD~1' })
    expect(pinned).toEqual({ kind: 'reset', commit: one })
    repository.commit('Three')
    expect((await planRollback(repository.trusted, pinned)).commits.map(({ subject }) => subject)).toEqual([
      'Three',
      'Two',
    ])
    await expect(pinStep(repository.trusted, { kind: 'reset', commit: 'HEAD~9' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await pinStep(repository.trusted, { kind: 'reset', commit: two })).toEqual({ kind: 'reset', commit: two })
  })

  it('does not reset over a file that git does not know, even one that it ignores', async () => {
    repository.git('reset', '--quiet', '--hard')
    repository.git('rm', '--quiet', 'c.txt')
    const removed = repository.commit('Remove', { '.gitignore': 'c.txt\nignored.txt\n' })
    repository.put('c.txt', 'mine\n')
    const before = repository.state()
    expect((await planRollback(repository.trusted, { kind: 'reset', commit: two })).obstacles).toEqual([
      expect.stringContaining('c.txt would come back') as string,
    ])
    await expect(rollBack(repository.trusted, { kind: 'reset', commit: two })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect([repository.state(), fileOf('c.txt'), repository.git('rev-parse', 'HEAD')]).toEqual([
      before,
      'mine\n',
      removed,
    ])
  })

  it('resets only to what is checked out', async () => {
    repository.commit('Three')
    repository.git('reset', '--quiet', '--hard', one)
    await expect(rollBack(repository.trusted, { kind: 'reset', commit: two })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    mkdirSync(join(repository.root, 'x'))
    expect(repository.git('rev-parse', 'HEAD')).toBe(one)
  })
})

describe('a step that was done', () => {
  let one: string
  let two: string
  beforeEach(() => {
    one = repository.commit('One', { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    two = repository.commit('Two', { 'a.txt': 'aa\n', 'c.txt': 'c\n' })
  })
  const back = ({ backup, before, head }: RollbackResult) =>
    ({ kind: 'restore', backup, commit: before, head }) as const

  it.each([
    ['a revert', () => ({ kind: 'revert', commits: [two] }) as const],
    ['a reset', () => ({ kind: 'reset', commit: one }) as const],
  ])('is taken back whole: %s', async (_what, step) => {
    const done = await rollBack(repository.trusted, step())
    repository.put('b.txt', 'at work\n')
    repository.put('notes.txt', 'mine\n')
    const before = repository.state()
    const plan = await planRollback(repository.trusted, back(done))
    expect(plan).toMatchObject({ obstacles: [], files: [{ path: 'a.txt' }, { path: 'c.txt' }] })
    expect([...plan.commits, ...plan.returned].map(({ subject }) => subject)).toEqual([
      step().kind === 'revert' ? 'Revert "Two"' : 'Two',
    ])
    expect(repository.state()).toBe(before)
    const undone = await rollBack(repository.trusted, back(done))
    expect(repository.git('rev-parse', 'main', 'HEAD')).toBe(`${two}\n${two}`)
    expect(
      repository
        .git('status', '--porcelain')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(['M b.txt', '?? notes.txt'])
    expect([fileOf('a.txt'), fileOf('c.txt'), fileOf('b.txt')]).toEqual(['aa\n', 'c\n', 'at work\n'])
    // And that again.
    repository.git('checkout', '--quiet', 'b.txt')
    await rollBack(repository.trusted, back(undone))
    expect(repository.git('rev-parse', 'HEAD')).toBe(done.head)
  })

  it('is not taken back when the branch moved since, and the commands are named that do it', async () => {
    const done = await rollBack(repository.trusted, { kind: 'reset', commit: one })
    repository.commit('Since', { 'd.txt': 'd\n' })
    const before = repository.state()
    const [obstacle] = (await planRollback(repository.trusted, back(done))).obstacles
    expect(obstacle).toContain('“Since”')
    expect(obstacle).toContain(`git reset --hard ${done.backup}`)
    await expect(rollBack(repository.trusted, back(done))).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(repository.state()).toBe(before)
  })

  it('is not taken back over what is not committed, nor twice', async () => {
    const done = await rollBack(repository.trusted, { kind: 'revert', commits: [two] })
    repository.put('a.txt', 'at work\n')
    repository.put('c.txt', 'mine\n')
    expect((await planRollback(repository.trusted, back(done))).obstacles).toEqual([
      expect.stringContaining('in a.txt:') as string,
      expect.stringContaining('c.txt would come back') as string,
    ])
    await expect(rollBack(repository.trusted, back(done))).rejects.toMatchObject({ code: 'CONFLICT' })
    expect([fileOf('a.txt'), fileOf('c.txt')]).toEqual(['at work\n', 'mine\n'])
    repository.git('checkout', '--quiet', 'a.txt')
    rmSync(join(repository.root, 'c.txt'))
    await rollBack(repository.trusted, back(done))
    expect((await planRollback(repository.trusted, back(done))).obstacles).toEqual([
      expect.stringContaining('nothing to restore') as string,
    ])
  })
})

describe.skipIf(process.platform === 'win32')('an agent that writes in the very moment of a rollback', () => {
  let shim: GitShim
  let one: string
  let two: string
  const path = process.env['PATH']
  beforeEach(() => {
    one = repository.commit('One', { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    two = repository.commit('Two', { 'a.txt': 'aa\n' })
    repository.put('a.txt', 'not committed\n')
    shim = new GitShim()
    process.env['PATH'] = shim.path
  })
  afterEach(() => {
    process.env['PATH'] = path
    shim.remove()
  })
  const at = (file: string) => `'${join(repository.root, file)}'`
  const steps = [
    ['resets', () => ({ kind: 'reset', commit: one }) as const],
    ['discards', () => ({ kind: 'discard' }) as const],
  ] as const

  it.each(steps)('loses nothing of a file that it %s: nothing is rolled back then', async (_what, step) => {
    shim.at('before', 'read-tree', `printf theirs > ${at('a.txt')}`)
    await expect(rollBack(repository.trusted, step())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/changed meanwhile.*a\.txt/s) as string,
    })
    expect(fileOf('a.txt')).toBe('theirs')
    expect(repository.git('rev-parse', 'HEAD')).toBe(two)
    expect(repository.git('diff', '--cached', '--name-only')).toBe('')
  })

  it.each(steps)('keeps a new file while it %s', async (_what, step) => {
    shim.at('before', 'read-tree', `printf theirs > ${at('new.txt')}`)
    await rollBack(repository.trusted, step())
    expect(fileOf('new.txt')).toBe('theirs')
    expect(fileOf('a.txt')).toBe(step().kind === 'reset' ? 'a\n' : 'aa\n')
    expect(repository.git('status', '--porcelain')).toBe('?? new.txt')
  })

  it.each(steps)('keeps what it commits while it %s', async (_what, step) => {
    repository.put('b.txt', 'bb\n')
    shim.at('before', 'update-ref', `case "$*" in *' HEAD '*) '${repository.root}/.git/commit.sh';; esac`)
    writeFileSync(
      join(repository.root, '.git/commit.sh'),
      `#!/bin/sh\nPATH='${path ?? ''}'\ncd '${repository.root}'\nunset GIT_INDEX_FILE\ngit -c user.name=A -c user.email=a@example.org commit --quiet --allow-empty -m Theirs\n`,
      { mode: 0o755 },
    )
    await expect(rollBack(repository.trusted, step())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('changed meanwhile') as string,
    })
    expect(repository.git('log', '-1', '--format=%s')).toBe('Theirs')
    expect([fileOf('a.txt'), fileOf('b.txt')]).toEqual(['not committed\n', 'bb\n'])
  })

  it('keeps a commit while a revert is taken over, and while it is taken back', async () => {
    repository.git('checkout', '--quiet', 'a.txt')
    const done = await rollBack(repository.trusted, { kind: 'revert', commits: [two] })
    shim.at('before', 'read-tree', `printf theirs > ${at('a.txt')}`)
    await expect(
      rollBack(repository.trusted, { kind: 'restore', backup: done.backup, commit: two, head: done.head }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(fileOf('a.txt')).toBe('theirs')
    expect(repository.git('rev-parse', 'HEAD')).toBe(done.head)
    repository.git('checkout', '--quiet', 'a.txt')
    shim.at('before', 'merge', `printf theirs > ${at('a.txt')}`)
    const again = repository.commit('Again', { 'a.txt': 'b\n' })
    await expect(rollBack(repository.trusted, { kind: 'revert', commits: [again] })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect([fileOf('a.txt'), repository.git('rev-parse', 'HEAD')]).toEqual(['theirs', again])
  })
})

/** A commit changes one line of one file, adds a file or takes one away. */
interface Change {
  readonly file: number
  readonly line: number
  readonly kind: 'line' | 'remove' | 'whole'
}

/** The commits of these changes, with all files of each, after a first one. */
function history(changes: readonly Change[]) {
  const files = new Map([
    ['f0.txt', lines('f0').split('\n')],
    ['f1.txt', lines('f1').split('\n')],
    ['keep.txt', ['keep', '']],
  ])
  const commit = (message: string) => ({
    message,
    files: Object.fromEntries([...files].map(([name, text]) => [name, text.join('\n')])),
  })
  const base = commit('Base')
  return [
    base,
    ...changes.map(({ file, line, kind }, index) => {
      const name = `f${file}.txt`
      const text = files.get(name)
      if (text && kind === 'remove') files.delete(name)
      else
        files.set(
          name,
          text && kind === 'line' ? text.with(line, `changed ${index}`) : `${index} ${lines('new')}`.split('\n'),
        )
      return commit(`Step ${index}`)
    }),
  ]
}

describe('changes that are not committed', () => {
  const message = 'Left by executor'
  beforeEach(() => {
    repository.commit('One', { 'a.txt': 'a\n', 'gone.txt': 'gone\n', 'mine.txt': 'mine\n' })
    repository.put('a.txt', 'better\n')
    repository.put('new.txt', 'new\n')
    rmSync(join(repository.root, 'gone.txt'))
    repository.put('mine.txt', 'half done\n')
    repository.git('add', 'mine.txt')
  })
  const files = ['a.txt', 'new.txt', 'gone.txt', 'never.txt']
  const status = () => repository.git('status', '--porcelain').split('\n')

  it('are committed in the files that are meant, and nowhere else', async () => {
    const step = { kind: 'commit', files, message } as const
    expect((await planRollback(repository.trusted, step)).files.map(({ path }) => path)).toEqual([
      'a.txt',
      'gone.txt',
      'new.txt',
    ])
    const { commits } = await rollBack(repository.trusted, step)
    expect(commits).toEqual([repository.git('rev-parse', 'HEAD')])
    expect(repository.git('log', '-1', '--format=%s')).toBe(message)
    expect(repository.git('show', '--name-only', '--format=').split('\n')).toEqual(['a.txt', 'gone.txt', 'new.txt'])
    expect(status()).toEqual(['M  mine.txt'])
  })

  it('are put away in the files that are meant, and come back with git stash pop', async () => {
    const { head, before } = await rollBack(repository.trusted, { kind: 'stash', files, message })
    expect(head).toBe(before)
    expect([fileOf('a.txt'), fileOf('gone.txt')]).toEqual(['a\n', 'gone\n'])
    expect(existsSync(join(repository.root, 'new.txt'))).toBe(false)
    expect(status()).toEqual(['M  mine.txt'])
    expect(repository.git('stash', 'list')).toContain(message)
    repository.git('stash', 'pop', '--quiet')
    expect([fileOf('a.txt'), fileOf('new.txt'), fileOf('mine.txt')]).toEqual(['better\n', 'new\n', 'half done\n'])
  })

  it('are neither where they are gone by now', async () => {
    const before = repository.state()
    await expect(rollBack(repository.trusted, { kind: 'commit', files: ['never.txt'], message })).rejects.toMatchObject(
      { code: 'CONFLICT' },
    )
    expect(repository.state()).toBe(before)
  })
})

describe('any small repository', () => {
  const changes = fc.array<Change>(
    fc.record({ file: fc.nat(2), line: fc.nat(19), kind: fc.constantFrom('line', 'line', 'line', 'remove', 'whole') }),
    { minLength: 2, maxLength: 6 },
  )

  it('is reverted as a whole, with what was not in conflict as it was before, or is untouched', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.array(fc.nat(100), { minLength: 1, maxLength: 4 }), async (steps, picks) => {
        const one = new TestRepository()
        try {
          const [, ...commits] = one.import(history(steps))
          const picked = [...new Set(picks.map((pick) => commits[pick % commits.length] ?? ''))]
          const before = one.state()
          const plan = await planRollback(one.trusted, { kind: 'revert', commits: picked })
          expect(one.state()).toBe(before)
          if (plan.obstacles.length > 0) {
            await expect(rollBack(one.trusted, { kind: 'revert', commits: picked })).rejects.toMatchObject({
              code: 'CONFLICT',
            })
            expect(one.state()).toBe(before)
            // The newest commits, taken back in a row, never conflict.
            const last = Math.min(...picked.map((commit) => commits.indexOf(commit)))
            expect(picked.length).toBeLessThan(commits.length - last)
            return
          }
          const result = await rollBack(one.trusted, { kind: 'revert', commits: picked })
          expect(one.git('status', '--porcelain')).toBe('')
          expect(one.git('rev-parse', result.backup)).toBe(commits.at(-1))
          expect(one.git('show', 'HEAD:keep.txt')).toBe('keep')
          expect(
            one.git('diff', '--numstat', '--no-renames', result.backup, 'HEAD').split('\n').filter(Boolean),
          ).toEqual(plan.files.map(({ path, added, deleted }) => `${added ?? '-'}\t${deleted ?? '-'}\t${path}`))
          const first = Math.min(...picked.map((commit) => commits.indexOf(commit)))
          // Taken back in a row from the newest, they leave exactly what was there before the oldest of them.
          if (picked.length === commits.length - first)
            expect(one.git('rev-parse', 'HEAD^{tree}')).toBe(one.git('rev-parse', `${commits[first] ?? ''}~1^{tree}`))
        } finally {
          one.remove()
        }
      }),
      { numRuns: 25 },
    )
  }, 600_000)
})
