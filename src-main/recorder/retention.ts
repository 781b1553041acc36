/** Which recordings are deleted so that they do not fill the disk. */
import type { RecordingSummary } from '@shared/contract/recorder'

export interface Retention {
  /** What all recordings together may take; null for no limit. */
  readonly maxBytes: number | null
  /** How long a recording is kept after its last frame; null for ever. */
  readonly maxDays: number | null
}

const DAY = 24 * 60 * 60 * 1000

/**
 * The oldest first. What is pinned, is being recorded or cannot be read stays: of the last nobody knows its age.
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
    const isOld = maxDays !== null && recording.to !== null && now - recording.to > maxDays * DAY
    const isTooMuch = maxBytes !== null && bytes > maxBytes
    if (!isOld && !isTooMuch) continue
    bytes -= recording.bytes
    result.push(recording)
  }
  return result
}
