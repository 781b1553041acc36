import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Tip } from '../Tip'
import { Field } from './Field'
import { optionAt } from './fields'
import type { FormState } from './useForm'

interface FormProps {
  readonly form: FormState
  readonly label?: string
  readonly layout: 'columns' | 'stacked'
  readonly children: ReactNode
}

export function Form({ form, label, layout, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const { fields, values, problem, set, submit } = form
  useEffect(() => {
    if (problem?.field === undefined || problem.field === null) return
    const field = element.current?.querySelector(`[data-field="${CSS.escape(problem.field)}"]`)
    const control = field?.querySelector<HTMLElement>('input, select, textarea') ?? field?.querySelector('button')
    control?.focus()
  }, [problem])

  const onKey = (event: KeyboardEvent) => {
    const digit = event.altKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined
    const option = digit === undefined ? null : optionAt(fields, values, Number(digit))
    if (option !== null) set(option.name, option.value)
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
    else return
    event.preventDefault()
  }
  return (
    <form
      ref={element}
      className={`form ${layout}`}
      aria-label={label}
      noValidate
      onKeyDown={onKey}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {children}
    </form>
  )
}

interface FormFieldsProps {
  readonly form: FormState
  readonly autoFocus?: boolean
  readonly sendsAgain?: boolean
}

export function FormFields({ form, autoFocus = false, sendsAgain = false }: FormFieldsProps) {
  const { fields, values, problem, set } = form
  return (
    <>
      {fields.map((field, index) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          problem={problem !== null && problem.field === field.name ? problem.text : null}
          isFirst={index === 0}
          autoFocus={autoFocus && index === 0}
          onChange={(value) => set(field.name, value)}
          onAgain={sendsAgain ? form.submit : undefined}
        />
      ))}
    </>
  )
}

export function FormProblemText({ form: { problem } }: { readonly form: FormState }) {
  return problem === null || problem.field !== null ? null : (
    <p className="form-problem problem" role="alert">
      {problem.text}
    </p>
  )
}

interface SubmitButtonProps {
  readonly form: FormState
  readonly label: string
  readonly sending?: string
  readonly shortcut?: string
}

export function SubmitButton({ form: { isSending }, label, sending = label, shortcut }: SubmitButtonProps) {
  const button = (
    <button type="submit" className="button primary" aria-disabled={isSending}>
      {isSending ? sending : label}
    </button>
  )
  return shortcut === undefined ? (
    button
  ) : (
    <Tip text={label} shortcut={shortcut}>
      {button}
    </Tip>
  )
}
