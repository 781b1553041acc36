import { useEffect, useRef, useState } from 'react'
import { toFailure, type Failure } from '@shared/contract/errors'

interface Following<Data> {
  readonly data: Data | null
  readonly failure: Failure | null
  readonly isBusy: boolean
  readonly start: () => void
  readonly cancel: () => void
}

/** Another machine, or leaving the view, cancels it. */
export function useFollowing<Data>(machine: string, follow: (signal: AbortSignal) => Promise<Data>): Following<Data> {
  const [answer, setAnswer] = useState<{ readonly machine: string; readonly data: Data } | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [machine])
  const start = async (): Promise<void> => {
    const controller = new AbortController()
    running.current?.abort()
    running.current = controller
    const { signal } = controller
    setBusy(true)
    setFailure(null)
    try {
      const data = await follow(signal)
      if (!signal.aborted) setAnswer({ machine, data })
    } catch (error) {
      if (!signal.aborted) setFailure(toFailure(error))
    } finally {
      if (running.current === controller) setBusy(false)
    }
  }
  return {
    data: answer?.machine === machine ? answer.data : null,
    failure,
    isBusy,
    start: () => void start(),
    cancel: () => running.current?.abort(),
  }
}
