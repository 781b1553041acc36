import { cut } from '@shared/contract/bounded'
import { visibleText } from '../../../widgets/visibleText'

/** Of a name in a button, characters. */
const MAX_NAME_CHARACTERS = 48

/** What the bridge puts before the summary of an edit that it took back. */
const UNDID = 'Undid: '

/**
 * How an edit is taken back: `Undo “Task 3: done”`, `Undo answer to “Which format?”`, or with `Redo` where the edit was itself an
 * undo.
 */
export function takeBackLabel(summary: string): string {
  let name = summary
  let verb = 'Undo'
  while (name.startsWith(UNDID)) {
    name = name.slice(UNDID.length)
    verb = verb === 'Undo' ? 'Redo' : 'Undo'
  }
  const [, question] = /^Answered “(.*)”$/s.exec(name) ?? []
  return `${verb}${question === undefined ? '' : ' answer to'} “${cut(visibleText(question ?? name), MAX_NAME_CHARACTERS)}”`
}
