import { useEffect, useMemo, useRef, useState } from 'react'
import { toFailure } from '@shared/contract/errors'
import type { Run, RunRow } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { asShown } from '../store'
import { useTaskTimes } from '../turns/taskTimes'
import LayoutWorker from './layoutWorker?worker'
import type { LayoutAnswer, LayoutQuestion } from './layoutWorker'
import { haveOneShape, planOf, withTimes, type Plan } from './plan'
import type { PlanLayout, PlanShape } from './planLayout'

interface Read<Value> {
  readonly value: Value | null
  readonly problem: string | null
}

/** Read again with each change of the run; what was read stays until then. `read` must be a stable function. */
export function useOfRun<Value>(
  wanted: boolean,
  project: number,
  { key, revision }: Run,
  read: (project: number, run: string, isOver: () => boolean) => Promise<Value>,
): Read<Value> {
  const [state, setState] = useState<Read<Value>>({ value: null, problem: null })
  useEffect(() => {
    if (!wanted) return undefined
    let ended = false
    read(project, key, () => ended).then(
      (value) => {
        if (!ended) setState({ value, problem: null })
      },
      (error: unknown) => {
        if (!ended) setState((known) => ({ ...known, problem: toFailure(error).message }))
      },
    )
    return () => {
      ended = true
    }
  }, [wanted, project, key, revision, read])
  return state
}

const readPlan = async (project: number, run: string): Promise<Plan> =>
  planOf(await call('projects.graph', { project, run, ...asShown() }))

/** @param isNow false for a past moment, without the turns since */
export function usePlan(project: number, run: Run, isNow: boolean): Read<Plan> {
  const { value, problem } = useOfRun(true, project, run, readPlan)
  const times = useTaskTimes(project, run)
  return { value: useMemo(() => value && (isNow ? withTimes(value, times) : value), [value, times, isNow]), problem }
}

async function readRows(project: number, run: string, isOver: () => boolean): Promise<readonly RunRow[]> {
  const all: RunRow[] = []
  for (;;) {
    const page = await call('projects.rows', { project, run, from: all.length, ...asShown() })
    all.push(...page.rows)
    if (isOver() || page.rows.length === 0 || all.length >= page.total) return all
  }
}

export const useRows = (wanted: boolean, project: number, run: Run): Read<readonly RunRow[]> =>
  useOfRun(wanted, project, run, readRows)

/** Moving fast over many rows only asks for the last of them, after this time, ms. */
const SETTLE_MS = 60

export function useRow(project: number, { key, revision }: Run, number: number | null): RunRow | null {
  const [read, setRead] = useState<{ readonly number: number; readonly row: RunRow } | null>(null)
  useEffect(() => {
    if (number === null) return undefined
    let ended = false
    const timer = setTimeout(() => {
      call('projects.rows', { project, run: key, from: number, most: 1, ...asShown() }).then(
        ({ rows: [row] }) => {
          if (!ended && row) setRead({ number, row })
        },
        () => undefined,
      )
    }, SETTLE_MS)
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [project, key, revision, number])
  return read && read.number === number ? read.row : null
}

export function useLayout(
  plan: Plan | null,
  shut: readonly number[],
): { readonly plan: Plan; readonly layout: PlanLayout } | null {
  const worker = useRef<Worker | null>(null)
  const asked = useRef<{ readonly id: number; readonly plan: Plan; readonly shape: PlanShape } | null>(null)
  const [answer, setAnswer] = useState<{ readonly layout: PlanLayout; readonly plan: Plan } | null>(null)

  useEffect(() => {
    const started = new LayoutWorker()
    started.onmessage = ({ data: { id, layout } }: MessageEvent<LayoutAnswer>) => {
      if (asked.current?.id === id) setAnswer({ layout, plan: asked.current.plan })
    }
    worker.current = started
    return () => {
      started.terminate()
      asked.current = null
    }
  }, [])

  useEffect(() => {
    if (!plan || !worker.current) return
    const before = asked.current?.shape
    if (before?.shut === shut && haveOneShape(before, plan)) return
    const id = (asked.current?.id ?? 0) + 1
    const shape = { phases: plan.phases, edges: plan.edges, shut }
    asked.current = { id, plan, shape }
    worker.current.postMessage({ id, shape } satisfies LayoutQuestion)
  }, [plan, shut])

  if (!plan || !answer) return null
  // Until a plan of another shape has its own layout, the earlier one stays.
  return haveOneShape(answer.plan, plan) ? { plan, layout: answer.layout } : answer
}
