import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changedFiles } from './changedFiles.mjs'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-changed-'))
  git('init', '--quiet', '--initial-branch=main')
  write('kept.ts', 'gone.ts', 'edited.ts')
  commit()
})
afterEach(() => rmSync(folder, { recursive: true }))

const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd: folder })
const write = (...names) => names.forEach((name) => writeFileSync(join(folder, name), `${name} ${Math.random()}\n`))
const commit = () => {
  git('add', '.')
  git('commit', '--quiet', '-m', 'x')
}

it('lists edited and new files, and none that is deleted', async () => {
  write('edited.ts', 'new.ts')
  rmSync(join(folder, 'gone.ts'))
  expect(await changedFiles('HEAD', folder)).toEqual(['edited.ts', 'new.ts'])
})

it('compares with where the branch left a commit', async () => {
  git('checkout', '--quiet', '-b', 'branch')
  write('edited.ts')
  commit()
  git('checkout', '--quiet', 'main')
  write('kept.ts')
  commit()
  git('checkout', '--quiet', 'branch')
  write('new.ts')
  expect(await changedFiles('main', folder)).toEqual(['edited.ts', 'new.ts'])
})

it('says so when there is no such commit', async () => {
  await expect(changedFiles('nowhere', folder)).rejects.toThrow('git diff failed')
})
