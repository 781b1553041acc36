/** What became of a run, in words: the same on the command line, for agents and in results of tasks. */
import { formatAddress } from './c64/address'
import { describeStop } from './checkpointStop'
import type { Outcome } from './contract/running'

/** How many of the last lines of the screen are told. */
const MAX_TOLD_ROWS = 3
/** The cursor, where it stands on a space. */
const CURSOR = '█'

/** Where the CPU is, and what stopped it: one sentence, empty where the machine does not tell. */
export function describePlace({ execution, stop, reason, pc }: Outcome): string {
  const at = pc === null ? '' : ` at ${formatAddress(pc)}`
  if (stop) return `${describeStop(stop)} (checkpoint ${stop.checkpoint}).`
  if (execution === 'jammed') return reason ?? `The CPU is jammed${at}.`
  if (execution === 'paused') return `Paused${at}.`
  return at === '' ? '' : `CPU${at}.`
}

/** The rows with text, without the cursor. */
export const writtenRows = (rows: readonly string[]): string[] =>
  rows.map((row) => row.trimEnd()).filter((row) => row !== '' && row.trim() !== CURSOR)

/** The last lines of the screen, for an answer that does not show all of it. */
export function describeScreen({ rows }: Outcome): string {
  if (rows === null) return ''
  const written = writtenRows(rows)
  if (written.length === 0) return 'The screen is empty.'
  return ['The screen ends with:', ...written.slice(-MAX_TOLD_ROWS)].join('\n')
}

/** What BASIC complains of right above its prompt; null where it does not, or shows no prompt. */
export function basicError(rows: readonly string[]): string | null {
  const [error = '', prompt = ''] = writtenRows(rows).slice(-2)
  return prompt === 'READY.' && /^\?[A-Z]/.test(error) ? error : null
}
