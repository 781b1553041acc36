import { toFailure } from '@shared/contract/errors'
import { SerialQueue } from '@shared/serialQueue'
import { storedJson } from '@shared/storedJson'
import { addedTurnRecords, type TurnRecord } from '@shared/turnRecord'
import type { AgentResult } from '../agents/agent'
import type { LoopWork } from './loop'
import { holdForLost } from './lostWork'
import {
  askedAndHeld,
  namedCommits,
  noTurns,
  openTurnsSchema,
  placeOf,
  recordsOf,
  withElsewhere,
  withNamed,
  type OpenTurn,
  type OpenTurns,
} from './openTurns'
import { findingsOf } from './turnObserver'

interface TurnsTogetherOptions {
  readonly work: Pick<LoopWork, 'trusted' | 'log' | 'remembered' | 'holds' | 'elsewhere'>
  readonly place: string
  readonly ignored: readonly string[]
}

/**
 * Git is asked whenever an agent begins or ends. A commit is one agent's where only that one was at work or only its
 * answer names it; else it is shared.
 */
export class TurnsTogether {
  readonly #options: TurnsTogetherOptions
  readonly #name: string
  readonly #queue = new SerialQueue()

  constructor(options: TurnsTogetherOptions) {
    this.#options = options
    this.#name = `turns open ${options.place}`
  }

  observed<Work extends Pick<LoopWork, 'spawn' | 'adopt'>>(work: Work): Work {
    return {
      ...work,
      spawn: async (role, request, hooks = {}) => {
        let log = ''
        const around = {
          begin: () => this.#begin({ role, task: request.task ?? null, log }),
          end: () => this.#end(log),
        }
        const follow: NonNullable<typeof hooks.follow> = (run) => {
          log = run.run
          hooks.follow?.(run)
        }
        try {
          const result = await work.spawn(role, { ...request, around }, { ...hooks, follow })
          await this.#claim(result)
          return result
        } finally {
          await this.#end(log)
        }
      },
      adopt: async (role, run, request, hooks) => {
        try {
          const result = await work.adopt(role, run, request, hooks)
          await this.#end(run)
          if (result) await this.#claim(result)
          return result
        } finally {
          await this.#end(run)
        }
      },
    }
  }

  watch(): () => void {
    return this.#options.work.elsewhere.watch(({ isOwn, named }) =>
      this.#queue.run(async () => {
        if (isOwn || this.#open.turns.every(({ endedAt, isElsewhere }) => endedAt !== null || isElsewhere)) return
        if (named) this.#save(withNamed(this.#open, named))
        else await this.#change((turns) => [...turns])
      }),
    )
  }

  /**
   * Once none of them works any more, also where their host was killed: each gets its record.
   * @returns those
   */
  async close(): Promise<readonly TurnRecord[]> {
    if (this.#open === noTurns) return []
    return this.#queue.run(async () => {
      const { open } = await this.#asked()
      const records = recordsOf(open)
      holdForLost(this.#options.work, records)
      this.#options.work.remembered.set({
        [this.#name]: null,
        ...addedTurnRecords(this.#options.work.remembered, records),
      })
      for (const text of records.flatMap(findingsOf)) this.#options.work.log('warn', text)
      return records
    })
  }

  #begin(begun: Pick<OpenTurn, 'role' | 'task' | 'log'>): Promise<void> {
    return this.#queue.run(() =>
      this.#change((turns, at) => [
        ...turns,
        { ...begun, startedAt: Date.now(), endedAt: null, before: at, after: at, named: [] },
      ]),
    )
  }

  async #end(log: string): Promise<void> {
    const isOpen = (turn: OpenTurn) => turn.log === log && turn.endedAt === null
    await this.#queue.run(async () => {
      if (this.#open.turns.some(isOpen))
        await this.#change((turns, after) =>
          turns.map((turn) => (isOpen(turn) ? { ...turn, endedAt: Date.now(), after } : turn)),
        )
    })
  }

  async #change(change: (turns: readonly OpenTurn[], at: OpenTurn['before']) => OpenTurn[]): Promise<void> {
    const { open, isCurrent } = await this.#asked()
    const turns = change(withElsewhere(open, this.#options.work.elsewhere.agents()), placeOf(open))
    const working = turns.flatMap(({ endedAt }, index) => (endedAt === null ? [index] : []))
    this.#save({ ...open, turns, worked: isCurrent ? working : [...new Set([...open.worked, ...working])] })
  }

  #claim(result: AgentResult): Promise<void> {
    const named = namedCommits(result)
    return this.#queue.run(() => {
      if (named.length > 0) this.#save(withNamed(this.#open, { log: result.log, named }))
      return Promise.resolve()
    })
  }

  get #open(): OpenTurns {
    return storedJson(this.#options.work.remembered.get(this.#name), openTurnsSchema) ?? noTurns
  }

  #save(open: OpenTurns): void {
    this.#options.work.remembered.set({ [this.#name]: JSON.stringify(open) })
  }

  /** Where git cannot tell now, its next answer stands for this time too. */
  async #asked(): Promise<{ readonly open: OpenTurns; readonly isCurrent: boolean }> {
    const { work, ignored } = this.#options
    const open = this.#open
    try {
      return { open: await askedAndHeld(work, open, ignored), isCurrent: true }
    } catch (error) {
      work.log('warn', `Cannot tell what the agents committed: ${toFailure(error).message}`)
      return { open, isCurrent: false }
    }
  }
}
