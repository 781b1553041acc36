import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@shared/contract/agents'
import { agentProgram, notInstalled, type AgentProgram } from '../../scripts/lib/agentPrograms.mjs'
import { suggestedAgent } from '../../src-main/agents/agentSetups'
import type { ModelApi } from '../peers/modelApi/modelApi'
import type { HomeAgent } from './loopHome'
import { NIGHT_AGENT } from './nightLoops'
import { printedAmounts } from './printedAmounts'
import { programVariables, setUpProgram } from './realAgents'

/** A program whose requests carry the run that they are of. */
export function meteredAgent(program: AgentProgram, top: string, api: ModelApi): HomeAgent {
  const command = agentProgram(program)
  if (command === undefined) throw new Error(notInstalled(program))
  const url = api.urlOf('$BRIDGEDECK_AGENT_RUN')
  const starts: Readonly<Record<AgentProgram, string>> = {
    claude: `ANTHROPIC_BASE_URL="${url}" exec '${command}' "$@"`,
    gemini: `GOOGLE_GEMINI_BASE_URL="${url}" exec '${command}' "$@"`,
    codex: `exec '${command}' -c "model_providers.local.base_url=\\"${url}/v1\\"" "$@"`,
  }
  mkdirSync(join(top, 'bin'), { recursive: true })
  const start = join(top, 'bin', program)
  writeFileSync(start, `#!/bin/sh\n${starts[program]}\n`)
  chmodSync(start, 0o700)
  const { environment } = setUpProgram(top, api.url)
  const suggested = suggestedAgent(program)
  const agent: Agent = {
    ...suggested,
    name: NIGHT_AGENT,
    command: start,
    timeLimit: 900,
    machines: 'none',
    environment: [...suggested.environment, ...programVariables[program]],
  }
  return {
    agent,
    environment,
    isAgent: (_command, leads) => leads,
    answerOf: (said) => {
      const { tokens, cost, input } = printedAmounts[program](said)
      return tokens === null
        ? undefined
        : { type: 'result', kind: 'well', total_cost_usd: cost ?? 0, usage: { input_tokens: input ?? 0 } }
    },
  }
}
