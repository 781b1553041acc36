import { useId } from 'react'
import { useLimit } from '../../client/machines'
import type { CheckpointField, CheckpointFields } from './checkpointForm'

interface CheckpointWhenProps {
  readonly fields: CheckpointFields
  readonly problems?: Partial<Record<CheckpointField, string>>
  readonly isFocused?: boolean
  readonly onChange: (changes: Partial<CheckpointFields>) => void
}

export function CheckpointWhen({ fields, problems = {}, isFocused = false, onChange }: CheckpointWhenProps) {
  const conditionLimit = useLimit('checkpointConditions')
  const logLimit = useLimit('logPoints')
  const id = useId()
  const shown = [
    { name: 'condition', label: 'if', placeholder: 'A == $05 and @$d020 != 0', limit: conditionLimit },
    { name: 'hits', label: 'from hit', placeholder: '1', limit: logLimit },
    { name: 'log', label: 'log', placeholder: 'X is {X}, in place of stopping', limit: logLimit },
  ] as const
  const first = shown.find(({ limit }) => limit === null)?.name
  return shown.map(({ name, label, placeholder, limit }) => {
    const problem = problems[name]
    return limit === null ? (
      <span key={name} className="checkpoint-more" data-field={name}>
        <label htmlFor={`${id}-${name}`}>{label}</label>
        <input
          id={`${id}-${name}`}
          className="field data"
          value={fields[name]}
          placeholder={placeholder}
          spellCheck={false}
          autoFocus={isFocused && name === first}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={problem === undefined ? undefined : `${id}-${name}-problem`}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
        {problem === undefined ? null : (
          <span id={`${id}-${name}-problem`} className="problem" role="alert">
            {problem}
          </span>
        )}
      </span>
    ) : null
  })
}
