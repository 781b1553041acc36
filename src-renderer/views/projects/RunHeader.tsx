import { formatInfo } from '@shared/formats/formats'
import type { Project, Run } from '@shared/contract/orchestration'
import { shortcutOf } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'
import { dayAndTime } from '../../widgets/times'
import { visibleText } from '../../widgets/visibleText'
import { act } from './edit/editing'
import { claimOf, runTitle, silenceOf, stateMeaning } from './labels'
import { restOf, stateNow } from './loopState'
import { useLastLoop } from './loops'
import { PhaseStrip } from './PhaseStrip'
import type { Plan } from './plan/plan'
import { StateLabel } from './StateLabel'
import { FileLink } from './Source'
import { storyLine } from './story'

interface RunHeaderProps {
  readonly project: Project
  readonly run: Run
  readonly plan: Plan | null
  readonly isNow: boolean
  readonly newest: string | null
  readonly now: number
  readonly onPhase: (key: string) => void
}

export function RunHeader({ project: { project }, run, plan, isNow, newest, now, onPhase }: RunHeaderProps) {
  const loop = useLastLoop(project, run)
  const { before, title, after } = storyLine(
    isNow ? { ...run, state: { ...run.state, value: stateNow(run, loop) } } : run,
    now,
    isNow ? restOf(run, loop) : null,
  )
  return (
    <>
      <h2 className="projects-title">
        {visibleText(runTitle(run))} <StateLabel {...claimOf(run, loop, now)} meaning={stateMeaning(run, loop)} />{' '}
        <span className="muted projects-format">
          {formatInfo[run.system].title}
          {run.archived ? ', archived' : ''}
        </span>{' '}
        {run.archived || !isNow ? null : (
          <Button
            label="Act…"
            shortcut={shortcutOf('project.act')}
            onClick={() => act({ project, run: run.key }, runTitle(run), null)}
          />
        )}
      </h2>
      <p className="run-story">
        {before}
        {title === '' ? null : <strong>{title}</strong>}
        {after}.
      </p>
      {plan === null ? null : <PhaseStrip plan={plan} onChoose={onPhase} />}
      <Doubts project={project} run={run} silence={isNow ? silenceOf(run, loop, now) : null} newest={newest} />
    </>
  )
}

interface DoubtsProps {
  readonly project: number
  readonly run: Run
  readonly silence: string | null
  readonly newest: string | null
}

function Doubts({ project, run: { stale, state }, silence, newest }: DoubtsProps) {
  return (
    <>
      {stale === null ? null : (
        <p className="problem" role="alert">
          This is the last valid version, from before {dayAndTime(stale.since)}. {visibleText(stale.message)}
        </p>
      )}
      {silence === null ? null : (
        <p className="warn-text" role="status">
          The files say {visibleText(state.written ?? state.value ?? '')}, but nothing was written for {silence}: the
          agent may be gone or busy. {newest === null ? null : <FileLink project={project} source={{ file: newest }} />}
        </p>
      )}
    </>
  )
}
