/** Actions and edits as the window is told of them: plain data, cut to the bounds of the contract. */
import { cut } from '@shared/contract/bounded'
import { MAX_VALUE_CHARACTERS, type Edit, type OfferedAction, type OfferedField } from '@shared/contract/edits'
import type { Action, ActionField } from '../../formats/edit/action'
import type { StoredEdit } from '../../storage/edits'

export const describeAction = ({
  name,
  target,
  title,
  effect,
  fields,
  source,
  answersNeed,
}: Action): OfferedAction => ({
  name,
  target,
  title: cut(title),
  effect: cut(effect, 2000),
  fields: fields.slice(0, 50).map(describeField),
  source,
  answersNeed,
})

function describeField(field: ActionField): OfferedField {
  const { name, label, help, optional } = field
  const ofEvery = {
    name,
    label: cut(label),
    ...(help === undefined ? {} : { help: cut(help, 2000) }),
    ...(optional === undefined ? {} : { optional }),
  }
  switch (field.kind) {
    case 'line':
    case 'text':
      return {
        ...ofEvery,
        kind: field.kind,
        value: field.value.slice(0, MAX_VALUE_CHARACTERS),
        ...(field.suggestions === undefined
          ? {}
          : { suggestions: field.suggestions.slice(0, 50).map((text) => cut(text)) }),
      }
    case 'number': {
      const { kind, value, minimum, maximum, step } = field
      return {
        ...ofEvery,
        kind,
        value,
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
        ...(step === undefined ? {} : { step }),
      }
    }
    case 'choice':
      return { ...ofEvery, kind: field.kind, value: field.value, options: optionsOf(field) }
    case 'several':
      return { ...ofEvery, kind: field.kind, value: [...field.value], options: optionsOf(field) }
  }
}

const optionsOf = ({ options }: Extract<ActionField, { kind: 'choice' | 'several' }>) =>
  options.slice(0, 500).map(({ value, label }) => ({ value, label: cut(label) }))

export const describeEdit = ({
  edit,
  time,
  run,
  summary,
  changes: { files, overwritten, request },
  undoneAt,
}: StoredEdit): Edit => ({
  edit,
  time,
  run,
  summary,
  files: files.slice(0, 200).map(({ file }) => file.slice(0, 1000)),
  undoneAt,
  overwritten: overwritten ? { at: overwritten.at, file: overwritten.file.slice(0, 1000), by: overwritten.by } : null,
  request,
})
