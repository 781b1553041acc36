import type { ReactNode } from 'react'

/** As text, also a number's; a checkbox's is `true` or `false`; of `checks`, the chosen ones. */
export type FieldValue = string | readonly string[]
export type FieldValues = Readonly<Record<string, FieldValue>>

interface FieldOption<Value extends string = string> {
  readonly value: Value
  readonly label: string
  /** Why this one cannot be chosen now. */
  readonly why?: string | null
  readonly shortcut?: string
}

interface SelectOption extends FieldOption {
  /** The title that it stands under in the list. */
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
  /** What it is for: behind a “?” beside the label, and read out with the control. */
  readonly help?: string
  /** Below the control, and read out with it. */
  readonly hints?: readonly FieldHint[]
  /** What is wrong with what is typed so far. */
  readonly error?: string | null
}

interface OfTextField extends OfEveryField {
  readonly placeholder?: string
  /** Code, numbers and names, in the font of data. */
  readonly isData?: boolean
  /** Texts that may be put in by a click or Alt+1 to Alt+9. */
  readonly suggestions?: readonly FieldSuggestion[]
}

export interface FieldSuggestion {
  readonly value: string
  readonly label: string
  readonly shortcut?: string
}

/** One field of a form. How it is drawn follows from its kind. */
export type FieldDescription =
  | (OfTextField & {
      readonly kind: 'text'
      readonly inputMode?: 'numeric' | 'decimal'
      readonly isSecret?: boolean
      readonly maxLength?: number
      /** Why nothing can be typed now; it stands in the field's place. */
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
      /** The page cannot name a file: a dialog of the system is asked for. The value is the name of the one chosen. */
      readonly onChoose: () => void
      /** In place of a name. */
      readonly placeholder: string
    })

export const textOf = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '')
export const chosenOf = (value: FieldValue | undefined): readonly string[] =>
  value === undefined || value === '' ? [] : typeof value === 'string' ? [value] : value

/** What Alt and this digit does: it puts in a suggestion, or chooses an option, of the first field that has any. */
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
