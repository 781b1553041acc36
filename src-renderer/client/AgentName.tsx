import { visibleText } from '../widgets/visibleText'
import './agentName.css'

interface AgentNameProps {
  readonly colour: number
  readonly name: string
}

export const AgentName = ({ colour, name }: AgentNameProps) => (
  <span className="agent-name">
    <span className="agent-dot" data-colour={colour} aria-hidden />
    <bdi>{visibleText(name)}</bdi>
  </span>
)
