import type { RecordingSummary } from '@shared/contract/recorder'

export interface Retention {
  /** For all recordings together; null for no limit. */
  readonly maxBytes: number | null
  /** Counted from its last frame; null for no limit. */
  readonly maxDays: number | null
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Oldest first. Recordings that are pinned, in progress or unreadable (their age is unknown) are kept.
 * @param now ms since 1970
 */
export function expired(
  recordings: readonly RecordingSummary[],
  { maxBytes, maxDays }: Retention,
  now: number,
): RecordingSummary[] {
  let bytes = recordings.reduce((sum, recording) => sum + recording.bytes, 0)
  const result: RecordingSummary[] = []
  const candidates = recordings
    .filter(({ open, pinned, problem }) => !open && !pinned && problem === null)
    .toSorted((a, b) => (a.to ?? 0) - (b.to ?? 0))
  for (const recording of candidates) {
    const isOld = maxDays !== null && recording.to !== null && now - recording.to > maxDays * DAY_MS
    const isTooMuch = maxBytes !== null && bytes > maxBytes
    if (!isOld && !isTooMuch) continue
    bytes -= recording.bytes
    result.push(recording)
  }
  return result
}
