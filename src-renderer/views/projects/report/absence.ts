import { setViewValue, viewValue } from '../../../client/viewState'
import { useReport } from './reportStore'

const PRESENT = 'report.present'
const LEFT = 'report.left'
const ABSENCE_MS = 10 * 60_000
const NOTE_MS = 60_000

const timeOf = (stored: unknown): number | null =>
  typeof stored === 'number' && stored > 0 && Number.isFinite(stored) ? stored : null

export const isAbsence = (present: number | null, now: number): present is number =>
  present !== null && now - present >= ABSENCE_MS

/** When the last absence began, ms since 1970; null where there was none. */
export const lastLeft = (): number | null => viewValue(LEFT, timeOf)

function notePresence(): void {
  const now = Date.now()
  const present = viewValue(PRESENT, timeOf)
  if (isAbsence(present, now)) {
    setViewValue(LEFT, present)
    useReport.setState({ isDue: true })
  }
  setViewValue(PRESENT, now)
}

let isFollowed = false

/** A window that is hidden, closed or asleep counts as left. Call it once what the window remembers is there. */
export function followPresence(): void {
  if (isFollowed) return
  isFollowed = true
  // Nothing is kept as the page goes: by then it may belong to another.
  const noteIfSeen = () => {
    if (document.visibilityState === 'visible') notePresence()
  }
  noteIfSeen()
  document.addEventListener('visibilitychange', noteIfSeen)
  setInterval(noteIfSeen, NOTE_MS)
}
