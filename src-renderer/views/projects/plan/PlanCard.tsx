import type { Run } from '@shared/contract/orchestration'
import { checkText, isCheckFailure } from '@shared/hostCheck'
import { useClock } from '../../../widgets/useClock'
import { visibleText } from '../../../widgets/visibleText'
import { TaskCommits } from '../commits/TaskCommits'
import { Source } from '../Source'
import { lengthText } from '../details/parts'
import {
  agentOf,
  durationOf,
  hasRunningTime,
  holdOf,
  isCounting,
  standingLooks,
  standingOf,
  wayOut,
  type Plan,
} from './plan'
import { useRow } from './usePlan'

interface PlanCardProps {
  readonly project: number
  readonly run: Run
  readonly plan: Plan
  readonly selected: number | null
  readonly onSelect: (node: number) => void
}

const MAX_NAMES = 12

export function PlanCard({ project, run, plan, selected, onSelect }: PlanCardProps) {
  const row = useRow(project, run, selected !== null && selected < plan.rows ? selected : null)
  const now = useClock(hasRunningTime(plan), 1_000)
  if (selected === null) return <p className="plan-card muted">Choose a task to see what blocks it.</p>
  const look = standingLooks[standingOf(plan, selected)]
  const { chain } = holdOf(plan, selected)
  const way = wayOut(plan, selected)
  const step = plan.critical.indexOf(selected)
  const agent = row?.owner?.value ?? agentOf(plan, selected)
  const duration = durationOf(plan, selected, now)
  const title = row?.title.value ?? plan.titles[selected] ?? ''
  return (
    <section className="plan-card" aria-label="Chosen in the plan" aria-live="polite">
      <h3>
        <span className="data">{visibleText(plan.keys[selected] ?? '')}</span>{' '}
        {title === plan.keys[selected] ? '' : visibleText(title)}
      </h3>
      <p>
        <span className={`tone-${look.colour}`}>
          {look.sign} {look.word}
        </span>
        : {look.meaning} {row ? <Source project={project} source={row.state.source ?? row.title.source} /> : null}
      </p>
      {agent === '' ? null : <p className="muted">by {visibleText(agent)}</p>}
      {duration === null ? null : (
        <p className="muted">
          {isCounting(plan, selected) ? 'running for' : 'took'} {lengthText(duration)}
          {plan.measured.has(selected) ? ', measured by Bridgedeck' : ''}
        </p>
      )}
      {row?.check ? (
        <p className={isCheckFailure(row.check) ? 'warn-text' : ''}>
          Check: {checkText(row.check)}
          <br />
          <code className="data">{visibleText(row.check.command)}</code>
        </p>
      ) : null}
      {row === null ? null : <TaskCommits project={project} run={run} row={row} />}
      {chain.length > 1 ? (
        <p>
          Blocked by: <Names plan={plan} nodes={chain} between=" → " onSelect={onSelect} />
        </p>
      ) : null}
      {way === '' ? null : (
        <p>
          <strong>Shortest way out:</strong> {visibleText(way)}
        </p>
      )}
      {(plan.dependencies[selected]?.length ?? 0) > 0 ? (
        <p>
          Depends on: <Names plan={plan} nodes={plan.dependencies[selected] ?? []} between=", " onSelect={onSelect} />
        </p>
      ) : null}
      {(plan.dependents[selected]?.length ?? 0) > 0 ? (
        <p>
          Unblocks: <Names plan={plan} nodes={plan.dependents[selected] ?? []} between=", " onSelect={onSelect} />
        </p>
      ) : null}
      {step < 0 ? null : (
        <p className="muted">
          Step {step + 1} of {plan.critical.length} on the longest chain: what comes late here makes the whole run late.
        </p>
      )}
    </section>
  )
}

interface NamesProps {
  readonly plan: Plan
  readonly nodes: readonly number[]
  readonly between: string
  readonly onSelect: (node: number) => void
}

const Names = ({ plan, nodes, between, onSelect }: NamesProps) => (
  <>
    {nodes.slice(0, MAX_NAMES).map((node, at) => (
      <span key={at}>
        {at === 0 ? '' : between}
        <button type="button" className="source data" onClick={() => onSelect(node)}>
          {standingLooks[standingOf(plan, node)].sign} {visibleText(plan.keys[node] ?? '')}
        </button>
      </span>
    ))}
    {nodes.length > MAX_NAMES ? ` and ${nodes.length - MAX_NAMES} more` : ''}
  </>
)
