import { useId } from 'react'
import { Control, type ControlAttributes } from './Control'
import { Tip } from '../Tip'
import { textOf, type FieldDescription, type FieldHint, type FieldSuggestion, type FieldValue } from './fields'
import './form.css'

interface FieldProps {
  readonly field: FieldDescription
  readonly value: FieldValue | undefined
  readonly problem: string | null
  readonly isFirst?: boolean
  readonly autoFocus?: boolean
  readonly onChange: (value: FieldValue) => void
  readonly onAgain?: (() => void) | undefined
}

export function Field({ field, value, problem, isFirst = false, autoFocus, onChange, onAgain }: FieldProps) {
  const id = useId()
  const error = problem ?? field.error ?? null
  const help = field.help ?? ''
  const hasHints = error !== null || help !== '' || (field.hints ?? []).length > 0
  const attributes: ControlAttributes = {
    id: id,
    'aria-describedby': hasHints ? `${id}-hints` : undefined,
    'aria-required': field.required === true ? true : undefined,
    'aria-invalid': error === null ? undefined : true,
    'data-first': isFirst ? true : undefined,
    autoFocus,
    'data-panel-focus': autoFocus === true ? true : undefined,
  }
  const hints = hasHints ? (
    <Hints id={`${id}-hints`} help={help} hints={field.hints ?? []} error={error} isAlert={problem !== null} />
  ) : null
  const control = <Control {...{ field, value, attributes, onChange, onAgain }} />
  if (field.kind === 'radios' || field.kind === 'checks') {
    return (
      <fieldset className="form-field" data-field={field.name} aria-describedby={attributes['aria-describedby']}>
        <legend>{field.label}</legend>
        <Help help={help} />
        {control}
        {hints}
      </fieldset>
    )
  }
  const namesGroup = field.kind === 'segments' || field.kind === 'file'
  return (
    <div className="form-field" data-field={field.name}>
      <span className="form-label">
        {namesGroup ? <span id={`${id}-label`}>{field.label}</span> : <label htmlFor={id}>{field.label}</label>}
        <Help help={help} />
      </span>
      {'suggestions' in field && field.suggestions.length > 0 ? (
        <Suggestions suggestions={field.suggestions} value={textOf(value)} onChoose={onChange} onAgain={onAgain} />
      ) : null}
      {control}
      {hints}
    </div>
  )
}

/** For the eyes alone: the control itself reads the text out. */
export function Help({ help }: { readonly help: string }) {
  return help === '' ? null : (
    <Tip text={help}>
      <button type="button" className="form-help" aria-label="Help">
        ?
      </button>
    </Tip>
  )
}

interface HintsProps {
  readonly id: string
  readonly help: string
  readonly hints: readonly FieldHint[]
  readonly error: string | null
  readonly isAlert: boolean
}

const hintClass = { problem: 'problem', warn: 'warn-text', data: 'data' } as const

function Hints({ id, help, hints, error, isAlert }: HintsProps) {
  return (
    <div id={id} className="form-hints">
      {help === '' ? null : <p className="hidden-visually">{help}</p>}
      {hints.map(({ text, tone }, index) => (
        <p key={index} className={tone === undefined ? 'muted' : hintClass[tone]}>
          {text}
        </p>
      ))}
      {error === null ? null : (
        <p className="problem" role={isAlert ? 'alert' : undefined}>
          {error}
        </p>
      )}
    </div>
  )
}

interface SuggestionsProps {
  readonly suggestions: readonly FieldSuggestion[]
  readonly value: string
  readonly onChoose: (value: string) => void
  readonly onAgain: FieldProps['onAgain']
}

function Suggestions({ suggestions, value, onChoose, onAgain }: SuggestionsProps) {
  return (
    <div className="form-suggestions" role="group" aria-label="Suggestions">
      {suggestions.map((suggestion, index) => (
        <button
          key={index}
          type="button"
          className="button"
          aria-pressed={suggestion.value === value}
          onClick={() => (onAgain && suggestion.value === value ? onAgain() : onChoose(suggestion.value))}
        >
          <span>{suggestion.label}</span> {suggestion.shortcut === undefined ? null : <kbd>{suggestion.shortcut}</kbd>}
        </button>
      ))}
    </div>
  )
}
