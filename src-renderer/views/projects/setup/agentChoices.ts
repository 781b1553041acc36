import type { Output } from '@shared/contract/contract'
import type { Agent } from '@shared/contract/agents'
import { presets } from '@shared/agentPresets'
import { suggestedAgent } from '@shared/suggestedAgent'

export interface AgentChoice {
  readonly agent: Agent
  readonly label: string
}

export const choicesOf = (found: Output<'agents.find'>['found'], taken: readonly string[]): readonly AgentChoice[] =>
  found.map(({ preset, program, version }) => ({
    agent: suggestedAgent(preset, freeName(preset, taken)),
    label: `${[presets[preset].title, version].filter(Boolean).join(' ')}, ${program}`,
  }))

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  for (let number = 2; taken.includes(name); number++) name = `${wanted}-${number}`
  return name
}
