import type { Database } from 'better-sqlite3'
import { AppError } from '@shared/contract/errors'
import { MAX_MARKS, markSchema, type Mark } from '@shared/contract/recorder'
import type { Span } from './messages'

const microseconds = (time: number): number => Math.round(time * 1000)

/** In the order of time. Leaves out what is not a mark, as the file may be damaged or foreign. */
export function readMarks(database: Database, { from = 0, to = 8.64e15 }: Span): Mark[] {
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'marks'").get() !== undefined
  if (!isThere) return []
  return database
    .prepare<[number, number, number], Mark>(
      'SELECT mark, time / 1000.0 AS time, text, value FROM marks WHERE time BETWEEN ? AND ? ORDER BY time, mark LIMIT ?',
    )
    .all(microseconds(from), microseconds(to), MAX_MARKS)
    .filter((mark) => markSchema.safeParse(mark).success)
}

/** @throws AppError CONFLICT where there are too many */
export function addMark(database: Database, mark: Omit<Mark, 'mark'>): Mark {
  const count = database.prepare<[], number>('SELECT count(*) FROM marks').pluck().get() ?? 0
  if (count >= MAX_MARKS)
    throw new AppError('CONFLICT', `The recording has ${MAX_MARKS} marks already.`, { hint: 'Delete some first.' })
  const { lastInsertRowid } = database
    .prepare('INSERT INTO marks (time, text, value) VALUES (?, ?, ?)')
    .run(microseconds(mark.time), mark.text, mark.value)
  return { mark: Number(lastInsertRowid), ...mark }
}

/** @throws AppError NOT_FOUND */
export function deleteMark(database: Database, mark: number): void {
  const { changes } = database.prepare('DELETE FROM marks WHERE mark = ?').run(mark)
  if (changes === 0) throw new AppError('NOT_FOUND', `The recording has no mark ${mark}.`)
}
