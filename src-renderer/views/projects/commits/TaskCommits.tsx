import { isCommitName } from '@shared/commitName'
import { MAX_COMMITS } from '@shared/contract/commits'
import type { Run, RunRow } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { useClock } from '../../../widgets/useClock'
import { visibleText } from '../../../widgets/visibleText'
import { useTrusted } from '../store'
import { CommitEntry, Hash } from './CommitEntry'
import { commitProblem } from './commitProblem'

interface TaskCommitsProps {
  readonly project: number
  readonly run: Run
  readonly row: Pick<RunRow, 'commits' | 'commitStates'>
}

/** The age of a commit is told in minutes. */
const CLOCK_MS = 60_000

/** The commits that a task names, each with what it changed; those that are not there say so. */
export function TaskCommits({ project, run, row: { commits, commitStates } }: TaskCommitsProps) {
  const written = commits?.value ?? []
  const names = written.filter(isCommitName).slice(0, MAX_COMMITS)
  const trusted = useTrusted(project)
  const { data, failure } = useAnswer(
    `${project} ${run.key} ${names.join(' ')}`,
    names.length > 0,
    (signal) => call('projects.namedCommits', { project, run: run.key, names }, { signal }),
    `${trusted} ${commitStates.join()}`,
  )
  const now = useClock(true, CLOCK_MS)
  if (written.length === 0) return null
  return (
    <section className="task-commits" aria-label="Commits">
      <h4>Commits</h4>
      {failure === null ? null : <p className="muted">{commitProblem(failure)}</p>}
      {written.map((name, index) => {
        const commit =
          failure === null ? data?.commits.find((found) => found.commit.startsWith(name.toLowerCase())) : undefined
        return commit ? (
          <CommitEntry key={index} project={project} run={run.key} commit={commit} now={now} />
        ) : (
          <p key={index}>
            <Hash hash={visibleText(name)} />
            <span className="warn-text">{absence(name, commitStates[index])}</span>
          </p>
        )
      })}
    </section>
  )
}

function absence(name: string, state: RunRow['commitStates'][number] | undefined): string {
  if (!isCommitName(name)) return ' is not a commit hash'
  return state === 'missing' ? ' is not in the repository' : ''
}
