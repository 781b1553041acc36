import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '@shared/contract/orchestration'
import { editsByEntry, journalRows } from './journalRows'

let entries = 0
const entry = (more: Partial<JournalEntry> = {}): JournalEntry => ({
  entry: ++entries,
  time: 100_000,
  project: 1,
  run: 'ncrew:a',
  file: 'a.md',
  kind: 'changed',
  field: null,
  from: null,
  to: null,
  hash: null,
  writer: null,
  ...more,
})
const seen = (run: string) => entry({ run, kind: 'seen' })

describe('the rows of the journal', () => {
  it('fold what was seen for the first time, run by run', () => {
    const rows = journalRows([entry(), seen('b'), seen('b'), seen('c'), entry(), seen('c')])
    expect(rows.map((row) => (row.kind === 'seen' ? row.entries.length : 'entry'))).toEqual(['entry', 2, 1, 'entry', 1])
  })

  it('offer to undo an edit once, beside an entry of Bridgedeck’s own', () => {
    const edit = { edit: 7, time: 100_000, summary: 'Answered', files: ['a.md'], undoneAt: null }
    const own = entry({ writer: 'bridgedeck' })
    const offered = (...of: Parameters<typeof editsByEntry>) =>
      [...editsByEntry(...of)].map(([number, { edit }]) => [number, edit])
    expect(offered([entry(), own, entry({ writer: 'bridgedeck' })], [edit])).toEqual([[own.entry, 7]])
    expect(offered([own], [{ ...edit, undoneAt: 1 }])).toEqual([])
    expect(offered([own], [{ ...edit, files: ['b.md'] }])).toEqual([])
    expect(offered([own], [{ ...edit, time: 0 }])).toEqual([])
  })
})
