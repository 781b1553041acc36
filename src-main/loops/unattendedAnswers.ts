import type { EditRequest, OfferedAction, WriteResult } from '@shared/contract/edits'
import { AppError } from '@shared/contract/errors'
import type { LogLevel } from '@shared/contract/loops'

export interface RunActions {
  offered(): Promise<readonly OfferedAction[]>
  write(request: EditRequest): Promise<WriteResult>
}

/** Of one start; after that the same question needs a person. */
const MAX_SAME_ANSWERS = 3

export class UnattendedAnswers {
  readonly #actions: RunActions
  readonly #log: (level: LogLevel, text: string) => void
  readonly #times = new Map<string, number>()

  constructor(actions: RunActions, log: (level: LogLevel, text: string) => void) {
    this.#actions = actions
    this.#log = log
  }

  async answer(): Promise<boolean> {
    const offered = await this.#actions.offered()
    const action = offered.find(({ answersNeed, unattended }) => answersNeed && unattended !== undefined)
    if (action?.unattended === undefined) return false
    const { name, target, title, unattended: values } = action
    const key = JSON.stringify([name, target, title])
    const times = (this.#times.get(key) ?? 0) + 1
    if (times > MAX_SAME_ANSWERS) {
      this.#log('warn', `Not answered again: “${title}” came back after ${MAX_SAME_ANSWERS} answers.`)
      return false
    }
    this.#times.set(key, times)
    const result = await this.#actions.write({ kind: 'action', name, target, values }).catch((error: unknown) => {
      if (error instanceof AppError) return { outcome: 'conflict', reason: error.message } as const
      throw error
    })
    if (result.outcome === 'nothing') return false
    if (result.outcome === 'conflict') {
      this.#log('warn', `“${title}” is left to you: ${result.reason}`)
      return false
    }
    const filledIn = Object.values(values).flat().join('; ')
    this.#log('warn', `Without asking: ${result.summary}${filledIn === '' ? '' : `: ${filledIn}`}`)
    return true
  }
}
