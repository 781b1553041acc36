import type { PresetName } from '@shared/agentPresets'
import type { AgentStatus } from './agent'
import type { Said } from './output'
import { ownErrorLine, serviceProblem } from './serviceLimit'

/** How a process ended. `exitCode` is null where a signal ended it, it never started, or nobody was there to see it. */
export interface Ending {
  readonly exitCode: number | null
  readonly signal: string | null
  /** Why we ended it, or could not start it; null when it ended by itself. */
  readonly cause: { readonly status: Exclude<AgentStatus, 'success'>; readonly reason: string } | null
}

/** Gemini CLI's own, beside 1 for any failure. */
const geminiCodes: Readonly<Record<number, string>> = { 42: 'its input is invalid', 53: 'it reached its most turns' }
const GEMINI_TURNS = 53

/**
 * What became of an agent. What we did to it comes first, then how its process ended, and what it says of itself last: an agent
 * that says success and exits with 3 has failed. Where nobody saw its end, its last word counts.
 */
export function verdict(
  preset: PresetName,
  { exitCode, signal, cause }: Ending,
  said: Pick<Said, 'data' | 'error' | 'limit' | 'isOver'>,
): { status: AgentStatus; reason: string } {
  if (cause) return cause
  if (said.limit !== null) return { status: 'limit', reason: sentence(said.limit) }
  if (preset === 'gemini' && exitCode === GEMINI_TURNS)
    return { status: 'limit', reason: sentence(geminiCodes[GEMINI_TURNS] ?? '') }
  const itsWords = said.error === null ? '' : `: ${said.error}`
  if (signal !== null) return { status: 'error', reason: `Something ended it with ${signal}${itsWords || '.'}` }
  if (exitCode === null)
    return said.isOver && said.error === null
      ? unlessRefused(preset, said.data)
      : { status: 'error', reason: `Nobody saw how it ended${itsWords || '.'}` }
  if (exitCode !== 0) {
    const meaning = preset === 'gemini' ? geminiCodes[exitCode] : undefined
    return {
      status: 'error',
      reason: `It ended with exit code ${exitCode}${itsWords || (meaning === undefined ? '.' : `: ${meaning}.`)}`,
    }
  }
  return said.error === null ? unlessRefused(preset, said.data) : { status: 'error', reason: sentence(said.error) }
}

/** Some programs print that their service refused them, as their whole answer, and exit with 0. */
function unlessRefused(preset: PresetName, answer: string): { status: AgentStatus; reason: string } {
  const line = answer.trim()
  const isRefusal =
    !line.includes('\n') && line === ownErrorLine(line) && serviceProblem(preset, line, Date.now()) !== undefined
  return isRefusal ? { status: 'error', reason: sentence(line) } : { status: 'success', reason: '' }
}

const sentence = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
