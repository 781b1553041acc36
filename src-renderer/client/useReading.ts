import { useEffect, useState } from 'react'
import { describeError } from './messages'

const RETRY_MS = 2_000

/**
 * Repeated until it succeeds.
 * @param read a stable function, after which `isRead` is true
 * @returns why it could not be read
 */
export function useReading(wanted: boolean, isRead: boolean, read: () => Promise<unknown>): string | null {
  const [failure, setFailure] = useState<{ readonly words: string; readonly count: number } | null>(null)
  const failures = failure?.count ?? 0
  useEffect(() => {
    if (!wanted || isRead) return undefined
    let ended = false
    const attempt = () =>
      read().catch((error: unknown) => {
        if (!ended) setFailure({ words: describeError(error), count: failures + 1 })
      })
    const timer = setTimeout(() => void attempt(), failures === 0 ? 0 : RETRY_MS)
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [wanted, isRead, read, failures])
  return failure?.words ?? null
}
