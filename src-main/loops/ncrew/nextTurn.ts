import type { LoopOptions } from '@shared/contract/loopOptions'
import type { Crew } from './crewFiles'
import { crewLimits, crewUsage } from './crewLimits'
import { llmOf, resolve } from './resolve'
import type { CrewEnd } from './runCrew'
import { checkTermination } from './termination'
import { turnPrompt } from './turnPrompt'

export interface NextTurn {
  readonly role: string
  readonly phase: { readonly key: string; readonly name: string }
  readonly task: string | null
  readonly llm: string | null
  readonly prompt: string
}

export async function nextTurn(
  crew: Crew,
  options: LoopOptions<'ncrew'>,
): Promise<{ turn: NextTurn } | { end: CrewEnd }> {
  const { state, files } = crew
  const verdict = checkTermination(state, crewUsage(state), crewLimits(state, options), files.remembered)
  if (verdict.code !== 100) return { end: verdict }
  const resolution = resolve(state)
  if ('code' in resolution) return { end: resolution }
  const { expert, phase, task } = resolution.turn
  return {
    turn: {
      role: expert.role,
      phase: { key: phase.key, name: phase.name },
      task: task ?? null,
      llm: options.agent ?? llmOf(state, expert, options.llm) ?? null,
      prompt: await turnPrompt(crew, resolution.turn),
    },
  }
}
