import { useState } from 'react'
import type { EditRequest, EditValues, OfferedAction } from '@shared/contract/edits'
import { useForm } from '../../../widgets/form/useForm'
import {
  describeOffered,
  isSameValue,
  parseInput,
  requestedValues,
  storedValue,
  storedValues,
  valuesOf,
} from './actionFields'
import { useKeptDraft } from './useKeptDraft'

interface ActionFormOptions {
  readonly place: { readonly project: number; readonly run: string; readonly values?: EditValues }
  readonly action: OfferedAction
  readonly optionShortcut: (digit: number) => string
  readonly send: (request: EditRequest) => Promise<void>
}

/** What is typed is kept as a draft; fields that were not touched follow the files. */
export function useActionForm({ place, action, optionShortcut, send }: ActionFormOptions) {
  const { fields, name, target } = action
  const { typed, keptAt, keep, type, discard } = useKeptDraft(place, action)
  const [storedAtFirst] = useState(() => storedValues(fields))
  const hasChanged = (field: (typeof fields)[number]) =>
    field.name in typed && field.name in storedAtFirst && !isSameValue(storedValue(field), storedAtFirst[field.name])
  const request: EditRequest = { kind: 'action', name, target, values: requestedValues(fields, typed) }
  const form = useForm({
    fields: fields.map((field) => describeOffered(field, hasChanged(field), optionShortcut)),
    values: valuesOf(fields, typed),
    onChange: (changed, value) =>
      type(
        changed,
        parseInput(
          fields.find((field) => field.name === changed),
          value,
        ),
      ),
    send: () => {
      // Before it is written: a draft kept afterwards would be there again.
      keep()
      return send(request)
    },
  })
  return { form, request, keptAt, keep, discard }
}
