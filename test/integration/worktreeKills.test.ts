/** Hosts that are killed at each step of a run in a worktree: while it is made, in the middle of the run, and while it is merged. */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Ended } from '../support/callHere'
import { CommandLine } from '../support/commandLine'
import { GitShim } from '../support/gitShim'
import { TestRepository } from '../support/repository'

let repository: TestRepository
let line: CommandLine
let shim: GitShim
const path = process.env['PATH']
beforeEach(async () => {
  repository = new TestRepository()
  repository.commit('Begin', {
    '.meta/context.md': '# Project: Tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n',
    '.gitignore': '.meta/session.json*\n.meta/artifacts\n',
  })
  line = new CommandLine()
  line.environment['INIT_CWD'] = repository.root
  shim = new GitShim()
  const agent = resolve('test/peers/agents/metashellAgent.mjs')
  await line.data('project', 'trust', '.', '--yes')
  await line.data(
    'agent',
    'add',
    'fake',
    '--preset',
    'custom',
    '--command',
    process.execPath,
    '--argument',
    agent,
    '--yes',
  )
})
afterEach(async () => {
  shim.remove()
  await line.remove()
  repository.remove()
  rmSync(line.folder, { recursive: true, force: true })
})

const HOST = 'kill -9 $PPID'
/** Whose agent it is that runs git. */
const HOST_OF_AGENT = 'kill -9 $(ps -o ppid= -p $PPID)'

async function killed(at: Parameters<GitShim['at']>, ...words: readonly string[]): Promise<void> {
  const [when, command, script] = at
  // Before it, git goes down with its host.
  shim.at(when, command, when === 'before' ? `${script}; exit 1` : script)
  line.environment['PATH'] = shim.path
  const { code, stderr } = await line.startProcess(...words).ended
  expect([at, code, stderr]).toEqual([at, null, expect.any(String)])
  line.environment['PATH'] = path
}
async function done(...words: readonly string[]): Promise<Ended> {
  const ended = await line.run(...words)
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)])
  return ended
}
const branches = () => repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
const worktrees = () => repository.git('worktree', 'list', '--porcelain').split('\n\n').filter(Boolean)
const subjects = (branch: string) => repository.git('log', '--format=%s', branch).split('\n')
const all = ['feat(03): part', 'feat(02): part', 'feat(01): part', 'Begin']

it('Nothing is lost and nothing done twice, whenever the host is killed', async () => {
  const begin = repository.git('rev-parse', 'HEAD')
  const run = ['metashell', 'run', '.', '--worktree']
  await killed(['before', 'worktree add', HOST], ...run)
  await killed(['before', 'reset', HOST], ...run)
  await killed(['after', 'reset', HOST], ...run)
  await killed(['after', 'commit', HOST_OF_AGENT], ...run)
  await done(...run)
  const [made = '', ...more] = branches().filter((name) => name !== 'main')
  expect([more, worktrees().length]).toEqual([[], 2])
  expect(subjects(made)).toEqual(all)
  expect([repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')]).toEqual([begin, ''])

  const merge = ['project', 'act', '.', '--action', 'merge-worktree', '--yes']
  await killed(['before', 'merge', HOST], ...merge)
  expect(repository.git('rev-parse', 'HEAD')).toBe(begin)
  await killed(['after', 'merge', HOST], ...merge)
  await killed(['before', 'worktree remove', HOST], ...merge)
  await killed(['after', 'worktree remove', HOST], ...merge)
  await killed(['after', 'branch', HOST], ...merge)
  expect((await done('project', 'needs', '.')).stdout).toContain('finished on')
  await done(...merge)
  expect([branches(), worktrees().length]).toEqual([['main'], 1])
  expect(subjects('main')).toEqual(all)
  expect(repository.git('status', '--porcelain')).toBe('')
  expect((await done('project', 'needs', '.')).stdout).not.toContain('finished on')
  expect(repository.git('rev-parse', `refs/bridgedeck/kept/${made}`)).toBe(repository.git('rev-parse', 'main'))
})
