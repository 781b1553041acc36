import { attempt, notify } from '../../client/messages'
import { redo, undo, useEdits } from './edits'
import { historyLimit, stepText } from './history'

export function useHistory(machine: string) {
  const { done, undone } = useEdits()
  const undoLimit = historyLimit(done.at(-1), machine, 'Nothing to undo.')
  const redoLimit = historyLimit(undone.at(-1), machine, 'Nothing to redo.')
  const [last, lastUndone] = [done.at(-1), undone.at(-1)]
  return {
    undoLimit,
    redoLimit,
    undoText: last ? `Undo ${stepText(last)}` : null,
    redoText: lastUndone ? `Redo ${stepText(lastUndone)}` : null,
    undo: () => (undoLimit === null ? attempt(undo) : notify(undoLimit)),
    redo: () => (redoLimit === null ? attempt(redo) : notify(redoLimit)),
  }
}

export type EditHistory = ReturnType<typeof useHistory>
