import type { PastSpan } from '@shared/contract/machine'

const BYTES_PER_MB = 1_000_000

export function keptText(past: PastSpan | null | undefined): string | null {
  if (!past) return null
  const minutes = (past.end - past.start) / past.clockRate / 60
  return `Keeps ${minutes.toFixed(1)} minutes now, about ${Math.max(1, Math.round(past.bytes / BYTES_PER_MB))} MB.`
}
