/** Results of an earlier dispatch are never mixed with those of the next. */
import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { PRIVATE, replaceFile } from '../../../files/stagedWrite'
import type { AgentOutcome } from './summary'

export class Results {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Existing results move to `results.<n>`.
   * @throws AppError INVALID
   */
  static async create(batch: string): Promise<Results> {
    const folder = join(batch, 'results')
    if (await hasFiles(folder)) {
      let number = 1
      while (await lstat(`${folder}.${number}`).catch(() => undefined)) number++
      await rename(folder, `${folder}.${number}`)
    }
    return open(folder, (path) => new Results(path))
  }

  /** @throws AppError INVALID */
  static async resume(batch: string): Promise<Results> {
    const folder = join(batch, 'results')
    await hasFiles(folder)
    const results = await open(folder, (path) => new Results(path))
    await rm(join(folder, 'summary.json'), { force: true })
    return results
  }

  /** `done`: it ended well; `open`: nothing says that it ended. */
  async stateOf(name: string): Promise<'done' | 'failed' | 'open'> {
    const text = await readFile(this.#path(name, 'exit'), 'utf8').catch(() => '')
    if (/^\s*0+\s*$/.test(text)) return 'done'
    return /^\s*\d+\s*$/.test(text) ? 'failed' : 'open'
  }

  async begin(name: string): Promise<{ readonly output: string; readonly errors: string }> {
    await rm(this.#path(name, 'exit'), { force: true })
    return { output: this.#path(name, 'json'), errors: this.#path(name, 'log') }
  }

  /** Written last: it is the sign that the agent has ended. */
  async end({ name, exitCode }: AgentOutcome): Promise<void> {
    await replaceFile(this.#path(name, 'exit'), String(exitCode), PRIVATE)
  }

  async summarise(text: string): Promise<void> {
    await replaceFile(join(this.#folder, 'summary.json'), text, PRIVATE)
  }

  #path(name: string, ending: 'exit' | 'json' | 'log'): string {
    return join(this.#folder, `${name}.${ending}`)
  }
}

async function open(folder: string, make: (path: string) => Results): Promise<Results> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return make(folder)
}

async function hasFiles(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found) return false
  if (!found.isDirectory()) throw new AppError('INVALID', `${folder} is no folder`)
  return (await readdir(folder)).length > 0
}
