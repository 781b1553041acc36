export class Listing {
  readonly files: readonly string[]
  readonly #files: ReadonlySet<string>
  readonly #folders = new Set<string>([''])

  constructor(files: Iterable<string>, folders: Iterable<string> = []) {
    this.#files = new Set(files)
    this.files = [...this.#files].sort(compare)
    for (const file of this.files) this.#addFolder(parentOf(file))
    for (const folder of folders) this.#addFolder(folder)
  }

  hasFile(path: string): boolean {
    return this.#files.has(path)
  }

  hasFolder(path: string): boolean {
    return this.#folders.has(path)
  }

  get folders(): Iterable<string> {
    return this.#folders
  }

  below(folder: string): readonly string[] {
    if (folder === '') return this.files
    // `0` is the character after `/`.
    return this.files.slice(this.#firstFrom(`${folder}/`), this.#firstFrom(`${folder}0`))
  }

  in(folder: string): readonly string[] {
    return this.below(folder).filter((file) => parentOf(file) === folder)
  }

  #addFolder(folder: string): void {
    for (let at = folder; !this.#folders.has(at); at = parentOf(at)) this.#folders.add(at)
  }

  #firstFrom(path: string): number {
    let low = 0
    let high = this.files.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.files[middle] ?? '') < path) low = middle + 1
      else high = middle
    }
    return low
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const within = (folder: string, path: string): string =>
  folder === '' ? path : path === '' ? folder : `${folder}/${path}`

export const isArchived = (folder: string): boolean => folder.split('/').some((name) => /^archived?$/i.test(name))
