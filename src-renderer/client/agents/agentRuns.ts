import { create } from 'zustand'
import type { Output, Payload } from '@shared/contract/contract'
import type { AgentRun } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import { call } from '../call'
import { ListFollower } from '../listFollower'
import { reportError } from '../messages'

export type SetUpAgent = Output<'agents.list'>['agents'][number]

interface AgentsState {
  readonly agents: readonly SetUpAgent[] | null
  readonly runs: ReadonlyMap<string, AgentRun> | null
}

const nothing: AgentsState = { agents: null, runs: null }

export const useAgents = create<AgentsState>(() => nothing)

type Changes = Payload<'agentRuns.changed'>

const follower = new ListFollower<Changes>(readRuns)

function apply(known: ReadonlyMap<string, AgentRun>, { runs }: Pick<Changes, 'runs'>): Map<string, AgentRun> {
  const next = new Map(known)
  for (const run of runs) next.set(run.run, run)
  return next
}

export function receiveAgentRuns(changes: Changes): void {
  for (const run of changes.runs) reportSurvivors(run)
  const { runs } = useAgents.getState()
  const wereMissed = follower.receive(changes)
  if (runs === null) return
  useAgents.setState({ runs: apply(runs, changes) })
  if (wereMissed) refreshAgentRuns().catch(reportError)
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

export function forgetAgents(): void {
  follower.forget()
  useAgents.setState(nothing)
}

export async function refreshAgents(): Promise<void> {
  const { agents } = await call('agents.list', {})
  useAgents.setState({ agents })
}

export const refreshAgentRuns = (): Promise<void> => follower.refresh()

async function readRuns(changesAfter: (revision: number) => readonly Changes[]): Promise<void> {
  const runs: AgentRun[] = []
  let oldest = Infinity
  for (let before: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(before)
    runs.push(...page.runs)
    oldest = Math.min(oldest, page.revision)
    if (page.next === null) break
    before = page.next
  }
  useAgents.setState({ runs: changesAfter(oldest).reduce(apply, apply(new Map(), { runs })) })
}

const readPage = (before: string | null) => call('agentRuns.list', { before })
