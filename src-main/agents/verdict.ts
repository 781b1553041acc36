import type { AgentCommand, PresetName } from '@shared/agentPresets'
import type { ServiceRefusal } from '@shared/contract/agents'
import { counted } from '@shared/countedText'
import type { AgentStatus } from './agent'
import type { Failure } from './failureKind'
import { lastLines } from './lastLines'
import { MAX_ERROR_CHARACTERS, type Said } from './output'
import { printedFailure, wholeAnswerFailure } from './printedFailure'
import { serviceRefusal } from './serviceLimit'

export interface Ending {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly cause: {
    readonly status: Exclude<AgentStatus, 'success'>
    readonly reason: string
    readonly refusal?: ServiceRefusal
  } | null
}

export interface Verdict {
  readonly status: AgentStatus
  readonly reason: string
  readonly refusal?: ServiceRefusal
}

/** Gemini CLI's exit codes, beside 1 for any failure: `packages/core/src/utils/errors.ts` of 0.61. */
const geminiCodes: Readonly<Record<number, string>> = {
  41: 'it is not signed in',
  42: 'its input is invalid',
  44: 'its sandbox could not be used',
  52: 'its settings are invalid',
  55: 'it does not trust the folder',
}
const GEMINI_TURNS = 53
/** With these codes every further try ends the same way until the person does something. */
const geminiPersonCodes: readonly number[] = [41, 44, 52, 55]

/** Gemini CLI exits with the HTTP status of its service, of which POSIX keeps eight bits. */
const geminiStatuses = [429, 500, 502, 503, 504]
const statusOfExit = (preset: PresetName, code: number | null): number | undefined =>
  preset === 'gemini' ? geminiStatuses.find((status) => status === code || status % 256 === code) : undefined

/** Exit codes of a shell or `env` that cannot run a program. */
const shellCodes: readonly number[] = [126, 127]

type AgentLimitsSet = Pick<AgentCommand, 'maxTurns' | 'maxCost'>

function limitText(
  reached: 'turns' | 'cost',
  { turns = null, cost = null }: Partial<Pick<Said, 'turns' | 'cost'>>,
  { maxTurns, maxCost }: AgentLimitsSet,
): string {
  if (reached === 'turns')
    return maxTurns !== null
      ? `Turn limit reached: at most ${counted(maxTurns, 'turn')}.`
      : `The agent’s own turn limit was reached${turns === null ? '' : ` after ${counted(turns, 'turn')}`}.`
  const spent = cost === null ? '' : `$${cost.toFixed(2)}`
  return maxCost !== null
    ? `Cost limit reached: ${spent === '' ? 'at most' : `${spent} of`} $${maxCost.toFixed(2)}${spent === '' ? '' : ' spent'}.`
    : `The agent’s own cost limit was reached${spent === '' ? '' : ` at ${spent}`}.`
}

/**
 * What we did to an agent comes first, then how its process ended, then what it says: one that reports success and
 * exits with 3 has failed. Where nobody saw its end, its last word counts.
 * @param errors the end of its standard error
 * @param now ms since 1970
 */
export function verdict(
  preset: PresetName,
  { exitCode, signal, cause }: Ending,
  said: Pick<Said, 'data' | 'error' | 'limit' | 'isOver' | 'failure' | 'isPlain' | 'hasWorked'> &
    Partial<Pick<Said, 'turns' | 'cost'>>,
  errors = '',
  now = Date.now(),
  limits: AgentLimitsSet = { maxTurns: null, maxCost: null },
): Verdict {
  if (cause) return cause
  const reached = said.limit ?? (preset === 'gemini' && exitCode === GEMINI_TURNS ? 'turns' : null)
  if (reached !== null) return { status: 'limit', reason: limitText(reached, said, limits) }
  const failure = failureOf(preset, exitCode, said, errors, now)
  const status = failure?.status ?? statusOfExit(preset, exitCode)
  const didNothing = said.isPlain !== true && said.hasWorked !== true
  const wantsPerson = preset === 'gemini' && exitCode !== null && geminiPersonCodes.includes(exitCode)
  const saidNothing = said.hasWorked !== true && said.data.trim() === ''
  const cannotRun = preset !== 'custom' && saidNothing && exitCode !== null && shellCodes.includes(exitCode)
  const refusal: ServiceRefusal | undefined = wantsPerson
    ? { kind: 'person', resetsAt: null }
    : cannotRun
      ? { kind: 'program', resetsAt: null }
      : failure && serviceRefusal(preset, { ...failure, status }, now, didNothing)
  const failed = (reason: string): Verdict => ({ status: 'error', reason, ...(refusal ? { refusal } : {}) })
  const error = said.error ?? failure?.words.slice(0, MAX_ERROR_CHARACTERS) ?? null
  const itsWords = error === null ? '' : `: ${error}`
  if (signal !== null) return failed(`Something ended it with ${signal}${itsWords || '.'}`)
  if (exitCode === null)
    return said.isOver && said.error === null
      ? unlessRefused(failure, refusal)
      : failed(`Nobody saw how it ended${itsWords || '.'}`)
  if (exitCode !== 0) {
    const meaning = preset === 'gemini' ? geminiCodes[exitCode] : undefined
    const last = lastLines(errors) || (said.isPlain === true ? lastLines(said.data) : '')
    const why = [meaning && `${meaning}.`, last].filter(Boolean).join(' ')
    return failed(`It ended with exit code ${exitCode}${itsWords || (why === '' ? '.' : `: ${why}`)}`)
  }
  if (said.error !== null) return failed(sentence(said.error))
  return said.failure ? failed(sentence(error ?? '')) : unlessRefused(failure, refusal)
}

/**
 * The error of its last event, else one that it printed as text. Where something ended the program, the agent's own
 * words may stand last.
 */
function failureOf(
  preset: PresetName,
  exitCode: number | null,
  { data, failure, isOver, isPlain = false }: Pick<Said, 'data' | 'failure' | 'isOver' | 'isPlain'>,
  errors: string,
  now: number,
): Failure | undefined {
  if (failure) return failure
  if (isPlain && (exitCode === null || exitCode === 0) && data.trim() !== '') return wholeAnswerFailure(preset, data)
  if (exitCode === null || (isOver && !isPlain)) return undefined
  return printedFailure(preset, isPlain ? data : '', errors, now)
}

/** Some programs print a refusal of their service as the whole answer and exit with 0. */
const unlessRefused = (failure: Failure | undefined, refusal: ServiceRefusal | undefined): Verdict =>
  refusal
    ? { status: 'error', reason: sentence(failure?.words.trim() ?? ''), refusal }
    : { status: 'success', reason: '' }

const sentence = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
