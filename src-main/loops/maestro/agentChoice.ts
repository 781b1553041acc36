import { AppError } from '@shared/contract/errors'
import { maestroVariables, type LoopOptions } from '@shared/contract/loopOptions'
import type { AgentRequest } from '../../agents/agent'
import type { OwnVariables } from '../../agents/environment'
import type { LoopWork } from '../loop'

export type MaestroWork = LoopWork<LoopOptions<'maestro'>>

const PRESET = 'gemini'

export const namedAgent = (names: readonly string[], agent: string): string | undefined =>
  [agent, agent.replaceAll('_', '-'), PRESET].find((known) => names.includes(known))

/**
 * The agent for all roles or for this one, one of its name, or Gemini; only a person who typed the call starts one that
 * nobody set up.
 */
export function agentFor(
  { agents, chosen, options }: Pick<MaestroWork, 'agents' | 'chosen' | 'options'>,
  agent: string,
): Pick<AgentRequest, 'agent' | 'preset'> {
  const own = chosen(agent) ?? namedAgent(agents, agent)
  if (own !== undefined) return { agent: own }
  if (options.settings) return { agent: PRESET, preset: PRESET }
  throw new AppError('INVALID', `No agent is set up for ${agent}.`, {
    hint: `Set one up in the Agents view under this name, or one named ${PRESET}.`,
  })
}

/** Maestro's hooks read the caller's variables. */
export const environmentFor = ({ options }: Pick<MaestroWork, 'options'>, agent: string): OwnVariables => ({
  ...(options.environment ?? maestroVariables(process.env)),
  MAESTRO_CURRENT_AGENT: agent,
})

/** @throws AppError INVALID */
export function requireProgram({ hasProgram }: Pick<MaestroWork, 'hasProgram'>, agent: string): void {
  if (!hasProgram(agent)) throw new AppError('INVALID', `The program of the agent ${agent} was not found`)
}
