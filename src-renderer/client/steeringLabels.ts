import type { GrantableRight, SteeringAgent, SteeringState } from '@shared/contract/steering'
import { titleOfMachine, type MachineTitles } from './machines'

export const rightTitles: Readonly<Record<GrantableRight, string>> = {
  change: 'change machines',
  power: 'switch and configure',
  connect: 'connect other machines',
  files: 'use your files',
  programs: 'write files that programs run',
}

interface AgentStateLabel {
  readonly word: string
  readonly tone: 'ok' | 'warn' | 'off'
}

export function stateOfAgent(
  { agent, paused, doing }: SteeringAgent,
  { questions, leases }: Pick<SteeringState, 'questions' | 'leases'>,
  titles: MachineTitles,
): AgentStateLabel {
  if (paused) return { word: 'paused', tone: 'warn' }
  if (questions.some((question) => question.agent === agent)) return { word: 'asks you', tone: 'warn' }
  const lease = leases.find((each) => each.agent === agent)
  if (lease) return { word: `steers ${titleOfMachine(titles, lease.machine)}`, tone: 'ok' }
  return doing === null ? { word: 'idle', tone: 'off' } : { word: 'looks', tone: 'ok' }
}

export function rightsText({ granted, refused }: Pick<SteeringAgent, 'granted' | 'refused'>): string {
  const may = granted.map(({ right, for: duration }) => `${rightTitles[right]} (${duration})`)
  const mayNot = refused.map((right) => rightTitles[right])
  return [
    may.length === 0 ? 'May only look' : `May ${may.join(', ')}`,
    ...(mayNot.length === 0 ? [] : [`refused: ${mayNot.join(', ')}`]),
  ].join('; ')
}

export type AtMachine =
  | { readonly who: 'person' }
  | { readonly who: 'agent'; readonly agent: SteeringAgent; readonly others: number }

export function whoIsAt(machine: string, { agents, leases }: SteeringState): AtMachine | null {
  const lease = leases.find((each) => each.machine === machine)
  if (lease && lease.agent === null) return { who: 'person' }
  const here = agents.filter((agent) => agent.machine === machine || agent.agent === lease?.agent)
  const agent =
    here.find((each) => each.agent === lease?.agent) ?? here.find(({ doing }) => doing !== null) ?? here.at(-1)
  return agent ? { who: 'agent', agent, others: here.length - 1 } : null
}
