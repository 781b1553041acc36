import { isCommitName, isSameCommit } from '@shared/commitName'
import { MAX_COMMITS } from '@shared/contract/commits'
import type { Output as Reply } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { MAESTRO_BATCHES } from '@shared/formats/systems'
import { listNames } from '@shared/listNames'
import { turnRecords, type TurnRecord } from '@shared/turnRecord'
import { inspectProject, type FoundRun } from '../../../projects/read/inspectProject'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { number, text } from '../../parameters'
import { loadRemembered } from '../../remembered'
import { UsageError } from '../../usageError'
import { projectFolder, projectGroup as group } from './group'

export const projectDiff = defineCommand({
  group,
  name: 'diff',
  summary: 'Show the combined changes of a task, of one attempt at it, or of one turn.',
  positionals: { folder: projectFolder },
  options: {
    task: text('KEY', 'The task, by the key that project act names, or the phase of a Maestro session.'),
    turn: text('RUN', 'Instead of a task: the turn of an agent, by its run in agent runs.'),
    attempt: number('N', 'Only this attempt; the first is 1.', { min: 1, max: 100_000 }),
    run: text('KEY', 'The run, where several have such a task.'),
  },
  data: {
    run: 'its key',
    task: 'its key, or null',
    turn: 'the run of its agent, or null',
    commits: 'hashes, in the order of the task',
    attempts: 'how many are recorded',
    shared: '[{ agents, commits }] of agents that worked at once',
    files: '[{ path, added, deleted }]',
    diff: 'unified',
    isCut: 'whether the diff is longer',
  },
  examples: [
    'project diff . --task 02-01',
    'project diff . --task 02-01 --attempt 1',
    'project diff . --turn 0123abcd',
  ],
  run: async ({ output, signal, openSession }, { folder, task, turn, attempt, run }) => {
    if ((task === undefined) === (turn === undefined))
      throw new UsageError('Name a task with --task, or an agent’s turn with --turn.')
    const project = await inspectProject(folder, loadRemembered, signal)
    const rememberedOf = loadRemembered(project.folder)
    const found =
      turn === undefined
        ? commitsOfTask(project.runs, rememberedOf, task ?? '', { attempt, run })
        : commitsOfTurn(project.runs, rememberedOf, turn)
    const { commits, shared } = found
    const { client } = await openSession()
    const opened = await client.call('projects.open', { path: folder }, signal)
    const asked = { project: opened.project, run: found.run, commits: commits.slice(-MAX_COMMITS) }
    const difference = commits.length === 0 ? noDifference : await client.call('projects.difference', asked, signal)
    output.result(
      {
        run: found.run,
        task: task ?? null,
        turn: turn ?? null,
        commits,
        attempts: found.attempts,
        shared,
        ...difference,
      },
      print(difference, commits, shared),
    )
    return EXIT_OK
  },
})

const noDifference: Reply<'projects.difference'> = { files: [], moreFiles: 0, diff: '', isCut: false }

interface Found {
  readonly run: string
  readonly commits: readonly string[]
  readonly attempts: number
  readonly shared: readonly { readonly agents: readonly string[]; readonly commits: readonly string[] }[]
}

type RememberedOf = ReturnType<typeof loadRemembered>

function commitsOfTask(
  runs: readonly FoundRun[],
  rememberedOf: RememberedOf,
  task: string,
  { attempt, run }: { readonly attempt: number | undefined; readonly run: string | undefined },
): Found {
  const found = taskIn(runs, task, run)
  const records = turnRecords(rememberedOf(found.run))
  const attempts = attemptsAt(records, found.commits)
  const named =
    found.commits.length > 0
      ? found.commits
      : records.filter((turn) => turn.task === task).flatMap(({ commits }) => commits)
  const commits = attempt === undefined ? named : attempts[attempt - 1]
  const shared = sharedBy(records, (sharer) => sharer.task === task)
  if (commits !== undefined && (commits.length > 0 || shared.length > 0))
    return { run: found.run, commits, attempts: attempts.length, shared }
  throw new AppError(
    'NOT_FOUND',
    `No commits of ${attempt === undefined ? 'task' : `attempt ${attempt} at task`} ${task}.`,
    { hint: `Recorded attempts with commits: ${attempts.length}.` },
  )
}

function commitsOfTurn(runs: readonly FoundRun[], rememberedOf: RememberedOf, log: string): Found {
  const keys = runs.map(runKeyOf)
  for (const key of [...keys, MAESTRO_BATCHES]) {
    const records = turnRecords(rememberedOf(key))
    const record = records.find((turn) => turn.log === log)
    const run = key === MAESTRO_BATCHES ? keys.find((known) => known.startsWith('maestro:')) : key
    if (!record || run === undefined) continue
    return { run, commits: record.commits, attempts: 1, shared: sharedBy(records, (sharer) => sharer.log === log) }
  }
  throw new AppError('NOT_FOUND', `No turn of the agent’s run ${log} is recorded here.`, {
    hint: 'agent runs lists them. Turns are recorded in git repositories that you trust.',
  })
}

const sharedBy = (
  records: readonly TurnRecord[],
  isMeant: (sharer: { readonly task: string | null; readonly log: string }) => boolean,
): Found['shared'] =>
  records.flatMap(({ shared, commits }) =>
    shared?.some(isMeant) && commits.length > 0 ? [{ agents: shared.map(({ role }) => role), commits }] : [],
  )

const runKeyOf = ({ view, marker }: FoundRun): string => `${view.system}:${marker}`

/** @throws AppError NOT_FOUND without such a task, CONFLICT where several runs have one */
function taskIn(runs: readonly FoundRun[], key: string, wanted: string | undefined) {
  const named = runs
    .map((found) => ({ run: runKeyOf(found), ...found.view }))
    .filter(({ run, archived }) => (wanted === undefined ? !archived : run === wanted))
    .flatMap(({ run, phases }) =>
      phases.flatMap((phase) =>
        [...(phase.tasks.length === 0 ? [{ key: phase.key, commits: undefined }] : []), ...phase.tasks]
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

function attemptsAt(records: readonly TurnRecord[], commits: readonly string[]): string[][] {
  return records
    .map((turn) => turn.commits.filter((made) => commits.some((name) => isSameCommit(name, made))))
    .filter((made) => made.length > 0)
}

function print(
  { files, moreFiles, diff, isCut }: Reply<'projects.difference'>,
  commits: readonly string[],
  shared: Found['shared'],
): string {
  const named = (hashes: readonly string[]) =>
    `${hashes.length} commit${hashes.length === 1 ? '' : 's'}${hashes.length === 0 ? '' : `: ${hashes.map((hash) => hash.slice(0, 10)).join(', ')}`}`
  return [
    named(commits),
    ...shared.map((each) => `Of one of ${listNames(each.agents)}, which worked at once: ${named(each.commits)}`),
    ...files.map(({ path, added, deleted }) => `  ${path}  +${added ?? '?'} -${deleted ?? '?'}`),
    ...(moreFiles === 0 ? [] : [`  and ${moreFiles} more files`]),
    ...(diff === '' ? [] : ['', diff.trimEnd()]),
    ...(isCut ? ['The diff is longer.'] : []),
  ].join('\n')
}
