import { Button } from '../Button'
import { Segments } from '../Segments'
import { chosenOf, textOf, type FieldDescription, type FieldValue } from './fields'

export interface ControlAttributes {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-required': true | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'data-first': true | undefined
  readonly autoFocus: boolean | undefined
  readonly 'data-panel-focus': true | undefined
}

interface ControlProps<Field extends FieldDescription = FieldDescription> {
  readonly field: Field
  readonly value: FieldValue | undefined
  readonly attributes: ControlAttributes
  readonly onChange: (value: FieldValue) => void
  readonly onAgain?: (() => void) | undefined
}

type OfKind<Kind extends FieldDescription['kind']> = Extract<FieldDescription, { kind: Kind }>

export function Control({ field, value, attributes, onChange, onAgain }: ControlProps) {
  const text = textOf(value)
  switch (field.kind) {
    case 'text':
      return <TextLine field={field} value={value} attributes={attributes} onChange={onChange} />
    case 'lines':
      return (
        <textarea
          {...attributes}
          className={field.isData === true ? 'field data' : 'field'}
          rows={field.rows}
          spellCheck={field.isData === true ? false : undefined}
          placeholder={field.placeholder}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      )
    case 'number':
      return <NumberBox field={field} value={value} attributes={attributes} onChange={onChange} />
    case 'checkbox':
      return (
        <input
          {...attributes}
          type="checkbox"
          checked={text === 'true'}
          onChange={({ target }) => onChange(String(target.checked))}
        />
      )
    case 'select':
      return (
        <select {...attributes} className="field" value={text} onChange={({ target }) => onChange(target.value)}>
          {groupsOf(field.options).map(([group, options]) => {
            const items = options.map(({ value: option, label }) => (
              <option key={option} value={option}>
                {label}
              </option>
            ))
            return group === '' ? (
              items
            ) : (
              <optgroup key={group} label={group}>
                {items}
              </optgroup>
            )
          })}
        </select>
      )
    case 'segments':
      return <Segments label={field.label} value={text} options={field.options} onChange={onChange} />
    case 'radios':
    case 'checks':
      return <Options {...{ field, value, attributes, onChange, onAgain }} />
    case 'file':
      return (
        <div className="form-file" role="group" aria-labelledby={`${attributes.id}-label`}>
          <Button label="Choose a file…" onClick={field.onChoose} />
          <span className="data">{text === '' ? field.placeholder : text}</span>
        </div>
      )
  }
}

function groupsOf<Option extends { readonly group?: string }>(
  options: readonly Option[],
): readonly (readonly [group: string, options: readonly Option[]])[] {
  const groups = new Map<string, Option[]>()
  for (const option of options) {
    const group = option.group ?? ''
    groups.set(group, [...(groups.get(group) ?? []), option])
  }
  return [...groups]
}

function TextLine({ field, value, attributes, onChange }: ControlProps<OfKind<'text'>>) {
  const { why = null, placeholder, inputMode, maxLength, isData, isSecret = false } = field
  return (
    <input
      {...attributes}
      className={isData === true ? 'field data' : 'field'}
      type={isSecret ? 'password' : 'text'}
      spellCheck={false}
      maxLength={maxLength}
      autoComplete="off"
      inputMode={inputMode}
      placeholder={why ?? placeholder}
      disabled={why !== null}
      value={why === null ? textOf(value) : ''}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function NumberBox({ field, value, attributes, onChange }: ControlProps<OfKind<'number'>>) {
  return (
    <input
      {...attributes}
      className="field data"
      type="number"
      min={field.minimum}
      max={field.maximum}
      step={field.step ?? 'any'}
      value={textOf(value)}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function Options({ field, value, attributes, onChange, onAgain }: ControlProps<OfKind<'radios' | 'checks'>>) {
  const chosen = chosenOf(value)
  const isOne = field.kind === 'radios'
  return field.options.map((option, index) => (
    <label key={option.value} className="check">
      <input
        type={isOne ? 'radio' : 'checkbox'}
        name={attributes.id}
        data-first={index === 0 ? attributes['data-first'] : undefined}
        checked={chosen.includes(option.value)}
        onClick={({ detail }) => {
          // `detail` is 0 when a key presses it.
          if (isOne && detail > 0 && chosen.includes(option.value)) onAgain?.()
        }}
        onChange={({ target }) => {
          const others = chosen.filter((other) => other !== option.value)
          onChange(isOne ? option.value : target.checked ? [...others, option.value] : others)
        }}
      />
      {option.label} {option.shortcut === undefined ? null : <kbd>{option.shortcut}</kbd>}
    </label>
  ))
}
