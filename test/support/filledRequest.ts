import type { EditRequest, EditValues, OfferedAction, OfferedField } from '@shared/contract/edits'

/** What a person could fill in, other than what stands there. */
function filled(field: OfferedField): EditValues[string] | undefined {
  switch (field.kind) {
    case 'line':
    case 'text':
      return field.name === 'dependencies'
        ? field.value
        : field.name === 'commit'
          ? '9f3e1aa'
          : `${field.value} and more`.trim()
    case 'number':
      return (field.value ?? 0) + 1
    case 'choice':
      return field.options.at(-1)?.value
    case 'several':
      return field.options.map(({ value }) => value)
  }
}

export const filledRequest = ({ name, target, fields }: OfferedAction): EditRequest => ({
  kind: 'action',
  name,
  target,
  values: Object.fromEntries(
    fields.flatMap((field) => (filled(field) === undefined ? [] : [[field.name, filled(field) ?? '']])),
  ),
})
