import { listNames } from '@shared/listNames'
import type { ScannedIssue } from './issues'

export interface ScanVerdict {
  /** Undefined where the scanners cannot tell. */
  readonly verdict: 'pass' | 'fail' | undefined
  /** A sentence. */
  readonly reason: string
}

export const cannotTell = (reason: string): ScanVerdict => ({ verdict: undefined, reason })

const named = (label: string, { evidence: [first = ''] }: ScannedIssue): string => `${label} (${first})`

/** A pattern is one issue in a file, whatever a fix made of the text around it. */
const keyOf = ({ description, location }: ScannedIssue): string => `${location.file}\n${description}`

/**
 * Whether a fix did what it is for.
 * @param was the issues without it @param is the issues with it
 * @param solved ids that it is for @param changed files that it changes
 */
export function compareScans(
  was: readonly ScannedIssue[],
  is: readonly ScannedIssue[],
  solved: readonly string[],
  changed: ReadonlySet<string>,
): ScanVerdict {
  const before = new Map(was.map((issue) => [keyOf(issue), issue.id]))
  const unseen = solved.filter((id) => !was.some((issue) => issue.id === id))
  const left = is.flatMap((issue) => {
    const id = before.get(keyOf(issue))
    return id !== undefined && solved.includes(id) ? [named(id, issue)] : []
  })
  const added = is
    .filter((issue) => !before.has(keyOf(issue)) && changed.has(issue.location.file))
    .map((issue) => named(issue.description, issue))
  if (left.length > 0) return { verdict: 'fail', reason: `Still there: ${listNames(left)}.` }
  if (solved.length === 0) return cannotTell('The fix names no issue.')
  if (unseen.length > 0) return cannotTell(`The scanners do not look for ${listNames(unseen)}.`)
  if (added.length > 0) return { verdict: 'fail', reason: `New with the fix: ${listNames(added)}.` }
  return { verdict: 'pass', reason: `Scanned again: ${listNames(solved)} no longer found.` }
}
