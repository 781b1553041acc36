import { cut } from '@shared/contract/bounded'
import { visibleText } from '../../../widgets/visibleText'

const MAX_NAME_CHARACTERS = 48

/** The bridge puts this before the summary of an edit that it took back. */
const UNDID = 'Undid: '

export function readSummary(summary: string): { readonly name: string; readonly isUndo: boolean } {
  let name = summary
  let isUndo = false
  while (name.startsWith(UNDID)) {
    name = name.slice(UNDID.length)
    isUndo = !isUndo
  }
  return { name, isUndo }
}

/** `Undo “Task 3: done”`, `Undo answer to “Which format?”`, or with `Redo` where the edit was itself an undo. */
export function takeBackLabel(summary: string): string {
  const { name, isUndo } = readSummary(summary)
  const [, question] = /^Answered “(.*)”$/s.exec(name) ?? []
  const about = cut(visibleText(question ?? name), MAX_NAME_CHARACTERS)
  return `${isUndo ? 'Redo' : 'Undo'}${question === undefined ? '' : ' answer to'} “${about}”`
}
