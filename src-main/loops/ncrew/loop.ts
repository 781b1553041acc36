import { join } from 'node:path'
import type { Loop, LoopEnd } from '../loop'
import { readCrew } from './crewFiles'
import { initCrew } from './init'
import { agentFor, llmOf } from './resolve'
import { runCrew, type CrewEnd } from './runCrew'

export const ncrewLoop = (crew: string): Loop<'ncrew'> => ({
  system: 'ncrew',
  inPlace: () => 'experts write the crew’s own files, such as tasks.md, which have to be in the project’s folder.',

  async roles({ root, folder }) {
    const crew = await readCrew(join(root, folder), nothingRemembered, AbortSignal.timeout(READ_LIMIT_MS))
    return [...new Set(crew?.state.experts.map(({ role }) => role))]
  },

  async requestedAgents({ root, folder }, names) {
    const crew = await readCrew(join(root, folder), nothingRemembered, AbortSignal.timeout(READ_LIMIT_MS))
    const { state } = crew ?? {}
    if (!state) return {}
    return Object.fromEntries(
      state.experts.flatMap((expert) => {
        const llm = llmOf(state, expert)
        const agent = names.length === 1 ? names[0] : llm === undefined ? undefined : agentFor(llm, names)?.agent
        return agent === undefined ? [] : [[expert.role, agent]]
      }),
    )
  },

  // The loop reads files and commits; only its log keeps the answer.
  agentTest: () => ({ request: 'Answer with the one word: ready', writesFiles: true, problemOf: () => null }),

  init: (options) => initCrew({ ...options, crew, now: Date.now() }),

  run: async (work) => loopEnd(await runCrew(work, work.options)),
})

const READ_LIMIT_MS = 10_000

const nothingRemembered = () => () => new Map<string, string>()

function loopEnd({ code, message, hint }: CrewEnd): LoopEnd {
  const end = { message, code, ...(hint === undefined ? {} : { hint }) }
  switch (code) {
    case 0:
      return { ...end, outcome: 'done' }
    case 10:
      return { ...end, outcome: 'waiting' }
    case 11:
      return { ...end, outcome: 'gate' }
    case 20:
    case 21:
      return { ...end, outcome: 'limit' }
    case 22:
      return { ...end, outcome: 'breaker' }
    case 100:
      return { ...end, outcome: 'paused' }
    default:
      return { ...end, outcome: 'failed' }
  }
}
