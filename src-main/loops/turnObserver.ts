import { AppError, toFailure } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { listNames } from '@shared/listNames'
import { SerialQueue } from '@shared/serialQueue'
import { turnRecords, type RepositoryState, type TurnRecord } from '@shared/turnRecord'
import { isWithoutAnswer, type AgentResult, type FollowAgentRun } from '../agents/agent'
import { commitsBetween, hasFileSince, readRepositoryState } from '../git/repositoryState'
import type { TrustedFolder } from '../git/trustedFolder'
import type { LoopWork } from './loop'
import { askedAndHeld, namedCommits, placeOf, recordsOf, withElsewhere, withNamed, type OpenTurns } from './openTurns'
import { holdForGone, holdForLost, shortNames, tookOff, whoIn } from './lostWork'
import type { NamedCommits } from './treeAgents'
import type { OpenTurn, TurnStore } from './turnStore'

interface TurnObserverOptions {
  readonly work: Pick<LoopWork, 'trusted' | 'log' | 'adopt' | 'remembered' | 'holds' | 'elsewhere'>
  readonly turns: TurnStore<unknown>
  readonly ignored?: readonly string[]
  /** Called before the turn is over. Idempotent. */
  readonly file?: (record: TurnRecord) => Promise<void>
}

interface BegunTurn extends Pick<TurnRecord, 'role' | 'task' | 'taskTitle'> {
  /** ms */
  readonly timeLimit?: number | undefined
}

interface TurnEnd {
  readonly record: TurnRecord | null
  /** Null where git cannot tell. */
  readonly hasChanged: boolean | null
}

export interface ObservedTurn extends TurnEnd {
  readonly result: AgentResult
}

/**
 * Each commit between the looks before and after a turn is the turn's, whatever its agent reports. This holds also for
 * an agent that outlived its host.
 */
export class TurnObserver {
  readonly #options: TurnObserverOptions
  readonly #queue = new SerialQueue()

  constructor(options: TurnObserverOptions) {
    this.#options = options
  }

  /** @param run starts the agent, unless it answered already when an earlier host ended; `follow` gets its run */
  async observe(
    { role, task, taskTitle, timeLimit }: BegunTurn,
    run: (follow: FollowAgentRun) => Promise<AgentResult>,
  ): Promise<ObservedTurn> {
    const answered = await this.#answered(role, task)
    if (answered) return answered
    const { turns } = this.#options
    const state = await this.#state()
    const turn: OpenTurn = {
      role,
      task,
      taskTitle,
      startedAt: Date.now(),
      state,
      run: null,
      timeLimit: timeLimit ?? null,
    }
    turns.open(turn)
    await this.#look()
    const unwatch = this.#watch()
    const result = await run(({ run: id }) => {
      const open = turns.openTurn
      if (open && open.run !== id) turns.open({ ...open, run: id })
    })
      .catch(async (error: unknown) => {
        await this.#end(null)
        throw error
      })
      .finally(unwatch)
    const end = await this.#end(result)
    turns.useAnswer()
    return { result, ...end }
  }

  /**
   * A turn that was cut off with its host ends with its agent's answer, else with what the agent has committed by now.
   * @returns how its agent ended, or the last one whose answer waits for the loop; null where unknown
   * @throws AppError CANCELLED when the agent was stopped meanwhile
   */
  async settle(): Promise<AgentResult | null> {
    const { turns, work } = this.#options
    const { openTurn, lastAnswer } = turns
    if (!openTurn) return lastAnswer ? work.adopt(lastAnswer.role, lastAnswer.run) : null
    const { role, run, timeLimit } = openTurn
    const unwatch = this.#watch()
    const adopted = run === null ? null : work.adopt(role, run, timeLimit === null ? {} : { timeLimit })
    const result = await Promise.resolve(adopted).finally(unwatch)
    await this.#end(result)
    if (result?.status === 'stopped')
      throw new AppError('CANCELLED', `The ${role} was stopped.`, { hint: 'Start the run to continue.' })
    if (run !== null && (!result || isWithoutAnswer(result)))
      work.log('warn', `The ${role} gave no answer before it ended with Bridgedeck.`)
    return result
  }

  async #answered(role: string, task: string | null): Promise<ObservedTurn | undefined> {
    const { turns, work } = this.#options
    const answer = turns.nextAnswer({ role, task })
    const result = answer && (await work.adopt(role, answer.run))
    if (!result) {
      if (answer) turns.forgetAnswers()
      return undefined
    }
    turns.useAnswer()
    work.log('info', `Using the answer that the ${role} gave after Bridgedeck ended.`)
    const record = turnRecords(work.remembered).find(({ log }) => log === result.log) ?? null
    return { result, record, hasChanged: record && record.commits.length > 0 ? true : null }
  }

  #watch(): () => void {
    return this.#options.work.elsewhere.watch(({ named }) => this.#look(named))
  }

  /** Git is asked whenever an agent begins or ends in the tree, those of other loops included. */
  #look(named?: NamedCommits): Promise<void> {
    const { turns, work, ignored = [] } = this.#options
    return this.#queue.run(async () => {
      const turn = turns.openTurn
      const others = work.elsewhere.agents()
      if (!turn?.state || (!turn.together && others.length === 0)) return
      const known = turn.together ?? aloneSince(turn, turn.state)
      if (named) {
        turns.open({ ...turn, together: withNamed(known, named) })
        return
      }
      const asked = await this.#ask(() => askedAndHeld(work, known, ignored))
      if (!asked) return
      const together = { ...asked, turns: withElsewhere(asked, others) }
      const isOwn = others.length === 0 || work.elsewhere.isAtWork()
      const worked = together.turns.flatMap(({ isElsewhere, endedAt }, index) =>
        (isElsewhere ? endedAt === null : isOwn) ? [index] : [],
      )
      turns.open({ ...(turns.openTurn ?? turn), together: { ...together, worked } })
    })
  }

  async #recordsTogether(
    { run, together }: OpenTurn & { readonly together: OpenTurns },
    result: AgentResult | null,
  ): Promise<readonly TurnRecord[] | null> {
    const { work, ignored = [] } = this.#options
    const asked = await this.#ask(() => askedAndHeld(work, together, ignored))
    const [own, ...others] = asked?.turns ?? []
    if (!asked || !own) return null
    const log = result?.log ?? run ?? ''
    const named = result ? namedCommits(result) : []
    const ended = { ...own, log, named, endedAt: Date.now(), after: placeOf(asked) }
    return recordsOf({ ...asked, turns: [ended, ...others] })
  }

  #end(result: AgentResult | null): Promise<TurnEnd> {
    return this.#queue.run(() => this.#close(result))
  }

  async #close(result: AgentResult | null): Promise<TurnEnd> {
    const { turns, file, work } = this.#options
    const turn = turns.openTurn
    if (!turn) return { record: null, hasChanged: null }
    const { role, task, taskTitle, run, startedAt, state: before, together } = turn
    const answer = result && !isWithoutAnswer(result) && run !== null ? { role, task, run } : null
    if (together) {
      const records = await this.#recordsTogether({ ...turn, together }, result)
      const [record = null] = records ?? []
      if (record) await file?.(record)
      holdForLost(work, records ?? [])
      turns.close(records ?? [], answer)
      for (const text of (records ?? []).flatMap(findingsOf)) work.log('warn', text)
      return { record, hasChanged: records && records.some(hasChanges) }
    }
    const after = before && (await this.#state())
    const found = after && (await this.#ask(() => commitsBetween(work.trusted(), before, after)))
    if (!after || !found) {
      turns.close([], answer)
      return { record: null, hasChanged: null }
    }
    const record: TurnRecord = {
      role,
      task,
      taskTitle,
      log: result?.log ?? run ?? '',
      startedAt,
      endedAt: Date.now(),
      before: { head: before.head, branch: before.branch },
      after: { head: after.head, branch: after.branch },
      commits: [...found.made],
      elsewhere: [...found.elsewhere],
      left: [...found.left],
      uncommitted: after.uncommitted.filter((path) => !before.uncommitted.includes(path)),
    }
    await file?.(record)
    const hasChanged = await this.#ask(() => hasWorked(work.trusted(), record, before, after))
    holdForLost(work, [record])
    holdForGone(work.holds, before, after, [role])
    turns.close([record], answer)
    for (const text of findingsOf(record)) work.log('warn', text)
    return { record, hasChanged }
  }

  #state(): Promise<RepositoryState | null> {
    return this.#ask(() => readRepositoryState(this.#options.work.trusted(), this.#options.ignored))
  }

  /** A stop does not cancel this, as the turn was taken. */
  async #ask<T>(question: () => Promise<T>): Promise<T | null> {
    try {
      return await question()
    } catch (error) {
      this.#options.work.log('warn', `Cannot tell what the turn committed: ${toFailure(error).message}`)
      return null
    }
  }
}

const aloneSince = ({ role, task, taskTitle, run, startedAt }: OpenTurn, state: RepositoryState): OpenTurns => {
  const at = placeOf({ state })
  const own = { role, task, taskTitle, log: run ?? '', startedAt, endedAt: null, before: at, after: at, named: [] }
  return { state, turns: [own], worked: [0], changes: [] }
}

const hasChanges = ({ commits, elsewhere, left, uncommitted }: TurnRecord): boolean =>
  commits.length + elsewhere.length + left.length + uncommitted.length > 0

async function hasWorked(
  at: TrustedFolder,
  { commits, elsewhere, left, startedAt }: TurnRecord,
  before: RepositoryState,
  after: RepositoryState,
): Promise<boolean | null> {
  if (before.head !== after.head || before.branch !== after.branch) return true
  if (commits.length + elsewhere.length + left.length > 0) return true
  if (before.uncommitted.join('\0') !== after.uncommitted.join('\0')) return true
  if (after.head === null && after.uncommitted.length === 0) return null
  return hasFileSince(at, after.uncommitted, startedAt)
}

const isNowhere = ({ head, branch }: TurnRecord['after']): boolean => head === null && branch === null

export function findingsOf({ role, task, before, after, elsewhere, left, uncommitted }: TurnRecord): string[] {
  const who = whoIn({ role, task })
  return [
    ...(before.branch === after.branch || isNowhere(after)
      ? []
      : [`${who} changed the branch from ${before.branch ?? 'none'} to ${after.branch ?? 'none'}.`]),
    ...(left.length === 0 ? [] : [`${who} ${tookOff(left)}`]),
    ...(elsewhere.length === 0
      ? []
      : [`${who} made ${counted(elsewhere.length, 'commit')} on another branch: ${shortNames(elsewhere)}.`]),
    ...(uncommitted.length === 0 ? [] : [`${who} left uncommitted changes in ${listNames(uncommitted)}.`]),
  ]
}
