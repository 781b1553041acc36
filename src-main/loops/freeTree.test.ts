import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EditRequest } from '@shared/contract/edits'
import type { Worktree } from '@shared/worktree'
import { requireFreeTrees } from './freeTree'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridgedeck-trees-'))
  for (const folder of ['apps/shop', 'libs/font/deep']) mkdirSync(join(root, folder), { recursive: true })
  for (const repository of ['', 'libs/font']) execFileSync('git', ['init', '--quiet', join(root, repository)])
})
afterEach(() => rmSync(root, { recursive: true }))

const worktree = (name: string): Worktree => ({
  root: `/data/${name}`,
  top: '',
  branch: `bridgedeck/${name}`,
  into: 'main',
  base: 'a',
  since: 0,
})
interface Place {
  readonly folder?: string
  readonly worktree?: Worktree
}
const action = (name: string): EditRequest => ({ kind: 'action', name, target: '', values: {} })
it('a rollback in one project, and a loop in another of the same repository', () => {
  const edit = { root: join(root, 'apps'), folder: 'shop', run: 'edited', worktree: undefined }
  const loop = (folder: string) => ({ root, folder, run: undefined, worktree: undefined, place: 'work' })
  const request = action('roll-back')
  expect(() => requireFreeTrees({ ...edit, request }, [loop('')])).toThrow('work is running')
  expect(() => requireFreeTrees({ ...edit, request }, [loop('libs/font')])).not.toThrow()
})

const at = (run: string, { folder = '', worktree }: Place) => ({ root, folder, run, worktree })

function isRefused(request: EditRequest, edited: Place, working: Place, run = 'other'): boolean {
  try {
    requireFreeTrees({ ...at('edited', edited), request }, [{ ...at(run, working), place: 'work' }])
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('work is running') as string })
    return true
  }
}

it.each<[string, EditRequest, Place, Place, boolean]>([
  ['a rollback, and a loop in the same tree', action('roll-back'), {}, { folder: 'apps/shop' }, true],
  ['a rollback, and a loop in a worktree', action('roll-back'), {}, { worktree: worktree('b') }, false],
  ['a rollback, and a loop in another repository', action('roll-back'), {}, { folder: 'libs/font/deep' }, false],
  ['a merge, and a loop in the tree that it changes', action('merge-worktree'), { worktree: worktree('a') }, {}, true],
  [
    'a merge, and a loop in another worktree',
    action('merge-worktree'),
    { worktree: worktree('a') },
    { worktree: worktree('b') },
    false,
  ],
  ['a worktree that goes, and a loop beside it', action('throw-away-worktree'), { worktree: worktree('a') }, {}, false],
  [
    'an undo from before the worktree, and a loop in the project',
    { kind: 'undo', edit: 1 },
    { worktree: worktree('a') },
    {},
    true,
  ],
])('%s', (_what, request, edited, working, refused) => {
  expect(isRefused(request, edited, working)).toBe(refused)
})

it('Nothing of a run is changed while its own loop runs', () => {
  expect(
    isRefused(action('throw-away-worktree'), { worktree: worktree('a') }, { worktree: worktree('a') }, 'edited'),
  ).toBe(true)
})
