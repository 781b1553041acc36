import type { EditValues, OfferedField } from '@shared/contract/edits'
import type { FieldDescription, FieldHint, FieldValue, FieldValues } from '../../../widgets/form/fields'
import { visibleText } from '../../../widgets/visibleText'

type EditValue = EditValues[string]

/** One for each digit except 0. */
const MAX_SHORTCUTS = 9
const TEXT_ROWS = 6

export const storedValue = (field: OfferedField): EditValue | undefined =>
  field.kind === 'several' ? [...field.value] : (field.value ?? undefined)

export const storedValues = (fields: readonly OfferedField[]): Readonly<Record<string, EditValue | undefined>> =>
  Object.fromEntries(fields.map((field) => [field.name, storedValue(field)]))

export const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export function valuesOf(fields: readonly OfferedField[], typed: EditValues): FieldValues {
  const shown = (value: EditValue | undefined): FieldValue =>
    value === undefined ? '' : Array.isArray(value) ? value : String(value)
  return Object.fromEntries(fields.map((field) => [field.name, shown(typed[field.name] ?? storedValue(field))]))
}

export function requestedValues(fields: readonly OfferedField[], typed: EditValues): EditValues {
  const given = fields.flatMap((field): [string, EditValue][] => {
    const value = typed[field.name] ?? storedValue(field)
    return value === undefined || (field.optional === true && value === '') ? [] : [[field.name, value]]
  })
  return Object.fromEntries(given)
}

export function parseInput(field: OfferedField | undefined, value: FieldValue): EditValue {
  if (typeof value !== 'string') return [...value]
  return field?.kind === 'number' && value !== '' ? Number(value) : value
}

/**
 * @param changed the files now hold another value than at first; only for a field that was typed into
 * @param shortcut digit that enters an offered option, from 1
 */
export function describeOffered(
  field: OfferedField,
  changed: boolean,
  shortcut: (digit: number) => string,
): FieldDescription {
  const isOptional = field.optional === true
  const common = {
    name: field.name,
    label: `${visibleText(field.label)}${isOptional ? ' (optional)' : ''}`,
    required: !isOptional,
    hints: hintsOf(field, changed),
  }
  switch (field.kind) {
    case 'line':
      return { ...common, kind: 'text', suggestions: suggestionsOf(field.suggestions, shortcut) }
    case 'text':
      return { ...common, kind: 'lines', rows: TEXT_ROWS, suggestions: suggestionsOf(field.suggestions, shortcut) }
    case 'number': {
      const { minimum, maximum, step } = field
      return { ...common, kind: 'number', minimum, maximum, step }
    }
    case 'choice':
    case 'several': {
      const options = field.options.map(({ value, label }, index) => ({
        value,
        label: visibleText(label),
        ...shortcutAt(index, shortcut),
      }))
      return { ...common, kind: field.kind === 'choice' ? 'radios' : 'checks', options }
    }
  }
}

const suggestionsOf = (suggestions: readonly string[] = [], shortcut: (digit: number) => string) =>
  suggestions.map((value, index) => ({ value, label: visibleText(value), ...shortcutAt(index, shortcut) }))

const shortcutAt = (index: number, shortcut: (digit: number) => string): { readonly shortcut?: string } =>
  index < MAX_SHORTCUTS ? { shortcut: shortcut(index + 1) } : {}

function hintsOf(field: OfferedField, changed: boolean): FieldHint[] {
  const now = storedValue(field)
  const onDisk = now === undefined ? 'nothing' : visibleText(Array.isArray(now) ? now.join(', ') : String(now))
  return [
    ...(field.help === undefined ? [] : [{ text: visibleText(field.help) }]),
    ...(changed ? [{ text: `On disk it is now: ${onDisk}`, tone: 'warn' } as const] : []),
  ]
}
