import { formatInfo } from '@shared/formats/formats'
import { ListBox } from '../../widgets/ListBox'
import { visibleText } from '../../widgets/visibleText'
import { useLastLoop } from './loops'
import { LoopBadge } from './RunControls'
import type { Choice } from './store'
import { StateLabel } from './StateLabel'
import {
  claimOf,
  phaseText,
  projectMeaning,
  projectWords,
  runTitle,
  stateMeaning,
  writtenText,
  type ListRow,
} from './labels'

interface RunListProps {
  readonly rows: readonly ListRow[]
  readonly now: number
  readonly choice: Choice | null
  readonly onChoose: (choice: Choice) => void
}

const choiceOf = (row: ListRow): Choice =>
  row.kind === 'project' ? { project: row.project.project, run: null } : { project: row.project, run: row.run.key }
const keyOf = ({ project, run }: Choice): string => `${project} ${run ?? ''}`

export function RunList({ rows, now, choice, onChoose }: RunListProps) {
  return (
    <section className="projects-list" aria-label="Projects and runs">
      <ListBox
        label="Projects and runs"
        isFirst
        items={rows}
        keyOf={(row) => keyOf(choiceOf(row))}
        chosen={choice && keyOf(choice)}
        onChoose={(row) => onChoose(choiceOf(row))}
        height={40}
        render={(row) => (row.kind === 'project' ? <ProjectRow row={row} /> : <RunRow row={row} now={now} />)}
      />
    </section>
  )
}

function ProjectRow({ row: { project } }: { readonly row: Extract<ListRow, { kind: 'project' }> }) {
  return (
    <div className="project-row">
      <strong>{visibleText(project.name)}</strong>
      <StateLabel {...projectWords(project)} meaning={projectMeaning(project)} />
      <span className="muted data" title={project.place}>
        {visibleText(project.place)}
      </span>
      <span className="muted">
        {project.state === 'closed' ? '' : `${project.runs} run${project.runs === 1 ? '' : 's'}`}
      </span>
    </div>
  )
}

function RunRow({
  row: { project, run },
  now,
}: {
  readonly row: Extract<ListRow, { kind: 'run' }>
  readonly now: number
}) {
  const { done, total, failed } = run.work
  const loop = useLastLoop(project, run)
  const facts = [
    `${formatInfo[run.system].title}${run.archived ? ', archived' : ''}`,
    run.currentPhase.value === null ? '' : visibleText(phaseText(run.currentPhase.value)),
    total === 0 ? '' : `${done} of ${total} done${failed > 0 ? `, ${failed} failed` : ''}`,
    writtenText(run.writtenAt, now),
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <div className="run-row">
      <span title={visibleText(runTitle(run))}>{visibleText(runTitle(run))}</span>
      <StateLabel {...claimOf(run, loop, now)} meaning={stateMeaning(run, loop)} />
      <span className="muted" title={facts}>
        {facts}
      </span>
      <span className="run-counts">
        <LoopBadge project={project} run={run} />
        {run.warnings > 0 ? (
          <span className="warn-text" title="Meters at 80 % of their limit or above">
            {run.warnings} near a limit
          </span>
        ) : null}
        {run.findings.error > 0 ? (
          <span className="bad-text" title="Problems found in its files: see Findings">
            {run.findings.error} wrong
          </span>
        ) : null}
        {run.needCount > 0 ? (
          <span className="need-count" title="Questions, gates, approvals and failures that need you">
            {run.needCount} waiting
          </span>
        ) : null}
      </span>
    </div>
  )
}
