import { presets, type PresetName } from './agentPresets'
import type { Agent } from './contract/agents'

export const DEFAULT_TIME_LIMIT_S = 1800

export function suggestedAgent(preset: PresetName, name: string): Agent {
  const { command, suggested } = presets[preset]
  return {
    name,
    preset,
    command,
    model: null,
    args: [...suggested.args],
    environment: [...suggested.environment],
    timeLimit: DEFAULT_TIME_LIMIT_S,
    maxTurns: null,
    maxCost: null,
  }
}
