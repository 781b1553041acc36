import { useEffect, useRef, useState } from 'react'
import type { agentStreams, LogLine } from '@shared/contract/agents'
import { call } from '../call'
import { describeError } from '../messages'

export type Stream = (typeof agentStreams)[number]

/** Lines of one answer. */
export const PAGE_LINES = 200
/** Pages that are kept, of those read last. */
const MAX_PAGES = 30
/** Before it is asked again how far a long log is counted, ms. */
const COUNT_RETRY_MS = 20

interface LogLength {
  readonly total: number
  /** The log's end, while its lines are still being counted. */
  readonly tail: readonly LogLine[] | null
  /** That is counted, 0 to 1. */
  readonly share: number
}

/** How long a log is: known at once for one that is being written, after a while for one of a gigabyte. */
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

interface Page {
  readonly lines: readonly LogLine[]
  /** Of the log, when the page was read. */
  readonly total: number
}

/** The pages of a log that were read last. */
export function useLogPages(run: string, stream: Stream) {
  const pages = useRef(new Map<number, Page>())
  const requested = useRef(new Set<number>())
  const [, redraw] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)

  const readPage = async (page: number) => {
    requested.current.add(page)
    try {
      const { lines, total } = await call('agentRuns.log', { run, stream, from: page * PAGE_LINES, count: PAGE_LINES })
      pages.current.delete(page)
      pages.current.set(page, { lines, total })
      for (const oldest of [...pages.current.keys()].slice(0, Math.max(0, pages.current.size - MAX_PAGES)))
        pages.current.delete(oldest)
      redraw((count) => count + 1)
      setProblem(null)
    } catch (error) {
      setProblem(describeError(error))
    } finally {
      requested.current.delete(page)
    }
  }
  return {
    problem,
    lineAt: (number: number): LogLine | undefined =>
      pages.current.get(Math.floor(number / PAGE_LINES))?.lines[number % PAGE_LINES],
    /** @param total lines of the log now: a page that was its last may have grown */
    readPages: async (numbers: readonly number[], total: number) => {
      for (const number of numbers) {
        const page = pages.current.get(number)
        const isWhole = page !== undefined && (page.lines.length === PAGE_LINES || page.total >= total)
        if (!isWhole && !requested.current.has(number)) await readPage(number)
      }
    },
  }
}
