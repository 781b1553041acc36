import { realpath, stat } from 'node:fs/promises'
import { describeFailure, type AppError } from '@shared/contract/errors'
import type { Project } from '@shared/contract/orchestration'
import { describeFolderError, identityOf } from '../read/projectDisk'
import { identityText } from '../trust'

export class ProjectFolder {
  readonly place: string
  #root = ''
  /** Changes when another folder takes this path. */
  #device = ''
  #identity: string | null = null
  #state: Project['state'] = 'reading'
  #problem: string | undefined

  constructor(place: string) {
    this.place = place
  }

  /** With links resolved; empty before the folder was found. */
  get root(): string {
    return this.#root
  }

  get identity(): string | null {
    return this.#identity
  }

  get state(): Project['state'] {
    return this.#state
  }

  get problem(): string | undefined {
    return this.#problem
  }

  async find(): Promise<void> {
    this.#root = await realpath(this.place)
    this.#device = await identityOf(this.#root)
    this.#identity = identityText(this.#root, await stat(this.#root, { bigint: true }))
  }

  setOpen(): void {
    this.#state = 'open'
    this.#problem = undefined
  }

  setGone(error: AppError): boolean {
    const problem = describeFailure(error)
    if (this.#state === 'gone' && this.#problem === problem) return false
    this.#state = 'gone'
    this.#problem = problem
    return true
  }

  async check(): Promise<'same' | 'other' | AppError> {
    try {
      return (await identityOf(this.place)) === this.#device ? 'same' : 'other'
    } catch (error) {
      return describeFolderError(error, this.place)
    }
  }
}
