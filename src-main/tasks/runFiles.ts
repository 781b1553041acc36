export class RunFiles {
  #earlier = new Set<string>()
  #written = new Set<string>()

  note(path: string): void {
    this.#written.add(path)
  }

  /**
   * @param artifacts as its outcome names them
   * @returns files of earlier runs in its folders that it did not write again
   */
  settle(artifacts: Readonly<Record<string, string>> = {}): string[] {
    const folders = Object.values(artifacts).flatMap((path) =>
      path.endsWith('/') ? [path.replace('artifacts/', '')] : [],
    )
    const isIn = (path: string): boolean => folders.some((folder) => path.startsWith(folder))
    const written = this.#written
    this.#written = new Set()
    if (folders.length === 0) return []
    const stale = [...this.#earlier].filter((path) => isIn(path) && !written.has(path))
    this.#earlier = new Set([...written].filter(isIn))
    return stale
  }
}
