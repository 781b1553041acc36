export interface LiveWork {
  readonly kind: 'task' | 'agent'
  readonly name: string
}

export interface ClosingQuestion {
  readonly message: string
  readonly detail: string
}

export type ClosingAnswer = 'keepRunning' | 'stop' | 'cancel'

interface ClosingParts {
  readonly liveWork: () => Promise<readonly LiveWork[]>
  readonly stopWork: () => Promise<void>
  readonly ask: (question: ClosingQuestion) => Promise<ClosingAnswer>
  readonly close: () => void
  readonly hide: () => void
  readonly log: (message: string, error: unknown) => void
}

/** ms; a bridge that does not answer has no work that could continue. */
const LIVE_WORK_WAIT_MS = 2_000

/** Asks before the window closes, as running tasks and agents end with its bridge. */
export class Closing {
  readonly #parts: ClosingParts
  #isAllowed = false
  #isAsking = false

  constructor(parts: ClosingParts) {
    this.#parts = parts
  }

  allows(): boolean {
    if (!this.#isAllowed && !this.#isAsking) void this.#decide()
    return this.#isAllowed
  }

  async #decide(): Promise<void> {
    const { close, hide, stopWork, ask, log } = this.#parts
    this.#isAsking = true
    try {
      const work = await this.#liveWork()
      const answer = work.length === 0 ? 'stop' : await ask(questionOf(work))
      if (answer === 'keepRunning') hide()
      if (answer !== 'stop') return
      if (work.length > 0)
        await stopWork().catch((error: unknown) => log('tasks and agents could not be stopped before closing', error))
      this.#isAllowed = true
      close()
    } finally {
      this.#isAsking = false
    }
  }

  async #liveWork(): Promise<readonly LiveWork[]> {
    const nothing = new Promise<readonly LiveWork[]>((resolve) =>
      setTimeout(() => resolve([]), LIVE_WORK_WAIT_MS).unref(),
    )
    return Promise.race([this.#parts.liveWork().catch(() => []), nothing])
  }
}

const MAX_NAMED = 5

function questionOf(work: readonly LiveWork[]): ClosingQuestion {
  const names = work.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = work.length > MAX_NAMED ? [`and ${work.length - MAX_NAMED} more`] : []
  const kinds = (['task', 'agent'] as const).filter((wanted) => work.some(({ kind }) => kind === wanted))
  return {
    message:
      work.length === 1
        ? kinds[0] === 'agent'
          ? 'An agent is running.'
          : 'A task is running.'
        : `${work.length} ${kinds.map((kind) => `${kind}s`).join(' and ')} are running.`,
    detail: `${[...names, ...more].join('\n')}\n\nKeep them running with an icon in the tray, or stop them. What they have done so far is kept.`,
  }
}
