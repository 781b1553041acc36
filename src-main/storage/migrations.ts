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
  (database) => {
    database.exec(`
      CREATE TABLE projects (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        opened_at INTEGER NOT NULL,
        is_open INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE journal (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        time INTEGER NOT NULL,
        project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        run TEXT NOT NULL,
        file TEXT NOT NULL,
        kind TEXT NOT NULL,
        field TEXT,
        value_before TEXT,
        value_after TEXT,
        hash TEXT
      ) STRICT;
      CREATE INDEX journal_of_project ON journal (project, id);
      CREATE INDEX journal_of_run ON journal (project, run, id);
      CREATE INDEX journal_of_file ON journal (project, file, id);
    `)
  },
  (database) => {
    database.exec(`
      ALTER TABLE projects ADD COLUMN trusted_at INTEGER;
      CREATE TABLE sidecar (
        project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        run TEXT NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (project, run, name)
      ) STRICT;
      CREATE TABLE contents (
        project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        hash TEXT NOT NULL,
        size INTEGER NOT NULL,
        deflated BLOB NOT NULL,
        PRIMARY KEY (project, hash)
      ) STRICT;
      ALTER TABLE journal ADD COLUMN writer TEXT;
      CREATE TABLE edits (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        time INTEGER NOT NULL,
        project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        run TEXT NOT NULL,
        summary TEXT NOT NULL,
        changes TEXT NOT NULL,
        undone_at INTEGER
      ) STRICT;
      CREATE INDEX edits_of_project ON edits (project, id);
      CREATE TABLE agent_runs (
        id TEXT PRIMARY KEY,
        agent TEXT NOT NULL,
        purpose TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        result TEXT
      ) STRICT;
    `)
  },
  (database) => {
    database.exec('ALTER TABLE projects ADD COLUMN trusted_as TEXT')
  },
]
