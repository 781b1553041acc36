import type { Output } from '@shared/contract/contract'
import { presetNames, presets, type PresetName } from '@shared/agentPresets'
import { MAX_AGENTS, machineRights, machineRightsOf, type Agent, type MachineRights } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import type { Settings } from '@shared/contract/settings'
import type { SettingsStore } from '../storage/settings'
import { findProgram } from '../files/findProgram'
import type { AgentRequest } from './agent'

export type AgentSettings = Pick<SettingsStore, 'change' | 'onChange'> & { readonly current: Settings }

export class AgentSetups {
  readonly #settings: AgentSettings

  constructor(settings: AgentSettings) {
    this.#settings = settings
  }

  get names(): readonly string[] {
    return this.#settings.current.agents.map(({ name }) => name)
  }

  get(name: string): Agent | undefined {
    return this.#settings.current.agents.find((known) => known.name === name)
  }

  /** @throws AppError NOT_FOUND */
  require(name: string): Agent {
    const agent = this.get(name)
    if (agent) return agent
    throw new AppError('NOT_FOUND', `No agent named ${JSON.stringify(name.slice(0, 100))} is set up.`, {
      hint: 'Set it up in the view Agents.',
    })
  }

  /** @throws AppError NOT_FOUND */
  requested({ agent, preset }: Pick<AgentRequest, 'agent' | 'preset'>): Agent {
    return preset ? suggestedAgent(preset) : this.require(agent)
  }

  hasProgram(name: string): boolean {
    const preset = presetNames.find((known) => known === name)
    const agent = this.get(name) ?? (preset && presets[preset])
    return agent !== undefined && findProgram(agent.command) !== null
  }

  list(): Output<'agents.list'> {
    return {
      agents: this.#settings.current.agents.map((agent) => ({ ...agent, program: findProgram(agent.command) })),
    }
  }

  /** @throws AppError INVALID at the maximum number of agents */
  save(agent: Agent): void {
    const others = this.#settings.current.agents.filter(({ name }) => name !== agent.name)
    if (others.length >= MAX_AGENTS)
      throw new AppError('INVALID', `No more than ${MAX_AGENTS} agents can be set up.`, { hint: 'Remove one first.' })
    this.#settings.change({ agents: [...others, agent].sort((a, b) => a.name.localeCompare(b.name)) })
  }

  /** @throws AppError NOT_FOUND */
  remove(name: string): void {
    const { agents } = this.#settings.current
    this.require(name)
    this.#settings.change({ agents: agents.filter((agent) => agent.name !== name) })
  }
}

export const suggestedAgent = (preset: PresetName): Agent => ({
  name: preset,
  preset,
  command: presets[preset].command,
  model: null,
  args: [...presets[preset].suggested.args],
  environment: [...presets[preset].suggested.environment],
  timeLimit: 86_400,
  maxTurns: null,
  maxCost: null,
})

/** Gets no more machine rights than the agent whose turns it takes. */
export const standInFor = (agent: Agent, other: Agent): Agent => ({
  ...agent,
  machines: lesserRights(machineRightsOf(agent), machineRightsOf(other)),
})

const lesserRights = (one: MachineRights, other: MachineRights): MachineRights =>
  machineRights.indexOf(one) < machineRights.indexOf(other) ? one : other

export const shellAgent = (name: string, line: string): Agent => ({
  ...suggestedAgent('custom'),
  name,
  ...(process.platform === 'win32'
    ? { command: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', line] }
    : { command: '/bin/sh', args: ['-c', `exec 2>&1\n${line}`] }),
})
