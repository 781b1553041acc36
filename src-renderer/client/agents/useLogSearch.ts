import { useEffect, useRef, useState } from 'react'
import { call } from '../call'
import { describeError } from '../messages'
import type { Stream } from './useLog'

const MAX_FOUND = 5_000

interface Found {
  readonly find: string
  readonly isExpression: boolean
  readonly lines: readonly number[]
  readonly isDone: boolean
}

export function useLogSearch(run: string, stream: Stream) {
  const [find, setFind] = useState('')
  const [isExpression, setExpression] = useState(false)
  const [found, setFound] = useState<Found | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [wanted, setWanted] = useState<{ readonly line: number; readonly index: number } | null>(null)
  const searching = useRef<AbortController>(undefined)
  useEffect(() => () => searching.current?.abort(), [])

  const forget = () => {
    searching.current?.abort()
    setFound(null)
    setWanted(null)
    setProblem(null)
  }
  const search = async (text = find, asExpression = isExpression) => {
    forget()
    if (text === '') return
    const controller = new AbortController()
    searching.current = controller
    const lines: number[] = []
    try {
      for (let from: number | null = 0; from !== null && lines.length < MAX_FOUND;) {
        const answer: Awaited<ReturnType<typeof searchFrom>> = await searchFrom(run, stream, text, asExpression, from)
        if (controller.signal.aborted) return
        lines.push(...answer.found.map(({ line }) => line))
        from = answer.next
        setFound({ find: text, isExpression: asExpression, lines: [...lines], isDone: from === null })
        if (lines.length > 0) setWanted((before) => before ?? { line: lines[0] ?? 0, index: 0 })
      }
    } catch (error) {
      if (!controller.signal.aborted) setProblem(describeError(error))
    }
  }
  const isSearched = found?.find === find && found.isExpression === isExpression
  const step = (by: 1 | -1) => {
    if (!isSearched) return void search()
    const { lines } = found
    const index = ((wanted?.index ?? -by) + by + lines.length) % Math.max(1, lines.length)
    const line = lines[index]
    if (line !== undefined) setWanted({ line, index })
  }
  const searchFor = (expression: string) => {
    setFind(expression)
    setExpression(true)
    void search(expression, true)
  }
  const show = (line: number) => {
    forget()
    setWanted({ line, index: 0 })
  }
  return {
    find,
    setFind,
    searchFor,
    show,
    isExpression,
    setExpression,
    wanted,
    problem,
    summary: isSearched ? foundText(found, wanted?.index) : '',
    step,
    forget,
  }
}

export type LogSearch = ReturnType<typeof useLogSearch>

const searchFrom = (run: string, stream: Stream, find: string, isExpression: boolean, from: number) =>
  call('agentRuns.search', { run, stream, find, as: isExpression ? 'expression' : 'text', ignoreCase: false, from })

function foundText({ lines, isDone }: Found, index: number | undefined): string {
  if (lines.length === 0) return isDone ? 'No matches.' : 'Searching…'
  const count = `${lines.length.toLocaleString('en')}${isDone ? '' : lines.length >= MAX_FOUND ? ' or more' : '…'}`
  return `${(index ?? 0) + 1} of ${count} ${lines.length === 1 ? 'line' : 'lines'}`
}
