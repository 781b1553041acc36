import type { Output } from '@shared/contract/contract'

type LiveTasks = Output<'tasks.live'>['tasks']

export interface ClosingQuestion {
  readonly message: string
  readonly detail: string
}

export type ClosingAnswer = 'keepRunning' | 'stop' | 'cancel'

interface ClosingParts {
  readonly liveTasks: () => Promise<LiveTasks>
  readonly stopTasks: () => Promise<void>
  readonly ask: (question: ClosingQuestion) => Promise<ClosingAnswer>
  /** Closes the window; {@link Closing.allows} says yes then. */
  readonly close: () => void
  /** Hides the window, and shows where it went. */
  readonly hide: () => void
  readonly log: (message: string, error: unknown) => void
}

/** How long the bridge may take to tell what runs, ms; one that does not answer runs nothing that could be kept. */
const PATIENCE = 2_000

/** Asks before the window is closed while tasks run: a closed window ends the bridge, and they with it. */
export class Closing {
  readonly #parts: ClosingParts
  #isAllowed = false
  #isAsking = false

  constructor(parts: ClosingParts) {
    this.#parts = parts
  }

  /** Whether the window may close now. If not, it is decided meanwhile, and the window closed again where it may. */
  allows(): boolean {
    if (!this.#isAllowed && !this.#isAsking) void this.#decide()
    return this.#isAllowed
  }

  async #decide(): Promise<void> {
    const { close, hide, stopTasks, ask, log } = this.#parts
    this.#isAsking = true
    try {
      const tasks = await this.#liveTasks()
      const answer = tasks.length === 0 ? 'stop' : await ask(questionOf(tasks))
      if (answer === 'keepRunning') hide()
      if (answer !== 'stop') return
      if (tasks.length > 0) await stopTasks().catch((error: unknown) => log('the tasks could not be stopped before closing', error))
      this.#isAllowed = true
      close()
    } finally {
      this.#isAsking = false
    }
  }

  async #liveTasks(): Promise<LiveTasks> {
    const nothing = new Promise<LiveTasks>((resolve) => setTimeout(() => resolve([]), PATIENCE).unref())
    return Promise.race([this.#parts.liveTasks().catch(() => []), nothing])
  }
}

/** Names in the question, before the rest is counted. */
const NAMED = 5

function questionOf(tasks: LiveTasks): ClosingQuestion {
  const ids = tasks.slice(0, NAMED).map(({ id }) => id)
  const more = tasks.length > NAMED ? [`and ${tasks.length - NAMED} more`] : []
  return {
    message: tasks.length === 1 ? 'A task is running.' : `${tasks.length} tasks are running.`,
    detail: `${[...ids, ...more].join('\n')}\n\nThey can go on without the window, with an icon in the tray; or they are stopped, and what they have done so far is kept.`,
  }
}
