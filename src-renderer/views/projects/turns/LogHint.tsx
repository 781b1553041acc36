import type { Run } from '@shared/contract/orchestration'
import { SEE_LOG } from '@shared/seeLog'
import { showAgentRun } from '../../../client/agents/agentChoice'
import { attempt } from '../../../client/messages'
import { visibleText } from '../../../widgets/visibleText'
import { useTurns } from './useTurns'

interface LogHintProps {
  readonly project: number
  readonly run: Run
  readonly text: string
}

/** A hint, in which the agent's log is a link to the run's newest turn in the Agents view. */
export function LogHint({ project, run, text }: LogHintProps) {
  const [newest] = useTurns(project, run)
  const at = text.indexOf(SEE_LOG)
  if (at < 0 || !newest) return visibleText(text)
  return (
    <>
      {visibleText(text.slice(0, at))}
      <button type="button" className="source" onClick={() => attempt(() => showAgentRun(newest.run))}>
        {SEE_LOG}
      </button>
      {visibleText(text.slice(at + SEE_LOG.length))}
    </>
  )
}
