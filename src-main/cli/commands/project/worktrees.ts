import type { Output as Reply } from '@shared/contract/contract'
import { listNames } from '@shared/listNames'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, text } from '../../parameters'
import { table, toned } from '../../printed'
import { projectFolder, projectGroup as group } from './group'

export const projectWorktrees = defineCommand({
  group,
  name: 'worktrees',
  summary: 'List the worktrees of runs in a folder, or remove one that no run uses.',
  details: 'A run that works in one ends it with its actions merge-worktree and throw-away-worktree.',
  positionals: { folder: projectFolder },
  options: {
    remove: text(
      'BRANCH',
      'Show what goes with this one; with --yes, remove it. Refs keep its commits and uncommitted changes.',
    ),
    yes: flag('Remove it.'),
  },
  data: {
    'worktrees?': '[{ path, branch, head, isMissing, run }]',
    'commits?': '[{ commit, subject }] that go with it',
    'files?': 'that they change',
    'uncommitted?': 'files that go with it',
    'backup?': 'the ref of where its branch was',
    'changesBackup?': 'the ref of what was not committed, or null',
  },
  examples: ['project worktrees .', 'project worktrees . --remove bridgedeck/metashell-20260101-100000 --yes'],
  run: async ({ output, signal, openSession }, { folder: path, remove: branch, yes }) => {
    const { client } = await openSession()
    const { project } = await client.call('projects.open', { path }, signal)
    if (branch !== undefined && !yes) {
      const going = await client.call('loops.worktree', { project, branch }, signal)
      output.result(going, print(branch, going))
      return EXIT_OK
    }
    if (branch !== undefined) {
      const removed = await client.call('loops.removeWorktree', { project, branch }, signal)
      output.result(removed, `Removed ${branch}. Its commits are kept as ${removed.backup}.`)
      return EXIT_OK
    }
    const { worktrees } = await client.call('loops.worktrees', { project }, signal)
    const rows = worktrees.map(({ path, branch, isMissing, run }) => [
      branch,
      run ?? toned('notice', 'no run'),
      isMissing ? toned('notice', `${path} (gone)`) : path,
    ])
    output.result({ worktrees }, table(rows, 'There are no worktrees.'))
    return EXIT_OK
  },
})

const print = (branch: string, { commits, files, uncommitted }: Reply<'loops.worktree'>): string =>
  [
    ...commits.map(({ commit, subject }) => `${commit.slice(0, 10)} ${subject}`),
    files.length === 0 ? 'No file would be lost.' : `Changed files: ${listNames(files)}`,
    ...(uncommitted.length === 0 ? [] : [`Uncommitted: ${listNames(uncommitted)}`]),
    `Nothing was removed. Add --yes to remove the worktree on ${branch}.`,
  ].join('\n')
