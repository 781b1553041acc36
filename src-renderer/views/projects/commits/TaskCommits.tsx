import type { Run, RunRow } from '@shared/contract/orchestration'
import { useClock } from '../../../widgets/useClock'
import { NamedCommits } from './NamedCommits'

interface TaskCommitsProps {
  readonly project: number
  readonly run: Run
  readonly row: Pick<RunRow, 'commits' | 'commitStates'>
}

/** The age of a commit is shown in minutes. */
const CLOCK_MS = 60_000

export function TaskCommits({ project, run, row: { commits, commitStates } }: TaskCommitsProps) {
  const now = useClock(true, CLOCK_MS)
  const names = commits?.value ?? []
  if (names.length === 0) return null
  return (
    <section className="task-commits" aria-label="Commits">
      <h4>Commits</h4>
      <NamedCommits project={project} run={run} names={names} states={commitStates} now={now} />
    </section>
  )
}
