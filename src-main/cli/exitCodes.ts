import type { ErrorCode, Failure } from '@shared/contract/errors'
import type { Loop, LoopOutcome } from '@shared/contract/loops'

export const EXIT_OK = 0
export const EXIT_FAILED = 1
const EXIT_USAGE = 2
export const EXIT_INTERRUPTED = 130

const EXIT_WAITING = 10
const EXIT_GATE = 11
const EXIT_LIMIT = 20
const EXIT_COST_LIMIT = 21
const EXIT_BREAKER = 22
const EXIT_PAUSED = 100

interface ExitCode {
  readonly code: number
  readonly meaning: string
  readonly errors: readonly ErrorCode[]
}

export const exitCodes: readonly ExitCode[] = [
  { code: EXIT_OK, meaning: 'Done.', errors: [] },
  { code: EXIT_FAILED, meaning: 'Failed: a file or an answer is invalid, or a check failed.', errors: ['INVALID'] },
  {
    code: EXIT_USAGE,
    meaning: 'Wrong usage: no such command or option, or a value that it does not take.',
    errors: [],
  },
  {
    code: 3,
    meaning: 'Unreachable: the machine or the bridge does not answer, or its connection was lost.',
    errors: ['UNREACHABLE', 'LOST', 'BRIDGE_DOWN'],
  },
  { code: 4, meaning: 'Not on this machine: it lacks what the command needs.', errors: ['UNSUPPORTED'] },
  { code: 5, meaning: 'Timed out.', errors: ['TIMEOUT'] },
  { code: 6, meaning: 'Conflict: somebody else changed the same thing; nothing was written.', errors: ['CONFLICT'] },
  { code: 7, meaning: 'Not found: a file, task, recording, run or setting.', errors: ['NOT_FOUND'] },
  { code: 8, meaning: 'Not allowed: a password, trust or a yes is missing.', errors: ['FORBIDDEN'] },
  { code: 9, meaning: 'Busy: something else uses it; try again later.', errors: ['BUSY'] },
  { code: 70, meaning: 'An error inside Bridgedeck; BRIDGEDECK_DEBUG=1 shows its details.', errors: ['INTERNAL'] },
  { code: EXIT_INTERRUPTED, meaning: 'Interrupted by Ctrl+C, or cancelled.', errors: ['CANCELLED'] },
]

interface SpecialExitCode extends ExitCode {
  readonly commands: string
}

const ofCrews = { commands: 'ncrew', errors: [] }
const ofCrewRuns = { commands: 'ncrew run, resume', errors: [] }
const ofCrewInit = { commands: 'ncrew init', errors: [] }
const ofCrewDoctor = { commands: 'ncrew doctor', errors: [] }
const ofMaestroRuns = { commands: 'maestro run', errors: [] }
const ofTuningRuns = { commands: 'tuning run, resume', errors: [] }
const ofSessions = { commands: 'metashell run, resume', errors: [] }

export const specialExitCodes: readonly SpecialExitCode[] = [
  { ...ofSessions, code: 0, meaning: 'The project is complete.' },
  { ...ofSessions, code: 1, meaning: 'A task, an agent or the run failed.' },
  { ...ofSessions, code: 5, meaning: 'An agent timed out.' },
  { ...ofSessions, code: EXIT_WAITING, meaning: 'A question or a decision waits for you.' },
  { ...ofSessions, code: EXIT_GATE, meaning: 'A phase waits for your approval.' },
  { ...ofSessions, code: EXIT_LIMIT, meaning: 'A limit other than the cost is reached.' },
  { ...ofSessions, code: EXIT_COST_LIMIT, meaning: 'The cost limit is reached.' },
  { ...ofSessions, code: EXIT_BREAKER, meaning: 'The run repeated itself and was stopped.' },
  { ...ofSessions, code: EXIT_PAUSED, meaning: 'Paused, or stopped after the requested turns.' },
  { ...ofCrews, code: 1, meaning: 'Wrong usage.' },
  { ...ofCrews, code: 4, meaning: 'No agent, or an invalid file.', errors: ['INVALID'] },
  { ...ofCrews, code: 5, meaning: 'No crew.', errors: ['NOT_FOUND'] },
  { ...ofCrews, code: 6, meaning: 'Already running elsewhere.', errors: ['CONFLICT'] },
  { ...ofCrews, code: 7, meaning: 'The folder is not trusted.', errors: ['FORBIDDEN'] },
  { ...ofCrews, code: 99, meaning: 'Any other error.' },
  { ...ofCrewRuns, code: 2, meaning: 'All tasks are checked, but the crew was not declared complete.' },
  { ...ofCrewRuns, code: 3, meaning: 'No expert.' },
  { ...ofCrewRuns, code: EXIT_WAITING, meaning: 'A question waits for you.' },
  { ...ofCrewRuns, code: EXIT_GATE, meaning: 'A phase waits for your approval.' },
  { ...ofCrewRuns, code: EXIT_LIMIT, meaning: 'The iteration or the time limit is reached.' },
  { ...ofCrewRuns, code: EXIT_COST_LIMIT, meaning: 'The cost limit is reached.' },
  { ...ofCrewRuns, code: EXIT_BREAKER, meaning: 'The run repeated itself and was stopped.' },
  { ...ofCrewRuns, code: EXIT_PAUSED, meaning: 'Not done yet.' },
  { ...ofCrewInit, code: 2, meaning: 'No such default crew.' },
  { ...ofCrewInit, code: 3, meaning: 'The folder has a crew already.' },
  { ...ofCrewInit, code: 4, meaning: 'git could not commit the files.' },
  { ...ofCrewDoctor, code: 2, meaning: 'The check found errors.' },
  { ...ofCrewDoctor, code: 3, meaning: 'No crew.' },
  { commands: 'maestro', code: 1, meaning: 'Any error but an interruption.', errors: [] },
  { ...ofMaestroRuns, code: EXIT_WAITING, meaning: 'A failed phase, or a question, waits for you.' },
  {
    ...ofMaestroRuns,
    code: EXIT_GATE,
    meaning: 'A gate waits for you: the mode, an approval, the review or the archive.',
  },
  { ...ofMaestroRuns, code: EXIT_LIMIT, meaning: 'A limit other than the cost is reached.' },
  { ...ofMaestroRuns, code: EXIT_COST_LIMIT, meaning: 'The cost limit is reached.' },
  { ...ofMaestroRuns, code: EXIT_BREAKER, meaning: 'The run repeated itself and was stopped.' },
  { ...ofMaestroRuns, code: EXIT_PAUSED, meaning: 'Paused, or stopped after the requested turns.' },
  { ...ofTuningRuns, code: 0, meaning: 'The run is completed.' },
  { ...ofTuningRuns, code: 1, meaning: 'The run was aborted, or a step failed.' },
  { ...ofTuningRuns, code: EXIT_WAITING, meaning: 'A question or a verdict waits for you.' },
  { ...ofTuningRuns, code: EXIT_GATE, meaning: 'Fixes wait for your choice.' },
  { ...ofTuningRuns, code: EXIT_LIMIT, meaning: 'A limit other than the cost is reached: iterations, steps or time.' },
  { ...ofTuningRuns, code: EXIT_COST_LIMIT, meaning: 'The cost limit is reached.' },
  {
    ...ofTuningRuns,
    code: EXIT_BREAKER,
    meaning: 'Two rounds without a fix that helped, or a step that changed nothing.',
  },
  { ...ofTuningRuns, code: EXIT_PAUSED, meaning: 'Paused, or stopped after the requested steps.' },
  { commands: 'maestro dispatch', code: 1, meaning: 'One agent failed, or none was started.', errors: [] },
  {
    commands: 'maestro dispatch',
    code: 125,
    meaning: '125 agents or more failed; fewer are their number.',
    errors: [],
  },
]

export const specialExitCodesOf = (group: string): readonly SpecialExitCode[] =>
  specialExitCodes.filter(({ commands }) => commands.split(' ')[0] === group)

export const exitCode = ({ code, details }: Failure): number =>
  details?.usage ? EXIT_USAGE : (exitCodes.find(({ errors }) => errors.includes(code))?.code ?? EXIT_FAILED)

interface LoopEnding {
  readonly state: Loop['state']
  readonly outcome: LoopOutcome | 'paused' | null
  readonly code?: number | undefined
}

const outcomeCodes: Readonly<Record<LoopOutcome | 'paused', number>> = {
  done: EXIT_OK,
  gate: EXIT_GATE,
  waiting: EXIT_WAITING,
  failed: EXIT_FAILED,
  limit: EXIT_LIMIT,
  breaker: EXIT_BREAKER,
  paused: EXIT_PAUSED,
}

export function loopExitCode({ state, outcome, code }: LoopEnding): number {
  if (code !== undefined) return code
  if (state === 'paused') return EXIT_PAUSED
  if (state === 'stopped') return EXIT_INTERRUPTED
  return outcome === null ? EXIT_FAILED : outcomeCodes[outcome]
}
