import { cut } from '@shared/contract/bounded'
import { visibleText } from '../../../widgets/visibleText'

/** Of a name in a button, characters. */
const MAX_NAME_CHARACTERS = 48

/** What the bridge puts before the summary of an edit that it took back. */
const UNDID = 'Undid: '

/** What an edit did at first, and whether it takes that back. */
export function readSummary(summary: string): { readonly name: string; readonly isUndo: boolean } {
  let name = summary
  let isUndo = false
  while (name.startsWith(UNDID)) {
    name = name.slice(UNDID.length)
    isUndo = !isUndo
  }
  return { name, isUndo }
}

/**
 * How an edit is taken back: `Undo “Task 3: done”`, `Undo answer to “Which format?”`, or with `Redo` where the edit was itself an
 * undo.
 */
export function takeBackLabel(summary: string): string {
  const { name, isUndo } = readSummary(summary)
  const [, question] = /^Answered “(.*)”$/s.exec(name) ?? []
  const about = cut(visibleText(question ?? name), MAX_NAME_CHARACTERS)
  return `${isUndo ? 'Redo' : 'Undo'}${question === undefined ? '' : ' answer to'} “${about}”`
}
