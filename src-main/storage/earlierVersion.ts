import { existsSync, renameSync, rmSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { makePrivateDatabase } from '../files/privateFiles'
import { isDamage } from './damage'
import { versionOf } from './database'
import { migrations } from './migrations'

/**
 * Kept once: `bridgedeck.sqlite.before-14` was of an earlier version than 14. A damaged database is kept by its repair.
 */
export function keepEarlierVersion(database: Sqlite.Database, path: string): void {
  const kept = `${path}.before-${migrations.length}`
  if (existsSync(kept)) return
  const staged = `${kept}.${process.pid}-${threadId}`
  const version = versionOf(database)
  try {
    rmSync(staged, { force: true })
    makePrivateDatabase(staged)
    database.prepare('VACUUM INTO ?').run(staged)
    // Another process may have migrated it in this moment, and kept it itself.
    if (versionOf(database) === version) renameSync(staged, kept)
  } catch (error) {
    if (!isDamage(error, path)) throw error
  } finally {
    rmSync(staged, { force: true })
  }
}
