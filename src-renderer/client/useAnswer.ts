import { useEffect, useEffectEvent, useState } from 'react'
import { toFailure, type Failure } from '@shared/contract/errors'

interface Answer<Data> {
  readonly data: Data | null
  readonly failure: Failure | null
  readonly isFirst: boolean
  /** The answer is for an earlier version, or nothing has come yet. */
  readonly isBehind: boolean
  readonly again: () => void
  readonly replace: (data: Data) => void
}

/**
 * Asked when `when` becomes true, the key or the version changes, or on request.
 * @param key an answer for another key is not shown
 * @param version the last answer is shown until the new one is there
 */
export function useAnswer<Data>(
  key: string,
  when: boolean,
  ask: (signal: AbortSignal) => Promise<Data>,
  version: number | string = 0,
): Answer<Data> {
  const [answer, setAnswer] = useState<{
    readonly key: string | null
    readonly version: number | string
    readonly data: Data | null
    readonly failure: Failure | null
  }>({ key: null, version, data: null, failure: null })
  const [round, setRound] = useState(0)
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    if (!when) return undefined
    const controller = new AbortController()
    const { signal } = controller
    askNow(signal).then(
      (data) => {
        if (!signal.aborted) setAnswer({ key, version, data, failure: null })
      },
      (error: unknown) => {
        if (signal.aborted) return
        setAnswer((before) => ({
          key,
          version,
          failure: toFailure(error),
          data: before.key === key ? before.data : null,
        }))
      },
    )
    return () => controller.abort()
  }, [key, when, round, version])
  const isCurrent = answer.key === key
  return {
    data: isCurrent ? answer.data : null,
    failure: isCurrent ? answer.failure : null,
    isFirst: !isCurrent,
    isBehind: !isCurrent || answer.version !== version,
    again: () => setRound((count) => count + 1),
    replace: (data) => setAnswer({ key, version, data, failure: null }),
  }
}
