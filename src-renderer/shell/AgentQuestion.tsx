import { X } from 'lucide-react'
import type { ActionId } from '@shared/actions'
import { rightMeanings } from '@shared/rightMeanings'
import { AgentName } from '../client/AgentName'
import { perform } from '../client/actions'
import { shortcutOf } from '../client/shortcuts'
import { putQuestionsAside, shownQuestion, useSteering } from '../client/steering'
import { Button } from '../widgets/Button'
import { timeOfDay } from '../widgets/times'
import { visibleText } from '../widgets/visibleText'
import './agentQuestion.css'

/** It takes neither the keyboard nor a key that was meant elsewhere. */
export function AgentQuestion() {
  const question = useSteering(shownQuestion)
  const count = useSteering(({ questions }) => questions.length)
  const isAnswerable = useSteering(({ answerable }) => answerable !== null && answerable === question?.question)
  if (!question) return null
  const { name, colour, right, text, since } = question
  return (
    <section
      className="agent-question"
      data-panel="agent-question"
      data-answerable={isAnswerable}
      data-colour={colour}
      aria-label="An agent asks"
      tabIndex={-1}
    >
      <div className="agent-question-words" role="alert">
        <p>
          <strong>
            <AgentName name={name} colour={colour} />
          </strong>{' '}
          wants to <strong>{rightMeanings[right]}</strong>
        </p>
        <p className="agent-question-text data">{visibleText(text)}</p>
        <p className="muted">
          Since {timeOfDay(since)}.{' '}
          {count === 1 ? 'It waits for your answer.' : `1 of ${count} questions; the others come after it.`}
        </p>
      </div>
      <div className="agent-question-buttons">
        <Answer label="Allow once" id="steering.allowOnce" isFirst />
        <Answer label="This session" id="steering.allowSession" />
        <Answer label="Always" id="steering.allowAlways" />
        <Answer label="Refuse" id="steering.refuse" />
      </div>
      <Button
        label="Answer later"
        tip="Answer later. The agent’s name in the status bar shows it again."
        icon={X}
        iconOnly
        look="plain"
        onClick={putQuestionsAside}
      />
    </section>
  )
}

type AnswerId = Extract<
  ActionId,
  'steering.allowOnce' | 'steering.allowSession' | 'steering.allowAlways' | 'steering.refuse'
>

interface AnswerProps {
  readonly label: string
  readonly id: AnswerId
  readonly isFirst?: boolean
}

const Answer = ({ label, id, isFirst = false }: AnswerProps) => (
  <button
    type="button"
    className="button"
    {...(isFirst ? { 'data-panel-focus': true } : {})}
    onClick={() => perform(id)}
  >
    {label} <kbd>{shortcutOf(id)}</kbd>
  </button>
)
