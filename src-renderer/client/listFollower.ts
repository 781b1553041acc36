interface Changes {
  readonly from: number
  readonly revision: number
}

/**
 * For a list too long for one answer: it is read page by page, and changes that come meanwhile are applied. Changes
 * come in order, each with the revision that it leads from.
 */
export class ListFollower<Change extends Changes> {
  readonly #read: (changesAfter: (revision: number) => readonly Change[]) => Promise<void>
  #revision: number | null = null
  #whileReading: Change[] | undefined
  #reading: Promise<void> | undefined

  /** @param read reads all pages, and applies the changes after the oldest page's revision to them */
  constructor(read: (changesAfter: (revision: number) => readonly Change[]) => Promise<void>) {
    this.#read = read
  }

  /** Returns whether earlier changes were missed: then the list has to be read again. */
  receive(changes: Change): boolean {
    this.#whileReading?.push(changes)
    const wereMissed = this.#revision !== null && changes.from !== this.#revision
    this.#revision = changes.revision
    return wereMissed
  }

  /** Read once for all who ask at the same time. */
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
