/** Worktrees of runs from the command line: one is merged by an action, one is left by its run, listed and removed. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TestRepository } from '../support/repository'

let repository: TestRepository
let data: string

beforeEach(() => {
  repository = new TestRepository()
  data = mkdtempSync(join(tmpdir(), 'bridgedeck-worktree-cli-'))
  repository.commit('Begin', {
    '.meta/context.md': '# Project: Tool\n\n## Current Phase Focus\n\nPhase 1: Reading\n',
    '.gitignore': '.meta/session.json*\n.meta/artifacts\n',
  })
  done('project', 'trust', '.', '--yes')
  const agent = resolve('test/peers/agents/metashellAgent.mjs')
  done('agent', 'add', 'fake', '--preset', 'custom', '--command', process.execPath, '--argument', agent, '--yes')
})
afterEach(() => {
  repository.remove()
  rmSync(data, { recursive: true, force: true })
})

function bridgedeck(...words: string[]): { code: number; text: string } {
  try {
    const stdout = execFileSync(process.execPath, [resolve('out/main/cli.cjs'), ...words], {
      env: { ...process.env, BRIDGEDECK_DATA: data, INIT_CWD: repository.root },
      stdio: 'pipe',
    })
    return { code: 0, text: stdout.toString() }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: Buffer; stderr: Buffer }
    return { code: status, text: `${stdout.toString()}${stderr.toString()}` }
  }
}
function done(...words: string[]): string {
  const { code, text } = bridgedeck(...words)
  expect(code, text).toBe(0)
  return text
}
const branch = () => repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/bridgedeck')

it('A finished run is merged by its action, and its worktree goes', () => {
  const first = repository.git('rev-parse', 'HEAD')
  expect(done('metashell', 'run', '.', '--worktree')).toContain('Working on bridgedeck/metashell-')
  const made = branch()
  expect(repository.git('rev-parse', 'HEAD')).toBe(first)
  expect(done('project', 'needs', '.')).toContain(`finished on ${made}`)
  expect(done('project', 'worktrees', '.')).toContain(made)
  expect(bridgedeck('project', 'worktrees', '.', '--remove', made, '--yes')).toMatchObject({ code: 6 })
  expect(done('project', 'act', '.', '--action', 'merge-worktree')).toContain('feat(03): part')
  done('project', 'act', '.', '--action', 'merge-worktree', '--yes')
  expect(repository.git('log', '-1', '--format=%s')).toBe('feat(03): part')
  expect(branch()).toBe('')
  expect(done('project', 'worktrees', '.')).toContain('There are no worktrees.')
  expect(done('project', 'needs', '.')).not.toContain(made)
})

it('It is thrown away by its action; one that no run knows is listed and removed', () => {
  done('metashell', 'run', '.', '--worktree')
  const made = branch()
  const tip = repository.git('rev-parse', made)
  done('project', 'distrust', '.')
  expect(bridgedeck('project', 'worktrees', '.')).toMatchObject({ code: 8 })
  done('project', 'trust', '.', '--yes')
  done('project', 'act', '.', '--action', 'throw-away-worktree', '--yes')
  expect(branch()).toBe('')
  expect(repository.git('rev-parse', `refs/bridgedeck/kept/${made}`)).toBe(tip)
  expect(existsSync(join(repository.root, '03.txt'))).toBe(false)
  const left = join(data, 'loops/left/worktree')
  repository.git('worktree', 'add', '--quiet', '-b', 'bridgedeck/left', left)
  expect(done('project', 'worktrees', '.')).toContain('no run')
  writeFileSync(join(left, 'left.txt'), 'left\n')
  expect(done('project', 'worktrees', '.', '--remove', 'bridgedeck/left')).toContain('Uncommitted: left.txt')
  expect(existsSync(left)).toBe(true)
  done('project', 'worktrees', '.', '--remove', 'bridgedeck/left', '--yes')
  expect(existsSync(left)).toBe(false)
  expect(repository.git('for-each-ref', '--format=%(refname)', 'refs/bridgedeck/kept/bridgedeck/left')).not.toBe('')
})
