import { toFailure } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import type { RepositoryState, TurnRecord } from '@shared/turnRecord'
import type { AgentResult } from '../agents/agent'
import { commitsBetween, readRepositoryState } from '../git/repositoryState'
import type { LoopWork } from './loop'
import type { OpenTurn, TurnStore } from './turnStore'

interface TurnObserverOptions {
  readonly work: Pick<LoopWork, 'trusted' | 'log'>
  readonly turns: Pick<TurnStore<unknown>, 'open' | 'openTurn' | 'close'>
  /** Below the run's folder: what lies there is no work that an agent commits. */
  readonly ignored?: readonly string[]
  /** Has the commits written to the run's files, before the turn is over. To do it twice changes nothing. */
  readonly file?: (record: TurnRecord) => Promise<void>
}

/** Records of each turn what git had before and after: each commit made in between is the turn's, whatever its agent reports. */
export class TurnObserver {
  readonly #options: TurnObserverOptions

  constructor(options: TurnObserverOptions) {
    this.#options = options
  }

  /** The record is null where git cannot tell. */
  async observe(
    { role, task, taskTitle }: Pick<TurnRecord, 'role' | 'task' | 'taskTitle'>,
    run: () => Promise<AgentResult>,
  ): Promise<{ readonly result: AgentResult; readonly record: TurnRecord | null }> {
    const state = await this.#state()
    if (!state) return { result: await run(), record: null }
    const turn: OpenTurn = { role, task, taskTitle, startedAt: Date.now(), state }
    this.#options.turns.open(turn)
    const result = await run().catch(async (error: unknown) => {
      await this.#end(turn, '')
      throw error
    })
    return { result, record: await this.#end(turn, result.log) }
  }

  /** What a turn committed that was cut off with its host, by now. */
  async settle(): Promise<void> {
    const { openTurn } = this.#options.turns
    if (openTurn) await this.#end(openTurn, '')
  }

  async #end({ role, task, taskTitle, startedAt, state: before }: OpenTurn, log: string): Promise<TurnRecord | null> {
    const { turns, file, work } = this.#options
    const after = await this.#state()
    const found = after && (await this.#ask(() => commitsBetween(work.trusted(), before, after)))
    if (!after || !found) {
      turns.close(null)
      return null
    }
    const record: TurnRecord = {
      ...{ role, task, taskTitle, log, startedAt, endedAt: Date.now() },
      before: { head: before.head, branch: before.branch },
      after: { head: after.head, branch: after.branch },
      commits: [...found.made],
      elsewhere: [...found.elsewhere],
      left: [...found.left],
      uncommitted: after.uncommitted.filter((path) => !before.uncommitted.includes(path)),
    }
    await file?.(record)
    turns.close(record)
    for (const text of findingsOf(record)) work.log('warn', text)
    return record
  }

  #state(): Promise<RepositoryState | null> {
    return this.#ask(() => readRepositoryState(this.#options.work.trusted(), this.#options.ignored))
  }

  /** Also after a stop, as the turn was taken: nothing here is cancelled. */
  async #ask<T>(question: () => Promise<T>): Promise<T | null> {
    try {
      return await question()
    } catch (error) {
      this.#options.work.log('warn', `Cannot tell what the turn committed: ${toFailure(error).message}`)
      return null
    }
  }
}

export const shortNames = (commits: readonly string[]): string =>
  listNames(commits.map((commit) => commit.slice(0, 10)))

/** What a turn did in the repository that a person should look at. */
export function findingsOf({ role, task, before, after, elsewhere, left, uncommitted }: TurnRecord): string[] {
  const who = `The ${role}${task === null ? '' : ` of task ${task}`}`
  const count = (hashes: readonly string[]) => `${hashes.length} commit${hashes.length === 1 ? '' : 's'}`
  return [
    ...(before.branch === after.branch
      ? []
      : [`${who} changed the branch from ${before.branch ?? 'none'} to ${after.branch ?? 'none'}.`]),
    ...(left.length === 0 ? [] : [`${who} took ${count(left)} off the branch: ${shortNames(left)}.`]),
    ...(elsewhere.length === 0 ? [] : [`${who} made ${count(elsewhere)} on another branch: ${shortNames(elsewhere)}.`]),
    ...(uncommitted.length === 0 ? [] : [`${who} left uncommitted changes in ${listNames(uncommitted)}.`]),
  ]
}
