import { useState } from 'react'
import type { Project, Run } from '@shared/contract/orchestration'
import { call } from '../../client/call'
import { useAnswer } from '../../client/useAnswer'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { useChosen } from '../../client/chosen'
import { Check } from '../../widgets/Check'
import { Activity } from './Activity'
import { History } from './History'
import { Overview } from './Overview'
import { PartList, type Lists } from './PartList'
import { PlanPanel } from './plan/PlanPanel'
import { usePlan } from './plan/usePlan'
import { RunControls } from './RunControls'
import { RunHeader } from './RunHeader'
import { useSourcesShown } from './Source'
import { useProjects } from './store'

interface RunDetailProps {
  readonly project: Project
  readonly run: Run
  readonly now: number
}

export function RunDetail({ project: whole, run: live, now }: RunDetailProps) {
  const { project } = whole
  const at = useProjects((state) => state.at)
  const [part, setPart] = useChosen('projects.part')
  const [hasSources, setSources] = useSourcesShown()
  const [chosen, setChosen] = useState<string | null>(null)
  const { lists, problem } = useRun(project, live, at)
  const run = at === null ? live : (lists?.run ?? live)
  const plan = usePlan(project, run, at === null)
  const newest = lists?.files.find(({ writtenAt }) => writtenAt === run.writtenAt)?.file ?? null
  const showPhase = (key: string) => {
    setChosen(key)
    setPart('plan')
  }
  return (
    <>
      <RunHeader
        project={whole}
        run={run}
        plan={plan.value}
        isNow={at === null}
        newest={newest}
        now={now}
        onPhase={showPhase}
      />
      {at === null ? <RunControls project={whole} run={run} now={now} /> : null}
      <History project={project} run={live} />
      <div className="run-parts">
        <ChoiceSegments choice="projects.part" />
        <Check label="Show sources" checked={hasSources} onChange={setSources} />
      </div>
      {problem === null ? null : <p className="problem">{problem}</p>}
      {part === 'plan' ? (
        <PlanPanel project={project} run={run} plan={plan} chosen={chosen} onChoose={setChosen} />
      ) : part === 'activity' ? (
        <Activity project={project} run={run} now={now} />
      ) : part === 'files' ? (
        lists && <Files project={project} run={run.key} lists={lists} now={now} />
      ) : (
        <Overview project={project} run={run} lists={lists} now={now} onAll={setPart} />
      )}
    </>
  )
}

interface FilesProps {
  readonly project: number
  readonly run: string
  readonly lists: Lists
  readonly now: number
}

const Files = (props: FilesProps) => (
  <>
    <PartList part="findings" {...props} />
    <PartList part="artefacts" {...props} />
    <PartList part="files" {...props} />
  </>
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
