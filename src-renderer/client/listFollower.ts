interface Changes {
  /** The revision that these changes lead from. */
  readonly from: number
  readonly revision: number
}

/**
 * Follows a list that is too long for one answer: it is read page by page, and what changes meanwhile is applied to it.
 * Changes come in order, each with the revision that it leads from.
 */
export class ListFollower<Change extends Changes> {
  readonly #read: (changesAfter: (revision: number) => readonly Change[]) => Promise<void>
  /** Of the last changes; null before any. */
  #revision: number | null = null
  #whileReading: Change[] | undefined
  #reading: Promise<void> | undefined

  /** @param read reads all pages, and applies the changes after the oldest page's revision to them */
  constructor(read: (changesAfter: (revision: number) => readonly Change[]) => Promise<void>) {
    this.#read = read
  }

  /** Returns whether changes before these were missed: then the list has to be read again. */
  receive(changes: Change): boolean {
    this.#whileReading?.push(changes)
    const wereMissed = this.#revision !== null && changes.from !== this.#revision
    this.#revision = changes.revision
    return wereMissed
  }

  /** Reads the whole list; once for all who ask at the same time. */
  refresh(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
      this.#whileReading = undefined
    })
    return this.#reading
  }

  /** Another bridge counts its revisions from the start. */
  forget(): void {
    this.#revision = null
  }

  #readAll(): Promise<void> {
    const changes: Change[] = []
    this.#whileReading = changes
    return this.#read((revision) => changes.filter((change) => change.revision > revision))
  }
}
