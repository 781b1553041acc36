import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { text } from '../../parameters'
import { table, toned } from '../../printed'
import { projectFolder, projectGroup as group } from './group'

export const projectWorktrees = defineCommand({
  group,
  name: 'worktrees',
  summary: 'List the worktrees of runs in a folder, or remove one that no run works in.',
  details: 'A run that works in one ends it with its actions merge-worktree and throw-away-worktree.',
  positionals: { folder: projectFolder },
  options: { remove: text('BRANCH', 'Remove this one. Refs keep its commits and uncommitted changes.') },
  data: {
    'worktrees?': '[{ path, branch, head, isMissing, run }]',
    'backup?': 'the ref of where its branch was',
    'changesBackup?': 'the ref of what was not committed, or null',
  },
  examples: ['project worktrees .', 'project worktrees . --remove bridgedeck/metashell-20260101-100000'],
  run: async ({ output, signal, openSession }, { folder: path, remove: branch }) => {
    const { client } = await openSession()
    const { project } = await client.call('projects.open', { path }, signal)
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
