import { Hand } from 'lucide-react'
import { useMemo } from 'react'
import { AgentName } from '../client/AgentName'
import { perform } from '../client/actions'
import { useFrontName, useMachineTitles } from '../client/machines'
import { shortcutOf } from '../client/shortcuts'
import { useSteering } from '../client/steering'
import { stateOfAgent, whoIsAt } from '../client/steeringLabels'
import { Button } from '../widgets/Button'
import { Tip } from '../widgets/Tip'
import { visibleText } from '../widgets/visibleText'

export function WhoSteers() {
  const front = useFrontName()
  const state = useSteering()
  const titles = useMachineTitles()
  const at = useMemo(() => whoIsAt(front, state), [front, state])
  if (at === null) return null
  if (at.who === 'person')
    return (
      <div className="banner who-steers" role="status">
        <Hand size={14} strokeWidth={1.75} aria-hidden />
        <Tip text="Agents may look at this machine, and change nothing until you hand it back.">
          <strong>You steer; agents look</strong>
        </Tip>
        <Button
          label="Hand back"
          look="primary"
          shortcut={shortcutOf('steering.handBack')}
          onClick={() => perform('steering.handBack')}
        />
      </div>
    )
  const { agent, others } = at
  const { word } = stateOfAgent(agent, state, titles)
  const does = word.startsWith('steers ') ? 'steers' : word
  const doing = agent.doing === null ? '' : `: ${visibleText(agent.doing)}`
  return (
    <div className="banner who-steers" data-colour={agent.colour} role="status">
      <Tip text={`${visibleText(agent.name)} ${word}${doing}${others === 0 ? '' : `. ${others} more at this machine`}`}>
        <span className="who-steers-name">
          <AgentName name={agent.name} colour={agent.colour} />
          {others === 0 ? null : <span className="data muted">+{others}</span>}
          <span className="muted who-steers-state">{does}</span>
        </span>
      </Tip>
      <Button
        label="Take over"
        tip="You have the machine: agents may look, and change nothing until you hand it back."
        shortcut={shortcutOf('steering.takeOver')}
        onClick={() => perform('steering.takeOver')}
      />
    </div>
  )
}
