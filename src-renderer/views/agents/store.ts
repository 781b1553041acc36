import { create } from 'zustand'
import type { Output, Payload } from '@shared/contract/contract'
import type { AgentRun } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import { call } from '../../client/call'
import { reportError } from '../../client/messages'

export type SetUpAgent = Output<'agents.list'>['agents'][number]

interface AgentsState {
  /** Null until they were read. */
  readonly agents: readonly SetUpAgent[] | null
  /** By their ids; null until they were read. */
  readonly runs: ReadonlyMap<string, AgentRun> | null
}

const nothing: AgentsState = { agents: null, runs: null }

export const useAgents = create<AgentsState>(() => nothing)

/** Whichever was told last. */
function merge(known: ReadonlyMap<string, AgentRun>, runs: readonly AgentRun[]): Map<string, AgentRun> {
  const next = new Map(known)
  for (const run of runs) if ((next.get(run.run)?.revision ?? -1) < run.revision) next.set(run.run, run)
  return next
}

/** What came while the list is being read. */
let during: AgentRun[] = []

export function receiveAgentRuns({ runs }: Payload<'agentRuns.changed'>): void {
  for (const run of runs) reportSurvivors(run)
  const known = useAgents.getState().runs
  if (known === null) during.push(...runs)
  else useAgents.setState({ runs: merge(known, runs) })
}

function reportSurvivors({ agent, state, stillAlive }: AgentRun): void {
  if (state !== 'ended' || stillAlive.length === 0) return
  reportError(
    new AppError('INTERNAL', `The agent ${agent} was stopped, but is still alive: ${pidText(stillAlive)}.`, {
      hint: 'End it with the tools of your system.',
    }),
  )
}

export const pidText = (pids: readonly number[]): string => `pid ${pids.join(', ')}`

/** Of a bridge that ended: the next one is asked anew. */
export function forgetAgents(): void {
  during = []
  useAgents.setState(nothing)
}

export async function refreshAgents(): Promise<void> {
  const { agents } = await call('agents.list', {})
  useAgents.setState({ agents })
}

export async function refreshAgentRuns(): Promise<void> {
  const runs: AgentRun[] = []
  for (let before: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(before)
    runs.push(...page.runs)
    if (page.next === null) break
    before = page.next
  }
  useAgents.setState({ runs: merge(merge(new Map(), runs), during) })
  during = []
}

const readPage = (before: string | null) => call('agentRuns.list', { before })
