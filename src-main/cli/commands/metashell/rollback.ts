import type { Output as Reply } from '@shared/contract/contract'
import { defineCommand } from '../../command'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { flag, required, text } from '../../parameters'
import { metashellFolder, metashellGroup as group } from './group'
import { inProject } from './inProject'

export const metashellRollback = defineCommand({
  group,
  name: 'rollback',
  summary: 'Show what reverting the commits of a task would change; with --yes, revert them.',
  positionals: { folder: metashellFolder },
  options: {
    task: required(text('ID', 'The task whose commits are reverted.')),
    yes: flag('Do it.'),
  },
  data: {
    task: 'its ID',
    commits: '[{ commit, subject, … }], newest first',
    files: '[{ path, added, deleted, … }]',
    obstacles: 'texts',
    result: '{ backup, … }, null unless it was done',
  },
  examples: ['metashell rollback . --task 02-01'],
  run: (context, { folder, task, yes }) =>
    inProject(context, folder, async ({ client }, name) => {
      const reply = await client.call('loops.rollBack', { ...name, task, isTrial: !yes }, context.signal)
      const { commits, files, obstacles, result } = reply
      context.output.result({ task, commits, files, obstacles, result }, print(task, reply))
      return obstacles.length > 0 ? EXIT_FAILED : EXIT_OK
    }),
})

function print(task: string, { commits, files, obstacles, result }: Reply<'loops.rollBack'>): string {
  return [
    `${result ? 'Reverted' : 'Would revert'}, newest first:`,
    ...commits.map(({ commit, subject }) => `  ${commit.slice(0, 10)}  ${subject}`),
    ...files.map(({ path, added, deleted }) => `  ${path}  +${added ?? '?'} -${deleted ?? '?'}`),
    ...(files.length === 0 && obstacles.length === 0 ? ['  Already undone: git has nothing to do.'] : []),
    ...(result ? [`Task ${task} is pending again. The branch as it was is kept as ${result.backup}.`] : []),
    ...(obstacles.length > 0
      ? ['Cannot do this now:', ...obstacles.map((obstacle) => `  ${obstacle}`)]
      : result
        ? []
        : ['Nothing was changed. Add --yes to do it.']),
  ].join('\n')
}
