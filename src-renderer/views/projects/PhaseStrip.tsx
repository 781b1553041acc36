import { useMemo } from 'react'
import { visibleText } from '../../widgets/visibleText'
import { phaseProgress, type PhaseProgress } from './phaseProgress'
import { standingLooks, type Plan } from './plan/plan'

/** With more phases none would have room for its sign. */
const MAX_PHASES = 40

interface PhaseStripProps {
  readonly plan: Plan
  readonly onChoose: (key: string) => void
}

export function PhaseStrip({ plan, onChoose }: PhaseStripProps) {
  const phases = useMemo(() => phaseProgress(plan), [plan])
  if (phases.length < 2 || phases.length > MAX_PHASES) return null
  return (
    <ol className="run-strip" aria-label="Phases">
      {phases.map((phase) => (
        <li key={phase.key}>
          <Phase phase={phase} onChoose={onChoose} />
        </li>
      ))}
    </ol>
  )
}

function Phase({
  phase: { key, title, standing, done, total },
  onChoose,
}: {
  readonly phase: PhaseProgress
  readonly onChoose: PhaseStripProps['onChoose']
}) {
  const { sign, word, colour } = standingLooks[standing]
  const tasks = total > 1 ? `, ${done} of ${total} tasks done` : ''
  return (
    <button
      type="button"
      className={`run-phase tone-${colour}`}
      title={visibleText(`${title}: ${word}${tasks}`)}
      aria-label={visibleText(`${title}: ${word}${tasks}`)}
      onClick={() => onChoose(key)}
    >
      <span className="run-phase-name">
        {sign} {visibleText(title)}
      </span>
      <progress max={total} value={done} aria-hidden />
    </button>
  )
}
