import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Prompts of one run that are kept; of more, the oldest go. */
const KEPT = 500

/** The prompts of a run as they were built, one file each, numbered in their order. They hold what the project's files say: for their owner alone. */
export class PromptStore {
  readonly #folder: string
  #next: number | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @param name of letters, digits, dots and dashes */
  async keep(name: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    this.#next ??= Math.max(0, ...(await this.#names()).map((file) => Number.parseInt(file, 10))) + 1
    const number = this.#next++
    await writeFile(join(this.#folder, `${String(number).padStart(6, '0')}-${name}.md`), text, { mode: 0o600 })
    const names = await this.#names()
    for (const old of names.slice(0, Math.max(0, names.length - KEPT)))
      await rm(join(this.#folder, old), { force: true })
  }

  async #names(): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => /^\d{6,}-.+\.md$/.test(name)).sort()
  }
}
