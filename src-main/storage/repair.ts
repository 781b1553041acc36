import { copyFileSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { threadId } from 'node:worker_threads'
import { repairNoticeSchema, type RepairNotice } from '@shared/contract/bridge'
import { diskError } from '@shared/contract/errors'
import { storedJson } from '@shared/storedJson'
import { isCode } from '../files/fileErrors'
import { holdNow } from '../files/processLock'
import { openDatabase, type Database } from './database'
import { NoteStore } from './notes'
import { removeDatabase, salvage, type SalvagedTable } from './salvage'

export const contentsOfTables: Readonly<Record<string, string>> = {
  settings: 'settings',
  children: 'programs that were started',
  notes: 'labels, builds and approvals',
  profiles: 'saved machines',
  projects: 'projects and whether they are trusted',
  journal: 'history of projects',
  sidecar: 'drafts and notes on runs',
  contents: 'earlier contents of files',
  edits: 'edits to undo',
  agent_runs: 'runs of agents',
  hosts: 'loops that were running',
  openings: 'what was being opened',
  spending: 'spending of agents',
  memory_snapshots: 'memory snapshots',
  agent_calls: 'what agents did at machines',
  sheets: 'sheets of the Editor',
}

const NOTE = 'database repaired'

export const identityOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/**
 * The damaged file is kept beside the new one, whose notes say what was lost.
 * @param damaged identity of the file that was found damaged; when it is another by now, somebody has repaired it
 * already
 * @throws AppError where the disk refuses
 */
export function repairDatabase(path: string, damaged: bigint | undefined): void {
  holdNow(`${path}.repair`, () => {
    if (damaged === undefined || identityOf(path) !== damaged) return
    const fresh = `${path}.salvaged-${process.pid}-${threadId}`
    try {
      removeDatabase(fresh)
      const salvaged = salvage(path, fresh)
      const aside = `${path}.corrupt-${Date.now()}`
      writeNotice(fresh, noticeOf(salvaged, basename(aside)))
      keepAside(path, aside)
      // They belong to the damaged file; SQLite would take them for the new one's.
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
      renameSync(fresh, path)
    } catch (error) {
      throw diskError(error, path, 'written') ?? error
    } finally {
      removeDatabase(fresh)
    }
  })
}

/** The file stays in its place until the new one takes it. */
function keepAside(path: string, aside: string): void {
  for (const suffix of ['', '-wal']) {
    try {
      linkSync(path + suffix, aside + suffix)
    } catch (error) {
      if (isCode(error, 'ENOENT')) continue
      copyFileSync(path + suffix, aside + suffix)
    }
  }
}

function noticeOf(salvaged: readonly SalvagedTable[], aside: string): RepairNotice {
  const damaged = salvaged.filter(({ isWhole }) => !isWhole)
  const lost = damaged.map(({ table, rows }) => `${contentsOfTables[table] ?? table}${rows === 0 ? '' : ' (some)'}`)
  const isEmpty = damaged.length === salvaged.length && damaged.every(({ rows }) => rows === 0)
  return {
    message: isEmpty
      ? 'Bridgedeck’s database was damaged and starts afresh: nothing in it could be read.'
      : 'Bridgedeck’s database was damaged and was repaired.',
    hint: `${isEmpty ? '' : lost.length === 0 ? 'Nothing is known to be lost. ' : `Lost: ${lost.join(', ')}. `}The damaged file is kept as ${aside}.`,
  }
}

function writeNotice(fresh: string, notice: RepairNotice): void {
  const database = openDatabase(fresh)
  try {
    new NoteStore(database).set(NOTE, JSON.stringify(notice))
  } finally {
    database.close()
  }
}

/** Told once: the note is taken away. */
export function takeRepairNotice(database: Database): RepairNotice | undefined {
  const notes = new NoteStore(database)
  const note = notes.get(NOTE)
  if (note === undefined) return undefined
  notes.delete(NOTE)
  return storedJson(note, repairNoticeSchema)
}
