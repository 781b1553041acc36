import type { SteeringAgent } from '@shared/contract/steering'
import { counted } from '@shared/countedText'
import { AgentName } from '../client/AgentName'
import { perform } from '../client/actions'
import { useMachineTitles } from '../client/machines'
import { showQuestions, useSteering } from '../client/steering'
import { rightsText, stateOfAgent } from '../client/steeringLabels'
import { Tip } from '../widgets/Tip'
import { visibleText } from '../widgets/visibleText'

const SHOWN = { narrow: 1, wide: 2 } as const
type Width = keyof typeof SHOWN

function showAgents(): void {
  showQuestions()
  perform('view.steering')
}

export function AgentsAtMachines() {
  const agents = useSteering((state) => state.agents)
  if (agents.length === 0) return null
  return (
    <div className="agents-at-machines" role="group" aria-label="Agents at machines">
      {agents.slice(0, SHOWN.wide).map((agent) => (
        <AgentItem key={agent.agent} agent={agent} />
      ))}
      <Others agents={agents} width="narrow" />
      <Others agents={agents} width="wide" />
    </div>
  )
}

function Others({ agents, width }: { readonly agents: readonly SteeringAgent[]; readonly width: Width }) {
  const questions = useSteering((state) => state.questions)
  const others = agents.slice(SHOWN[width])
  if (others.length === 0) return null
  const asks = questions.some(({ agent }) => others.some((other) => other.agent === agent))
  return (
    <Tip text={`${counted(others.length, 'more agent')}: ${others.map(({ name }) => visibleText(name)).join(', ')}`}>
      <button type="button" className={`status-item more-agents ${width}`} onClick={showAgents}>
        <span className={asks ? 'data warn-text' : 'data'}>+{others.length}</span>
        <span className="hidden-visually"> more at machines{asks ? ', one asks you' : ''}</span>
      </button>
    </Tip>
  )
}

function AgentItem({ agent }: { readonly agent: SteeringAgent }) {
  const state = useSteering()
  const { word, tone } = stateOfAgent(agent, state, useMachineTitles())
  return (
    <Tip text={`${visibleText(agent.name)} ${word}. ${rightsText(agent)}.`}>
      <button type="button" className="status-item agent-item" onClick={showAgents}>
        <AgentName name={agent.name} colour={agent.colour} />
        <span className={tone === 'warn' ? 'warn-text' : 'muted'}>{word}</span>
      </button>
    </Tip>
  )
}
