/** Worktrees of runs from the command line: one is merged by an action, one is left by its run, listed and removed. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { callHere } from '../support/callHere'
import { TestRepository } from '../support/repository'

let repository: TestRepository
let data: string

beforeEach(async () => {
  repository = new TestRepository()
  data = mkdtempSync(join(tmpdir(), 'bridgedeck-worktree-cli-'))
  repository.commit('Begin', {
    '.meta/context.md': '# Project: Tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n',
    '.gitignore': '.meta/session.json*\n.meta/artifacts\n',
  })
  await done('project', 'trust', '.', '--yes')
  const agent = resolve('test/peers/agents/metashellAgent.mjs')
  await done('agent', 'add', 'fake', '--preset', 'custom', '--command', process.execPath, '--argument', agent, '--yes')
})
afterEach(() => {
  repository.remove()
  rmSync(data, { recursive: true, force: true })
})

const bridgedeck = (...words: string[]) =>
  callHere(words, { environment: { ...process.env, BRIDGEDECK_DATA: data, INIT_CWD: repository.root } })
async function done(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await bridgedeck(...words)
  expect(code, `${stdout}${stderr}`).toBe(0)
  return stdout
}
const branch = () => repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/bridgedeck')

it('A finished run is merged by its action, and its worktree goes', async () => {
  const first = repository.git('rev-parse', 'HEAD')
  expect(await done('metashell', 'run', '.', '--worktree')).toContain('Working on bridgedeck/metashell-')
  const made = branch()
  expect(repository.git('rev-parse', 'HEAD')).toBe(first)
  expect(await done('project', 'needs', '.')).toContain(`finished on ${made}`)
  expect(await done('project', 'worktrees', '.')).toContain(made)
  expect(await bridgedeck('project', 'worktrees', '.', '--remove', made, '--yes')).toMatchObject({ code: 6 })
  expect(await done('project', 'act', '.', '--action', 'merge-worktree')).toContain('feat(03): part')
  await done('project', 'act', '.', '--action', 'merge-worktree', '--yes')
  expect(repository.git('log', '-1', '--format=%s')).toBe('feat(03): part')
  expect(branch()).toBe('')
  expect(await done('project', 'worktrees', '.')).toContain('There are no worktrees.')
  expect(await done('project', 'needs', '.')).not.toContain(made)
})

it('It is merged into the branch that is checked out now; the preview names it and the one that the run began on', async () => {
  await done('metashell', 'run', '.', '--worktree')
  const main = repository.git('rev-parse', 'main')
  repository.git('switch', '--quiet', '-c', 'other')
  expect(await done('project', 'act', '.', '--action', 'merge-worktree')).toContain(
    `git merge ${branch()}, into other, which is checked out now. When the run began, main was checked out`,
  )
  await done('project', 'act', '.', '--action', 'merge-worktree', '--yes')
  expect(repository.git('log', '-1', '--format=%s', 'other')).toBe('feat(03): part')
  expect(repository.git('branch', '--show-current')).toBe('other')
  expect(repository.git('rev-parse', 'main')).toBe(main)
})

it('It is made in a repository that begins above the project once its top is trusted, too', async () => {
  repository.commit('Below', {
    'apps/tool/.meta/context.md': '# Project: Tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n',
    'apps/tool/.gitignore': '.meta/session.json*\n.meta/artifacts\n',
  })
  const tool = join(repository.root, 'apps/tool')
  await done('project', 'distrust', '.')
  const refused = await bridgedeck('metashell', 'run', tool, '--worktree', '--trust')
  expect(refused.code).toBe(8)
  expect(refused.stderr).toContain(`begins at ${repository.root}, above the project`)
  expect(refused.stderr).toContain('--trust-repository')
  expect(branch()).toBe('')
  await done('metashell', 'run', tool, '--worktree', '--trust-repository')
  const made = branch()
  expect(repository.git('ls-tree', '-r', '--name-only', made)).toContain('apps/tool/03.txt')
  expect(existsSync(join(tool, '03.txt'))).toBe(false)
  await done('project', 'act', tool, '--action', 'merge-worktree', '--yes')
  expect(existsSync(join(tool, '03.txt'))).toBe(true)
  expect(branch()).toBe('')
})

it('It is thrown away by its action; one that no run knows is listed and removed', async () => {
  await done('metashell', 'run', '.', '--worktree')
  const made = branch()
  const tip = repository.git('rev-parse', made)
  await done('project', 'distrust', '.')
  expect(await bridgedeck('project', 'worktrees', '.')).toMatchObject({ code: 8 })
  await done('project', 'trust', '.', '--yes')
  await done('project', 'act', '.', '--action', 'throw-away-worktree', '--yes')
  expect(branch()).toBe('')
  expect(repository.git('rev-parse', `refs/bridgedeck/kept/${made}`)).toBe(tip)
  expect(existsSync(join(repository.root, '03.txt'))).toBe(false)
  const left = join(data, 'loops/left/worktree')
  repository.git('worktree', 'add', '--quiet', '-b', 'bridgedeck/left', left)
  expect(await done('project', 'worktrees', '.')).toContain('no run')
  writeFileSync(join(left, 'left.txt'), 'left\n')
  expect(await done('project', 'worktrees', '.', '--remove', 'bridgedeck/left')).toContain('Uncommitted: left.txt')
  expect(existsSync(left)).toBe(true)
  await done('project', 'worktrees', '.', '--remove', 'bridgedeck/left', '--yes')
  expect(existsSync(left)).toBe(false)
  expect(repository.git('for-each-ref', '--format=%(refname)', 'refs/bridgedeck/kept/bridgedeck/left')).not.toBe('')
})

it('A folder that is trusted through a link is named and trusted by its real path', async () => {
  mkdirSync(join(repository.root, 'inside'))
  symlinkSync(repository.root, join(data, 'link'))
  const real = realpathSync(join(repository.root, 'inside'))
  const path = join(data, 'link', 'inside')
  const { data: trusted } = JSON.parse(await done('project', 'trust', path, '--yes', '--json')) as { data: unknown }
  expect(trusted).toMatchObject({ path: real, root: real })
  expect(JSON.parse(await done('project', 'trust', real, '--yes', '--json'))).toEqual(
    expect.objectContaining({ data: trusted }),
  )
})
