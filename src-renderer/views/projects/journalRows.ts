import type { Edit } from '@shared/contract/edits'
import type { JournalEntry } from '@shared/contract/orchestration'

export type JournalRow =
  | { readonly kind: 'entry'; readonly entry: JournalEntry }
  | { readonly kind: 'seen'; readonly entries: readonly [JournalEntry, ...JournalEntry[]] }

export function journalRows(entries: readonly JournalEntry[]): JournalRow[] {
  const rows: JournalRow[] = []
  for (const entry of entries) {
    const last = rows.at(-1)
    if (entry.kind !== 'seen') rows.push({ kind: 'entry', entry })
    else if (last?.kind === 'seen' && last.entries[0].run === entry.run)
      rows[rows.length - 1] = { kind: 'seen', entries: [...last.entries, entry] }
    else rows.push({ kind: 'seen', entries: [entry] })
  }
  return rows
}

/**
 * Largest difference between the time at which a file is seen to be written and the time at which its edit is stored,
 * ms.
 */
const SAME_WRITE_MS = 30_000

type UndoableEdit = Pick<Edit, 'edit' | 'time' | 'summary' | 'files' | 'undoneAt'>

export function editsByEntry(
  entries: readonly JournalEntry[],
  edits: readonly UndoableEdit[],
): ReadonlyMap<number, UndoableEdit> {
  const found = new Map<number, UndoableEdit>()
  for (const edit of edits) {
    const made = entries.find(
      ({ entry, file, writer, time }) =>
        writer === 'bridgedeck' &&
        !found.has(entry) &&
        edit.files.includes(file) &&
        Math.abs(time - edit.time) < SAME_WRITE_MS,
    )
    if (edit.undoneAt === null && made) found.set(made.entry, edit)
  }
  return found
}
