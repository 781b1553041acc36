import { useEffect, useRef, useState } from 'react'
import type { AgentRun, LogStep } from '@shared/contract/agents'
import { call } from '../call'
import { reportError } from '../messages'

export function useLogSteps({ run, state, preset, output: { bytes, lines } }: AgentRun): readonly LogStep[] {
  const [steps, setSteps] = useState<readonly LogStep[]>([])
  const known = useRef<readonly LogStep[]>(steps)
  useEffect(() => {
    const end = new AbortController()
    const ask = async () => {
      for (let isAll = preset === 'custom', read = -1; !isAll;) {
        const from = Math.max(0, known.current.length - 1)
        const answer = await call('agentRuns.steps', { run, from })
        if (end.signal.aborted) return
        known.current = [...known.current.slice(0, from), ...answer.steps]
        setSteps(known.current)
        isAll = from + answer.steps.length >= answer.total && (answer.lines >= lines || answer.lines === read)
        read = answer.lines
      }
    }
    ask().catch(reportError)
    return () => end.abort()
  }, [run, state, preset, bytes, lines])
  return steps
}
