import { AppError, toFailure } from '@shared/contract/errors'
import type { TaskProblem } from '@shared/contract/tasks'
import { REGISTRY, type Registry } from './registryFile'

const MAX_NOTICES = 20

export interface RegistryProblemsOptions {
  readonly onChange: (problems: readonly TaskProblem[]) => void
  readonly log: (message: string, error?: unknown) => void
}

export class RegistryProblems {
  readonly #options: RegistryProblemsOptions
  #failure: TaskProblem | undefined
  #notices: readonly TaskProblem[] = []

  constructor(options: RegistryProblemsOptions) {
    this.#options = options
  }

  get all(): readonly TaskProblem[] {
    return [...(this.#failure ? [this.#failure] : []), ...this.#notices]
  }

  noteFailure(error: unknown): void {
    const { message, hint, details } = toFailure(error)
    const isDamaged = details?.damaged === true
    if (!(error instanceof AppError)) this.#options.log('tasks.json could not be used', error)
    this.#change(() => {
      this.#failure = {
        file: REGISTRY,
        message,
        hint: isDamaged
          ? 'Nothing is written to it until it is whole. Preview its repair here, or with “bridgedeck task repair”.'
          : (hint ?? 'The tasks are shown as they were last read.'),
        ...(isDamaged ? { repairable: true } : {}),
      }
    })
  }

  noteSuccess(registry?: Registry): void {
    this.#change(() => {
      this.#failure = undefined
      if (registry)
        this.#notices = registry.notices
          .slice(0, MAX_NOTICES)
          .map((message) => ({ file: REGISTRY, message: message.slice(0, 2000), hint: null }))
    })
  }

  #change(change: () => void): void {
    const before = JSON.stringify(this.all)
    change()
    if (JSON.stringify(this.all) !== before) this.#options.onChange(this.all)
  }
}
