import { formatInfo } from '@shared/formats/formats'
import { type ReactNode } from 'react'
import type { Loop } from '@shared/contract/loops'
import type { Project, Run } from '@shared/contract/orchestration'
import { call } from '../../client/call'
import { useAnswer } from '../../client/useAnswer'
import { oneOf, useViewState } from '../../client/viewState'
import { shortcutOf } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'
import { Segments } from '../../widgets/Segments'
import { visibleText } from '../../widgets/visibleText'
import { DetailsPanel } from './details/DetailsPanel'
import { act } from './edit/editing'
import { EditList } from './edit/EditList'
import { History } from './History'
import { Journal } from './Journal'
import { useLoopOf } from './loops'
import { PartList, type Lists } from './PartList'
import { PlanPanel } from './plan/PlanPanel'
import { RunControls } from './RunControls'
import { StateLabel } from './StateLabel'
import { Source } from './Source'
import { useProjects } from './store'
import { agoText, claimOf, clockText, processText, runTitle, silenceOf, stateMeaning, writtenText } from './labels'

const parts = [
  'plan',
  'details',
  'needs',
  'meters',
  'errors',
  'artefacts',
  'findings',
  'edits',
  'journal',
  'files',
] as const
type Part = (typeof parts)[number]
const readPart = oneOf<Part>(...parts)
const titles: Readonly<Record<Part, string>> = {
  plan: 'Plan',
  details: 'Details',
  needs: 'Needs you',
  meters: 'Meters',
  errors: 'Errors',
  artefacts: 'Artefacts',
  findings: 'Findings',
  edits: 'Edits',
  journal: 'Journal',
  files: 'Files',
}

interface RunDetailProps {
  readonly project: Project
  readonly run: Run
  readonly now: number
}

/** One run: what its files say, what is behind each value, what is doubtful, and what can be done. */
export function RunDetail({ project: whole, run: live, now }: RunDetailProps) {
  const { project } = whole
  const at = useProjects((state) => state.at)
  const [part, setPart] = useViewState('projects.part', readPart)
  const { lists, problem } = useRun(project, live, at)
  const run = at === null ? live : (lists?.run ?? live)
  const loop = useLoopOf(project, run)
  const counts = countsOf(run, lists)
  const newest = lists?.files.find(({ writtenAt }) => writtenAt === run.writtenAt)
  return (
    <>
      <Heading project={project} run={run} loop={loop} isNow={at === null} now={now} />
      <Doubts
        project={project}
        run={run}
        silence={at === null ? silenceOf(run, loop, now) : null}
        newest={newest?.file ?? null}
      />
      {at === null ? <RunControls project={whole} run={run} now={now} /> : null}
      <Facts project={project} run={run} loop={loop} now={now} />
      <History project={project} run={live} />
      <Segments
        label="Part of the run"
        value={part}
        options={parts.map((value) => ({
          value,
          label: counts[value] === undefined ? titles[value] : `${titles[value]} ${counts[value]}`,
        }))}
        onChange={setPart}
      />
      {problem === null ? null : <p className="problem">{problem}</p>}
      {part === 'edits' ? (
        <EditList project={project} run={run.key} now={now} />
      ) : part === 'journal' ? (
        <Journal project={project} run={run.key} version={run.revision} now={now} />
      ) : part === 'plan' ? (
        <PlanPanel project={project} run={run} />
      ) : part === 'details' ? (
        <DetailsPanel project={project} run={run} />
      ) : (
        lists && <PartList part={part} project={project} run={run.key} lists={lists} now={now} />
      )}
    </>
  )
}

const countsOf = ({ needCount, findings }: Run, lists: Lists | null): Partial<Record<Part, number>> => ({
  needs: needCount,
  findings: findings.error + findings.warning + findings.info,
  ...(lists
    ? {
        meters: lists.meters.length,
        errors: lists.errors.length,
        artefacts: lists.artefacts.length,
        files: lists.files.length,
      }
    : {}),
})

interface OfRun {
  readonly project: number
  readonly run: Run
}

interface HeadingProps extends OfRun {
  readonly loop: Loop | undefined
  readonly isNow: boolean
  readonly now: number
}

function Heading({ project, run, loop, isNow, now }: HeadingProps) {
  return (
    <h2 className="projects-title">
      {visibleText(runTitle(run))} <StateLabel {...claimOf(run, loop, now)} meaning={stateMeaning(run)} />
      {run.archived || !isNow ? null : (
        <Button
          label="Act…"
          shortcut={shortcutOf('project.act')}
          onClick={() => act({ project, run: run.key }, runTitle(run), null)}
        />
      )}
    </h2>
  )
}

interface DoubtsProps extends OfRun {
  /** For how long it has written nothing although it says that it is running. */
  readonly silence: string | null
  /** The file that was written last. */
  readonly newest: string | null
}

function Doubts({ project, run: { stale, state }, silence, newest }: DoubtsProps) {
  return (
    <>
      {stale === null ? null : (
        <p className="problem" role="alert">
          This is the last valid version, from before {clockText(stale.since)}. {visibleText(stale.message)}
        </p>
      )}
      {silence === null ? null : (
        <p className="warn-text" role="status">
          The files say {visibleText(state.written ?? state.value ?? '')}, but nothing was written for {silence}: the
          agent may be gone or busy. {newest === null ? null : <Source project={project} source={{ file: newest }} />}
        </p>
      )}
    </>
  )
}

interface FactsProps extends OfRun {
  readonly loop: Loop | undefined
  readonly now: number
}

function Facts({ project, run, loop, now }: FactsProps) {
  const { system, archived, state, reason, currentPhase, writtenAt, updatedAt } = run
  return (
    <dl className="projects-facts">
      <Fact title="Format">
        {formatInfo[system].title}
        {archived ? ', archived' : ''}
        <span className="muted">. {formatInfo[system].meaning}</span>
      </Fact>
      <Fact title="State">
        {state.value ?? 'unknown'}
        <span className="muted">: {stateMeaning(run)}</span> <Source project={project} source={state.source} />
        {state.written === undefined || state.written === state.value ? null : (
          <span className="muted"> in the file: {visibleText(state.written)}</span>
        )}
      </Fact>
      {reason.value === null ? null : (
        <Fact title="Why">
          {visibleText(reason.value)} <Source project={project} source={reason.source} />
        </Fact>
      )}
      {currentPhase.value === null ? null : (
        <Fact title="Phase">
          {visibleText(currentPhase.value)} <Source project={project} source={currentPhase.source} />
        </Fact>
      )}
      <Fact title="Fresh">
        {writtenText(writtenAt, now)}
        {updatedAt.value === null ? '' : `; updated ${agoText(updatedAt.value, now)} `}
        {updatedAt.value === null ? null : <Source project={project} source={updatedAt.source} />}
      </Fact>
      <Fact title="Process">{processText(loop, now)}</Fact>
    </dl>
  )
}

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
)

/** Read again with each change of the run; what was read stays until then. */
function useRun(
  project: number,
  { key, revision }: Run,
  at: number | null,
): { lists: Lists | null; problem: string | null } {
  const { data, failure } = useAnswer(
    `${project} ${key}`,
    true,
    (signal) => call('projects.run', { project, run: key, ...(at === null ? {} : { at }) }, { signal }),
    `${revision} ${at ?? 'now'}`,
  )
  return { lists: data, problem: failure?.message ?? null }
}
