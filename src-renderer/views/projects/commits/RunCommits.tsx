import type { Run } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { useTrusted } from '../store'
import { CommitEntry } from './CommitEntry'
import { commitProblem } from './commitProblem'

interface RunCommitsProps {
  readonly project: number
  readonly run: Run
  readonly now: number
  /** ms since 1970; null is no limit. */
  readonly from: number | null
  readonly to: number | null
  readonly none: string
}

export function RunCommits({ project, run, now, from, to, none }: RunCommitsProps) {
  const trusted = useTrusted(project)
  const { data, failure } = useAnswer(
    `${project} ${run.key} ${from} ${to}`,
    true,
    (signal) => call('projects.commits', { project, run: run.key, from, to }, { signal }),
    `${to === null ? run.revision : 'past'} ${trusted}`,
  )
  if (failure !== null) return <p className="muted">{commitProblem(failure)}</p>
  if (data === null) return <p className="muted">Loading commits…</p>
  if (data.commits.length === 0) return <p className="muted">{none}</p>
  return (
    <div>
      {data.commits.map((commit) => (
        <CommitEntry key={commit.commit} project={project} run={run.key} commit={commit} now={now} />
      ))}
      {data.hasMore ? <p className="muted">Only the newest {data.commits.length} are shown.</p> : null}
    </div>
  )
}
