import type { RunFiles } from '../format'
import type { TuningDetails } from './details'
import { skillFolder } from './fix'
import { isPattern } from './pathPattern'
import { actionNames, isDoneInRound, unfixedIssues } from './progress'
import { whyLeft } from './scan/leftIssues'
import { markdownOf } from './skills'
import type { TuningState } from './state'
import { matchedFiles } from './unplaced'

export function shownDetails(files: RunFiles, state: TuningState): TuningDetails {
  const matches = boundedMatches(files, state)
  const matchesOf = (file: string | null) => (file !== null && isPattern(file) ? [...matches(file)] : null)
  const fixes = state.details.fixes.map((fix) => ({
    ...fix,
    changes: fix.changes.map((change) => ({ ...change, matches: matchesOf(change.file.value) })),
  }))
  return { ...state.details, fixes, left: leftIssues(state) }
}

export function leftIssues(state: TuningState): TuningDetails['left'] {
  const left = isDoneInRound(state, actionNames.propose) ? unfixedIssues(state) : []
  return left.map((issue) => ({ issue, because: whyIssueIsLeft(state, issue) }))
}

export const whyIssueIsLeft = ({ details: { issues } }: TuningState, issue: string): string =>
  whyLeft(issues.find(({ id }) => id.value === issue)?.description.value ?? null)

const MAX_TRIED_CHARACTERS = 1_000_000

function boundedMatches(files: RunFiles, state: TuningState): (pattern: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  const skill = skillFolder(files, state)
  const characters = skill === undefined ? 0 : markdownOf(files.listing, skill).join('').length
  return (pattern) => {
    const found = known.get(pattern)
    if (found || (known.size + 1) * characters > MAX_TRIED_CHARACTERS) return found ?? []
    const matched = matchedFiles(files, state, pattern)
    known.set(pattern, matched)
    return matched
  }
}
