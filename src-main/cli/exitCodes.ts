/** The exit codes of the command line, and the errors of the contract that end with each. */
import type { ErrorCode, Failure } from '@shared/contract/errors'

export const EXIT_OK = 0
export const EXIT_FAILED = 1
const EXIT_USAGE = 2
export const EXIT_INTERRUPTED = 130

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

export const exitCode = ({ code, details }: Failure): number =>
  details?.usage ? EXIT_USAGE : (exitCodes.find(({ errors }) => errors.includes(code))?.code ?? EXIT_FAILED)
