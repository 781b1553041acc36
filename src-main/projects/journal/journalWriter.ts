import type { FileVersion } from '../read/projectDisk'
import { Contents } from '../../storage/contents'
import type { Database } from '../../storage/database'
import type { Journal } from '../../storage/journal'
import type { Observed } from '../watch/sightings'
import { isSecret } from './observe'
import type { Writers } from './writers'

const MAX_NAME_CHARACTERS = 1_000

export class JournalWriter {
  readonly #database: Database
  readonly #journal: Journal
  readonly #writers: Writers
  readonly #contents: Contents

  constructor(database: Database, journal: Journal, writers: Writers) {
    this.#database = database
    this.#journal = journal
    this.#writers = writers
    this.#contents = new Contents(database)
  }

  write(project: number, changes: readonly Observed[], versions: readonly FileVersion[]): void {
    const time = Date.now()
    const texts = versions.flatMap(({ file, hash }) =>
      file.text === null || isSecret(file.path) ? [] : (this.#contents.deflate(project, hash, file.text) ?? []),
    )
    const entries = changes.map(({ run, file, kind, field, from, to, hash }) => ({
      time,
      project,
      run,
      kind,
      from,
      to,
      hash,
      file: file.slice(0, MAX_NAME_CHARACTERS),
      field: field?.slice(0, MAX_NAME_CHARACTERS) ?? null,
      writer: this.#writers.of(project, file, hash),
    }))
    this.#database.transaction(() => {
      this.#journal.add(entries)
      for (const text of texts) this.#contents.put(project, text)
    })()
  }
}
