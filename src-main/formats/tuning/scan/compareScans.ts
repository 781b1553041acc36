import { listNames } from '@shared/listNames'
import { evidenceText, type ScannedIssue } from './issues'
import { SkillText } from './skillText'

export interface ScanVerdict {
  readonly verdict: 'pass' | 'fail' | undefined
  readonly reason: string
}

export const cannotTell = (reason: string): ScanVerdict => ({ verdict: undefined, reason })

const named = (label: string, { evidence: [first = ''] }: ScannedIssue): string => `${label} (${first})`

const keyOf = ({ description, location }: ScannedIssue): string => `${location.file}\n${description}`

function isHidden({ evidence, location }: ScannedIssue, after: ReadonlyMap<string, string>): boolean {
  const text = after.get(location.file)
  if (text === undefined || location.line_start === undefined) return false
  const file = new SkillText({ path: location.file, text })
  const wanted = new Set(evidence.map(evidenceText).filter((line) => line !== ''))
  const lines = text.split('\n').flatMap((line, index) => (isOneOf(line, wanted) ? [index + 1] : []))
  return lines.length > 0 && lines.every((line) => !file.isRead(line))
}

/** Evidence is a line without its indentation, cut with an ellipsis; a comment may stand around it. */
const isOneOf = (line: string, wanted: ReadonlySet<string>): boolean =>
  [...wanted].some((text) => line.includes(text.endsWith('…') ? text.slice(0, -1) : text))

/**
 * @param was issues without the fix
 * @param is issues with it
 * @param solved ids that it is for
 * @param changed files that it changes
 * @param after the skill with it, by path
 */
export function compareScans(
  was: readonly ScannedIssue[],
  is: readonly ScannedIssue[],
  solved: readonly string[],
  changed: ReadonlySet<string>,
  after: ReadonlyMap<string, string>,
): ScanVerdict {
  const before = new Map(was.map((issue) => [keyOf(issue), issue.id]))
  const unseen = solved.filter((id) => !was.some((issue) => issue.id === id))
  const left = is.flatMap((issue) => {
    const id = before.get(keyOf(issue))
    return id !== undefined && solved.includes(id) ? [named(id, issue)] : []
  })
  const added = is
    .filter((issue) => issue.confidence !== 'low' && !before.has(keyOf(issue)) && changed.has(issue.location.file))
    .map((issue) => named(issue.description, issue))
  if (left.length > 0) return { verdict: 'fail', reason: `Still there: ${listNames(left)}.` }
  if (solved.length === 0) return cannotTell('The fix names no issue.')
  if (unseen.length > 0) return cannotTell(`The scanners do not look for ${listNames(unseen)}.`)
  const targets = was.filter(({ id }) => solved.includes(id))
  const missing = targets.map(({ location }) => location.file).filter((file) => !after.has(file) && !changed.has(file))
  if (missing.length > 0) return cannotTell(`${listNames([...new Set(missing)])} cannot be scanned: no such file.`)
  const hidden = targets.filter((issue) => isHidden(issue, after)).map((issue) => named(issue.id, issue))
  if (hidden.length > 0)
    return cannotTell(`Still there, where the scanners do not look (a comment or a bad example): ${listNames(hidden)}.`)
  if (added.length > 0) return { verdict: 'fail', reason: `New with the fix: ${listNames(added)}.` }
  return { verdict: 'pass', reason: `Scanned again: ${listNames(solved)} no longer found.` }
}
