import type { RunFiles } from '../format'
import { field, itemsOf, stringOf, type Located } from '../text/located'
import { patchOf, skillFolder } from './fix'
import { isPattern, pathMatcher } from './pathPattern'
import { markdownOf, relativeTo } from './skills'
import type { TuningState } from './state'

export function matchedFiles(files: RunFiles, state: Pick<TuningState, 'root'>, pattern: string): string[] {
  const skill = skillFolder(files, state)
  if (skill === undefined) return []
  const matches = pathMatcher(skill === '' ? pattern : pattern.replace(`${skill}/`, ''))
  return markdownOf(files.listing, skill)
    .map((path) => relativeTo(skill, path))
    .filter(matches)
}

export interface UnplacedChange {
  readonly change: Located
  readonly named: string
  readonly files: readonly string[]
  readonly lines: readonly string[]
  readonly hasPlace: boolean
}

const hasPlace = (change: Located): boolean => {
  const [diff, before] = [stringOf(field(change, 'diff')), stringOf(field(change, 'old_content'))]
  return (
    (diff !== undefined && patchOf(diff) !== undefined) ||
    (before !== undefined && before !== '' && stringOf(field(change, 'new_content')) !== undefined)
  )
}

export function isUnplaced(change: Located): boolean {
  if (stringOf(field(change, 'action')) !== 'modify') return false
  if (isPattern(stringOf(field(change, 'file')) ?? '')) return true
  return stringOf(field(change, 'diff')) !== undefined && !hasPlace(change)
}

function addedLines(diff: string): string[] {
  const lines = diff.split(/\r?\n/).filter((line) => !/^(?:\+\+\+|---)(?: |$)/.test(line))
  return lines.some((line) => line.startsWith('-'))
    ? []
    : lines.flatMap((line) => (line.startsWith('+') ? [line.slice(1).replace(/^ (?! )/, '')] : []))
}

export function unplacedChanges(files: RunFiles, state: Pick<TuningState, 'root'>, fix: Located): UnplacedChange[] {
  return itemsOf(field(fix, 'changes'))
    .filter(isUnplaced)
    .map((change) => {
      const named = stringOf(field(change, 'file')) ?? ''
      return {
        change,
        named,
        files: isPattern(named) ? matchedFiles(files, state, named) : [named],
        lines: hasPlace(change) ? [] : addedLines(stringOf(field(change, 'diff')) ?? ''),
        hasPlace: hasPlace(change),
      }
    })
}
