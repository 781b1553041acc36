import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { AppError } from '@shared/contract/errors'

const LIFETIME_MS = 10 * 60_000
const MAX_GRANTS = 100

/**
 * Security: the page never gets or names a path of a file that the user chose. It may use a token once, within ten
 * minutes.
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

  /** The token becomes invalid. */
  take(grant: string): string {
    const path = this.look(grant)
    this.#paths.delete(grant)
    return path
  }

  /** As {@link take}, but the token stays valid, for calls that may be refused and repeated. */
  look(grant: string): string {
    const found = this.#paths.get(grant)
    if (!found || found.until < Date.now()) {
      throw new AppError('FORBIDDEN', 'The window may no longer use this file.', {
        hint: 'Drop or choose the file again.',
      })
    }
    return found.path
  }
}
