import { isCommitName, isSameCommit } from '@shared/commitName'
import { MAX_COMMITS } from '@shared/contract/commits'
import type { Output as Reply } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { turnRecords } from '@shared/turnRecord'
import { inspectProject, type FoundRun } from '../../../projects/read/inspectProject'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { number, required, text } from '../../parameters'
import { loadRemembered } from '../../remembered'
import { projectFolder, projectGroup as group } from './group'

export const projectDiff = defineCommand({
  group,
  name: 'diff',
  summary: 'Show what the commits of a task changed together, or those of one attempt at it.',
  positionals: { folder: projectFolder },
  options: {
    task: required(text('KEY', 'The task, by the key that project act names.')),
    attempt: number('N', 'Only this attempt; the first is 1.', { min: 1, max: 100_000 }),
    run: text('KEY', 'The run, where several have such a task.'),
  },
  data: {
    run: 'its key',
    task: 'its key',
    commits: 'hashes, in the order of the task',
    attempts: 'how many are recorded',
    files: '[{ path, added, deleted }]',
    diff: 'unified',
    isCut: 'whether the diff is longer',
  },
  examples: ['project diff . --task 02-01', 'project diff . --task 02-01 --attempt 1'],
  run: async ({ output, signal, openSession }, { folder, task, attempt, run }) => {
    const project = await inspectProject(folder, loadRemembered, signal)
    const found = taskIn(project.runs, task, run)
    const remembered = loadRemembered(project.folder)(found.run)
    const attempts = attemptsAt(remembered, found.commits)
    const commits = attempt === undefined ? found.commits : attempts[attempt - 1]
    if (commits === undefined || commits.length === 0)
      throw new AppError(
        'NOT_FOUND',
        `No commits of ${attempt === undefined ? 'task' : `attempt ${attempt} at task`} ${task}.`,
        {
          hint: `Recorded attempts with commits: ${attempts.length}.`,
        },
      )
    const { client } = await openSession()
    const opened = await client.call('projects.open', { path: folder }, signal)
    const asked = { project: opened.project, run: found.run, commits: commits.slice(-MAX_COMMITS) }
    const difference = await client.call('projects.difference', asked, signal)
    output.result(
      { run: found.run, task, commits, attempts: attempts.length, ...difference },
      print(difference, commits),
    )
    return EXIT_OK
  },
})

/** @throws AppError NOT_FOUND without such a task, CONFLICT where several runs have one */
function taskIn(runs: readonly FoundRun[], key: string, wanted: string | undefined) {
  const named = runs
    .map(({ view, marker }) => ({ run: `${view.system}:${marker}`, ...view }))
    .filter(({ run, archived }) => (wanted === undefined ? !archived : run === wanted))
    .flatMap(({ run, phases }) =>
      phases.flatMap(({ tasks }) =>
        tasks
          .filter((task) => task.key === key)
          .map(({ commits }) => ({ run, commits: commits?.value?.filter(isCommitName) ?? [] })),
      ),
    )
  const committed = named.filter(({ commits }) => commits.length > 0)
  const found = committed.length > 0 ? committed : named
  const [first, ...more] = found
  if (!first)
    throw new AppError('NOT_FOUND', `No task ${key}.`, { hint: 'Run project act to see the keys of the tasks.' })
  if (more.length > 0)
    throw new AppError('CONFLICT', `Several runs have a task ${key}.`, {
      hint: `Name one with --run: ${found.map(({ run }) => run).join(', ')}.`,
    })
  return first
}

/** The task's commits by the turns that made them, the oldest first. */
function attemptsAt(remembered: Parameters<typeof turnRecords>[0], commits: readonly string[]): string[][] {
  return turnRecords(remembered)
    .map((turn) => turn.commits.filter((made) => commits.some((name) => isSameCommit(name, made))))
    .filter((made) => made.length > 0)
}

function print({ files, moreFiles, diff, isCut }: Reply<'projects.difference'>, commits: readonly string[]): string {
  return [
    `${commits.length} commit${commits.length === 1 ? '' : 's'}: ${commits.map((commit) => commit.slice(0, 10)).join(', ')}`,
    ...files.map(({ path, added, deleted }) => `  ${path}  +${added ?? '?'} -${deleted ?? '?'}`),
    ...(moreFiles === 0 ? [] : [`  and ${moreFiles} more files`]),
    ...(diff === '' ? [] : ['', diff.trimEnd()]),
    ...(isCut ? ['The diff is longer.'] : []),
  ].join('\n')
}
