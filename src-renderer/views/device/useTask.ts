import { useState } from 'react'
import { toFailure, type Failure } from '@shared/contract/errors'

interface Task {
  readonly isBusy: boolean
  /** Null once it is tried again, and for what the person cancelled. */
  readonly failure: Failure | null
  readonly run: (work: () => Promise<unknown>) => void
  readonly forget: () => void
}

export function useTask(): Task {
  const [state, setState] = useState<Pick<Task, 'isBusy' | 'failure'>>({ isBusy: false, failure: null })
  const run = (work: () => Promise<unknown>): void => {
    if (state.isBusy) return
    setState({ isBusy: true, failure: null })
    work().then(
      () => setState({ isBusy: false, failure: null }),
      (error: unknown) => {
        const failure = toFailure(error)
        setState({ isBusy: false, failure: failure.code === 'CANCELLED' ? null : failure })
      },
    )
  }
  return { ...state, run, forget: () => setState((before) => ({ ...before, failure: null })) }
}
