import { formatAddress } from './c64/address'
import { describeStop } from './checkpointStop'
import type { Outcome } from './contract/running'

const MAX_TOLD_ROWS = 3
const CURSOR = '█'

export function describePlace({ execution, stop, reason, pc }: Outcome): string {
  const at = pc === null ? '' : ` at ${formatAddress(pc)}`
  if (stop) return `${describeStop(stop)} (checkpoint ${stop.checkpoint}).`
  if (execution === 'jammed') return reason ?? `The CPU is jammed${at}.`
  if (execution === 'paused') return `Paused${at}.`
  return at === '' ? '' : `CPU${at}.`
}

export const writtenRows = (rows: readonly string[]): string[] =>
  rows.map((row) => row.trimEnd()).filter((row) => row !== '' && row.trim() !== CURSOR)

export function describeScreen({ rows }: Outcome): string {
  if (rows === null) return ''
  const written = writtenRows(rows)
  if (written.length === 0) return 'The screen is empty.'
  return ['The screen ends with:', ...written.slice(-MAX_TOLD_ROWS)].join('\n')
}

export function basicError(rows: readonly string[]): string | null {
  const [error = '', prompt = ''] = writtenRows(rows).slice(-2)
  return prompt === 'READY.' && /^\?[A-Z]/.test(error) ? error : null
}
