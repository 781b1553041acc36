import type { Run } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { useTrusted } from '../store'
import { CommitEntry, Hash } from './CommitEntry'
import { commitProblem } from './commitProblem'

interface NamedCommitsProps {
  readonly project: number
  readonly run: Run
  /** Whole hashes, `MAX_COMMITS` at most. */
  readonly names: readonly string[]
  readonly now: number
}

/** These commits in this order, each with what it changed. */
export function NamedCommits({ project, run, names, now }: NamedCommitsProps) {
  const trusted = useTrusted(project)
  const { data, failure } = useAnswer(
    `${project} ${run.key} ${names.join(' ')}`,
    true,
    (signal) => call('projects.namedCommits', { project, run: run.key, names: [...names] }, { signal }),
    String(trusted),
  )
  if (failure !== null) return <p className="muted">{commitProblem(failure)}</p>
  if (data === null) return <p className="muted">Loading commits…</p>
  return (
    <div>
      {names.map((name) => {
        const commit = data.commits.find((found) => found.commit === name)
        return commit ? (
          <CommitEntry key={name} project={project} run={run.key} commit={commit} now={now} />
        ) : (
          <p key={name}>
            <Hash hash={name} />
            <span className="warn-text"> is not in the repository</span>
          </p>
        )
      })}
    </div>
  )
}
