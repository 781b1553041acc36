import { useEffect, useMemo, useState } from 'react'
import type { LogLine, LogStream } from '@shared/contract/agents'
import { call } from '../call'
import { describeError } from '../messages'
import { LogPages, PAGE_LINES } from './logPages'

export type Stream = LogStream

const COUNT_RETRY_MS = 20

interface LogLength {
  readonly total: number
  readonly tail: readonly LogLine[] | null
  /** 0 to 1. */
  readonly share: number
}

export function useLogLength(run: string, stream: Stream) {
  const [length, setLength] = useState<LogLength | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let ended = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      try {
        const answer = await call('agentRuns.log', { run, stream, from: null, count: PAGE_LINES })
        if (ended) return
        const { lines, first, total, counted, size } = answer
        setLength({ total, tail: first === null ? lines : null, share: size === 0 ? 1 : counted / size })
        setProblem(null)
        if (first === null) timer = setTimeout(() => void ask(), COUNT_RETRY_MS)
      } catch (error) {
        if (!ended) setProblem(describeError(error))
      }
    }
    void ask()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [run, stream])
  return { length, problem }
}

export function useLogPages(run: string, stream: Stream) {
  const [, redraw] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  const pages = useMemo(
    () =>
      new LogPages(
        (page) => call('agentRuns.log', { run, stream, from: page * PAGE_LINES, count: PAGE_LINES }),
        () => redraw((count) => count + 1),
      ),
    [run, stream],
  )
  return {
    problem,
    lineAt: (number: number) => pages.lineAt(number),
    load: async (numbers: readonly number[], total: number) => {
      try {
        await pages.load(numbers, total)
        setProblem(null)
      } catch (error) {
        setProblem(describeError(error))
      }
    },
  }
}
