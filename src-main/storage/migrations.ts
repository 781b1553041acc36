import type Database from 'better-sqlite3'
import { z } from 'zod'

export type Migration = (database: Database.Database) => void

/** Hosts were notes before: JSON under the key `host ` and the run's path. One that does not parse hosts nothing. */
function moveHostsOutOfNotes(database: Database.Database): void {
  database.exec(`
    CREATE TABLE hosts (
      name TEXT PRIMARY KEY,
      pid INTEGER NOT NULL,
      process_start REAL NOT NULL,
      project INTEGER NOT NULL,
      system TEXT NOT NULL,
      folder TEXT NOT NULL,
      started_at REAL NOT NULL,
      step TEXT,
      resume_hint TEXT
    ) STRICT;
  `)
  const insert = database.prepare('INSERT INTO hosts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const note of database.prepare("SELECT name, value FROM notes WHERE substr(name, 1, 5) = 'host '").all()) {
    const { data } = hostNoteSchema.safeParse(note)
    if (!data) continue
    const { pid, processStart, project, system, folder, startedAt, step, goOn } = data.value
    insert.run(data.name.slice(5), pid, processStart, project, system, folder, startedAt, step, goOn)
  }
  database.exec("DELETE FROM notes WHERE substr(name, 1, 5) = 'host '")
}

const hostNoteSchema = z.object({
  name: z.string(),
  value: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue('no JSON')
        return z.NEVER
      }
    })
    .pipe(
      z.object({
        pid: z.int(),
        processStart: z.number(),
        project: z.int(),
        system: z.string(),
        folder: z.string(),
        startedAt: z.number(),
        step: z.string().nullable(),
        goOn: z.string().nullable().default(null),
      }),
    ),
})

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
  moveHostsOutOfNotes,
  (database) => {
    database.exec(`
      CREATE TABLE openings (
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        pid INTEGER,
        process_start REAL NOT NULL,
        settled INTEGER NOT NULL,
        ends INTEGER NOT NULL,
        reason TEXT,
        PRIMARY KEY (kind, name)
      ) STRICT;
    `)
    // Run names that cannot be shown: they made the whole journal of their project unreadable.
    const control = '*[\u0001-\u001f\u007f-\u009f]*'
    database.prepare('DELETE FROM journal WHERE run GLOB @control OR file GLOB @control').run({ control })
  },
  (database) => {
    database.exec(`
      CREATE TABLE spending (
        agent_run TEXT PRIMARY KEY,
        day TEXT NOT NULL,
        project INTEGER NOT NULL,
        run TEXT NOT NULL,
        cost REAL NOT NULL,
        milliseconds REAL NOT NULL,
        unpriced INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX spending_of_run ON spending (project, run);
      CREATE INDEX spending_of_day ON spending (day);
    `)
  },
  (database) => {
    database.exec(`
      CREATE TABLE memory_snapshots (
        name TEXT PRIMARY KEY,
        source TEXT NOT NULL,
        time INTEGER NOT NULL,
        content TEXT NOT NULL,
        bytes BLOB NOT NULL
      ) STRICT;
    `)
  },
  (database) => {
    database.exec(`
      CREATE TABLE agent_calls (
        call INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        result TEXT NOT NULL
      ) STRICT;
    `)
  },
  (database) => {
    database.exec(`
      CREATE TABLE sheets (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        set_aside_at INTEGER,
        bytes BLOB NOT NULL
      ) STRICT;
    `)
  },
  (database) => {
    // What was charged before counts for the night that began on its day.
    database.exec(`
      ALTER TABLE spending ADD COLUMN night TEXT NOT NULL DEFAULT '';
      UPDATE spending SET night = day;
      CREATE INDEX spending_of_night ON spending (night);
    `)
  },
  (database) => {
    database.exec('ALTER TABLE spending ADD COLUMN estimated REAL NOT NULL DEFAULT 0')
  },
  (database) => {
    database.exec('ALTER TABLE hosts ADD COLUMN holder TEXT')
  },
]
