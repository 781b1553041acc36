import type { AgentRun } from '@shared/contract/agents'
import type { LoopTurn } from '@shared/contract/loops'
import type { Run } from '@shared/contract/orchestration'
import { listNames } from '@shared/listNames'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { visibleText } from '../../../widgets/visibleText'
import { NamedCommits } from '../commits/NamedCommits'
import { RunCommits } from '../commits/RunCommits'

interface TurnCommitsProps {
  readonly project: number
  readonly run: Run
  readonly turn: AgentRun
  readonly now: number
}

/**
 * Uses the commits that git had before and after the turn. Where these were not recorded, it shows the commits made
 * during the turn, which may be somebody else's.
 */
export function TurnCommits({ project, run, turn, now }: TurnCommitsProps) {
  const { run: log, startedAt, endedAt } = turn
  const name = turn.turn && { project, system: turn.turn.system, place: turn.turn.place }
  const { data } = useAnswer(
    `${project} ${run.key} ${log}`,
    name !== null && endedAt !== null,
    async (signal) => (name ? call('loops.turn', { ...name, run: log }, { signal }) : { turn: null }),
    run.revision,
  )
  if (data?.turn) return <RecordedCommits project={project} run={run} turn={data.turn} now={now} />
  return (
    <>
      <p className="muted">Not recorded for this turn. Commits in its time, whoever made them:</p>
      <RunCommits {...{ project, run, now }} from={startedAt} to={endedAt} none="No commit was made while it ran." />
    </>
  )
}

interface RecordedCommitsProps {
  readonly project: number
  readonly run: Run
  readonly turn: LoopTurn
  readonly now: number
}

function RecordedCommits({
  project,
  run,
  turn: { commits, moreCommits, elsewhere, uncommitted, branchBefore, branchAfter, shared },
  now,
}: RecordedCommitsProps) {
  return (
    <>
      {commits.length === 0 ? (
        <p className="muted">It made no commit on the checked-out branch.</p>
      ) : (
        <NamedCommits project={project} run={run} names={commits} now={now} />
      )}
      {moreCommits === 0 ? null : <p className="muted">Only the newest {commits.length} are shown.</p>}
      {elsewhere.length === 0 ? null : (
        <>
          <p className="warn-text">On another branch:</p>
          <NamedCommits project={project} run={run} names={elsewhere} now={now} />
        </>
      )}
      {branchBefore === branchAfter ? null : (
        <p className="warn-text">
          It changed the branch from {visibleText(branchBefore ?? 'none')} to {visibleText(branchAfter ?? 'none')}.
        </p>
      )}
      {uncommitted.length === 0 ? null : (
        <p className="warn-text">It left uncommitted changes in {visibleText(listNames(uncommitted))}.</p>
      )}
      {shared.map(({ agents, commits: made, uncommitted: left }) => (
        <section key={agents.join()} aria-label="Shared">
          <p className="warn-text">
            {visibleText(listNames(agents))} worked at once, and nothing tells whose this is
            {left.length === 0 ? ':' : `. Uncommitted: ${visibleText(listNames(left))}.`}
          </p>
          {made.length === 0 ? null : <NamedCommits project={project} run={run} names={made} now={now} />}
        </section>
      ))}
    </>
  )
}
