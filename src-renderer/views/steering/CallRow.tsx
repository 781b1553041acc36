import { Undo2 } from 'lucide-react'
import type { AgentCall } from '@shared/contract/steering'
import { AgentName } from '../../client/AgentName'
import { titleOfMachine, useMachineTitles } from '../../client/machines'
import { dayAndTime } from '../../widgets/times'
import { visibleText } from '../../widgets/visibleText'
import { callDuration, callLine, outcomeLabel } from './callText'

export function CallRow({ call }: { readonly call: AgentCall }) {
  const titles = useMachineTitles()
  const { word, tone } = outcomeLabel(call)
  return (
    <div className="call-row">
      <span className="data">{dayAndTime(call.time)}</span>
      <span className="call-what">
        <AgentName name={call.name} colour={call.colour} />
        <b>{visibleText(call.title)}</b>
        {call.undo === null ? null : <Undo2 size={12} aria-label="Can be undone" />}
      </span>
      <span className={`state-words ${tone}`}>
        <span className="dot" aria-hidden />
        {word}
      </span>
      <span className="data muted">{callDuration(call)}</span>
      <span className="data muted">{visibleText(callLine(call))}</span>
      <span className="muted">{titleOfMachine(titles, call.machine)}</span>
    </div>
  )
}
