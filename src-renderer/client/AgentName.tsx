import { visibleText } from '../widgets/visibleText'
import './agentName.css'

interface AgentNameProps {
  /** Of the window’s own for agents. */
  readonly colour: number
  /** As the agent names itself. */
  readonly name: string
}

/** Who did it: a dot in the agent's colour and its name. */
export const AgentName = ({ colour, name }: AgentNameProps) => (
  <span className="agent-name">
    <span className="agent-dot" data-colour={colour} aria-hidden />
    <bdi>{visibleText(name)}</bdi>
  </span>
)
