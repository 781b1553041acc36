import { useState } from 'react'
import { describeFailure, toFailure } from '@shared/contract/errors'
import type { FieldDescription, FieldValue, FieldValues } from './fields'

export interface FormProblem {
  /** Null for the form as a whole. */
  readonly field: string | null
  readonly text: string
}

interface FormOptions {
  readonly fields: readonly FieldDescription[]
  readonly values: FieldValues
  readonly onChange: (name: string, value: FieldValue) => void
  readonly check?: () => FormProblem | null
  /** Its error is shown beside the field that `details.field` names, else below all fields. */
  readonly send: () => Promise<void>
}

export interface FormState extends Pick<FormOptions, 'fields' | 'values'> {
  readonly problem: FormProblem | null
  readonly isSending: boolean
  readonly set: (name: string, value: FieldValue) => void
  readonly submit: () => void
  readonly forgetProblem: () => void
}

export function useForm({ fields, values, onChange, check, send }: FormOptions): FormState {
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    if (isSending) return
    const wrong = check?.() ?? null
    setProblem(wrong)
    if (wrong !== null) return
    setSending(true)
    try {
      await send()
    } catch (error) {
      setProblem(sendProblem(error, fields))
    } finally {
      setSending(false)
    }
  }
  return {
    fields,
    values,
    problem,
    isSending,
    set: (name, value) => {
      if (problem?.field === name) setProblem(null)
      onChange(name, value)
    },
    submit: () => void submit(),
    forgetProblem: () => setProblem(null),
  }
}

/** Null where the person cancelled, which is no error. */
export const sendProblem = (error: unknown, fields: readonly FieldDescription[]): FormProblem | null =>
  toFailure(error).code === 'CANCELLED' ? null : problemOf(error, fields)

export function problemOf(error: unknown, fields: readonly FieldDescription[]): FormProblem {
  const failure = toFailure(error)
  const field = fields.find(({ name }) => name === failure.details?.['field'])
  return { field: field?.name ?? null, text: describeFailure(failure) }
}
