import type Database from 'better-sqlite3'

export type Migration = (database: Database.Database) => void

/** In order, never changed once released: step n brings a database from version n to n + 1. */
export const migrations: readonly Migration[] = [
  (database) => {
    database.exec(`
      CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
      CREATE TABLE children (
        pid INTEGER PRIMARY KEY,
        started_at INTEGER NOT NULL,
        purpose TEXT NOT NULL,
        port INTEGER
      ) STRICT;
      CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    `)
  },
  (database) => {
    database.exec(`
      CREATE TABLE profiles (
        machine TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        sealed BLOB,
        unique_id TEXT
      ) STRICT;
    `)
  },
]
