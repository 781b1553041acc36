import { realpath, stat } from 'node:fs/promises'
import { describeFailure, type AppError } from '@shared/contract/errors'
import type { Project } from '@shared/contract/orchestration'
import { describeFolderError, identityOf } from '../read/projectDisk'
import { identityText } from '../trust'

/** The folder of an open project: which one it is, and whether it is there. */
export class ProjectFolder {
  /** As the person opened it. */
  readonly place: string
  #root = ''
  /** Changes when another folder stands in the place. */
  #device = ''
  #identity: string | null = null
  #state: Project['state'] = 'reading'
  #problem: string | undefined

  constructor(place: string) {
    this.place = place
  }

  /** Links resolved; empty before it was found. */
  get root(): string {
    return this.#root
  }

  /** As trust knows it; null before it was found. */
  get identity(): string | null {
    return this.#identity
  }

  get state(): Project['state'] {
    return this.#state
  }

  /** Why it is gone. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** The folder that stands in the place now is the one from now on. */
  async find(): Promise<void> {
    this.#root = await realpath(this.place)
    this.#device = await identityOf(this.#root)
    this.#identity = identityText(this.#root, await stat(this.#root, { bigint: true }))
  }

  setOpen(): void {
    this.#state = 'open'
    this.#problem = undefined
  }

  /** @returns whether that is new */
  setGone(error: AppError): boolean {
    const problem = describeFailure(error)
    if (this.#state === 'gone' && this.#problem === problem) return false
    this.#state = 'gone'
    this.#problem = problem
    return true
  }

  /** Whether the one that was found is still there, or why not. */
  async check(): Promise<'same' | 'other' | AppError> {
    try {
      return (await identityOf(this.place)) === this.#device ? 'same' : 'other'
    } catch (error) {
      return describeFolderError(error, this.place)
    }
  }
}
