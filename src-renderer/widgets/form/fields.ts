import type { ReactNode } from 'react'

/** A number too is text; a checkbox's value is `true` or `false`; of `checks`, the chosen ones. */
export type FieldValue = string | readonly string[]
export type FieldValues = Readonly<Record<string, FieldValue>>

interface FieldOption<Value extends string = string> {
  readonly value: Value
  readonly label: string
  readonly why?: string | null
  readonly shortcut?: string
}

interface SelectOption extends FieldOption {
  readonly group?: string
}

export interface FieldHint {
  readonly text: ReactNode
  readonly tone?: 'problem' | 'warn' | 'data'
}

interface OfEveryField {
  readonly name: string
  readonly label: string
  readonly required?: boolean
  readonly help?: string
  readonly hints?: readonly FieldHint[]
  readonly error?: string | null
}

interface OfTextField extends OfEveryField {
  readonly placeholder?: string
  readonly isData?: boolean
  readonly suggestions?: readonly FieldSuggestion[]
}

export interface FieldSuggestion {
  readonly value: string
  readonly label: string
  readonly shortcut?: string
}

export type FieldDescription =
  | (OfTextField & {
      readonly kind: 'text'
      readonly inputMode?: 'numeric' | 'decimal'
      readonly isSecret?: boolean
      readonly maxLength?: number
      readonly why?: string | null
    })
  | (OfTextField & { readonly kind: 'lines'; readonly rows: number })
  | (OfEveryField & {
      readonly kind: 'number'
      readonly minimum?: number | undefined
      readonly maximum?: number | undefined
      readonly step?: number | undefined
    })
  | (OfEveryField & { readonly kind: 'checkbox' })
  | (OfEveryField & { readonly kind: 'select'; readonly options: readonly SelectOption[] })
  | (OfEveryField & { readonly kind: 'segments'; readonly options: readonly FieldOption[] })
  | (OfEveryField & { readonly kind: 'radios' | 'checks'; readonly options: readonly FieldOption[] })
  | (OfEveryField & {
      readonly kind: 'file'
      /**
       * The page cannot name a file, so this opens a dialog of the system. The value is the name of the chosen file.
       */
      readonly onChoose: () => void
      readonly placeholder: string
    })

export const textOf = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '')
export const chosenOf = (value: FieldValue | undefined): readonly string[] =>
  value === undefined || value === '' ? [] : typeof value === 'string' ? [value] : value

/** Alt and a digit puts in a suggestion, or chooses an option, of the first field that has any. */
export function optionAt(
  fields: readonly FieldDescription[],
  values: FieldValues,
  digit: number,
): { readonly name: string; readonly value: FieldValue } | null {
  const field = fields.find((field) => offeredBy(field).length > 0)
  const value = field && offeredBy(field)[digit - 1]?.value
  if (field === undefined || value === undefined) return null
  if (field.kind !== 'checks') return { name: field.name, value }
  const chosen = chosenOf(values[field.name])
  const others = chosen.filter((other) => other !== value)
  return { name: field.name, value: others.length < chosen.length ? others : [...others, value] }
}

const offeredBy = (field: FieldDescription): readonly { readonly value: string }[] =>
  field.kind === 'radios' || field.kind === 'checks'
    ? field.options
    : 'suggestions' in field
      ? (field.suggestions ?? [])
      : []
