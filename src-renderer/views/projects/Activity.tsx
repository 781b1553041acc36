import type { Run } from '@shared/contract/orchestration'
import { Section } from './details/parts'
import { RunCommits } from './commits/RunCommits'
import { EditList } from './edit/EditList'
import { Journal } from './Journal'
import { RunLog } from './RunControls'
import { Costs } from './turns/Costs'
import { Turns } from './turns/Turns'

interface ActivityProps {
  readonly project: number
  readonly run: Run
  readonly now: number
}

export const Activity = ({ project, run, now }: ActivityProps) => (
  <>
    <RunLog project={project} run={run} />
    <Costs project={project} run={run} />
    <Turns project={project} run={run} />
    <Section title="Edits">
      <EditList project={project} run={run} now={now} />
    </Section>
    <Section title="Commits">
      <RunCommits project={project} run={run} now={now} from={null} to={null} none="No commits in this folder yet." />
    </Section>
    <Journal project={project} run={run.key} version={run.revision} now={now} />
  </>
)
