import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { AppError } from '@shared/contract/errors'

const LIFETIME_MS = 10 * 60_000
const MAX_GRANTS = 100

/**
 * Files that a person chose, by a token that the page may use once within ten minutes. The page never learns a path,
 * and can name none.
 */
export class Grants {
  readonly #paths = new Map<string, { path: string; until: number }>()

  issue(path: string): { grant: string; name: string } {
    const grant = randomUUID()
    this.#paths.set(grant, { path, until: Date.now() + LIFETIME_MS })
    const [oldest] = this.#paths.keys()
    if (this.#paths.size > MAX_GRANTS && oldest !== undefined) this.#paths.delete(oldest)
    return { grant, name: basename(path).slice(0, 300) }
  }

  /** The path that the token stands for; the token is used up. */
  take(grant: string): string {
    const path = this.look(grant)
    this.#paths.delete(grant)
    return path
  }

  /** As `take`, and the token stays: for what may be refused for another reason and tried again. */
  look(grant: string): string {
    const found = this.#paths.get(grant)
    if (!found || found.until < Date.now()) {
      throw new AppError('FORBIDDEN', 'This file is no longer open to the window.', {
        hint: 'Drop or choose the file again.',
      })
    }
    return found.path
  }
}
