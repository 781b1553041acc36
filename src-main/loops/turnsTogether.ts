import { z } from 'zod'
import { toFailure } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import { SerialQueue } from '@shared/serialQueue'
import { storedJson } from '@shared/storedJson'
import { addedTurnRecords, repositoryStateSchema, type RepositoryState, type TurnRecord } from '@shared/turnRecord'
import type { AgentResult } from '../agents/agent'
import { commitsBetween, readRepositoryState } from '../git/repositoryState'
import type { LoopWork } from './loop'
import { findingsOf } from './turnObserver'

const place = repositoryStateSchema.pick({ head: true, branch: true })
const members = z.array(z.int())

const turnSchema = z.object({
  role: z.string(),
  task: z.string().nullable(),
  log: z.string(),
  /** ms since 1970 */
  startedAt: z.number(),
  /** Null while it works. */
  endedAt: z.number().nullable(),
  before: place,
  after: place,
  /** What its answer has that may be a commit. */
  named: z.array(z.string()).default([]),
})
type OpenTurn = z.infer<typeof turnSchema>

const changeSchema = z.object({
  kind: z.enum(['commits', 'elsewhere', 'left', 'uncommitted']),
  /** A commit's hash, or a file. */
  name: z.string(),
  /** Which turns were under way when it came. */
  members,
})
type Change = z.infer<typeof changeSchema>

const openSchema = z.object({
  /** When git was last asked; null where it never could tell. */
  state: repositoryStateSchema.nullable(),
  turns: z.array(turnSchema),
  /** Those under way at any time since git was last asked. */
  worked: members,
  /** The oldest first. */
  changes: z.array(changeSchema),
})
type OpenTurns = z.infer<typeof openSchema>

/** Of one answer. */
const MAX_NAMED_COMMITS = 500

const nothing: OpenTurns = { state: null, turns: [], worked: [], changes: [] }

interface TurnsTogetherOptions {
  readonly work: Pick<LoopWork, 'trusted' | 'log' | 'remembered'>
  /** That names the loop. */
  readonly place: string
  /** Below the run's folder: what lies there is no work that an agent commits. */
  readonly ignored: readonly string[]
}

/**
 * Turns of agents that work in one tree at once. Git is asked whenever one of them begins or ends: what came in between is of those
 * that were at work then. It is one agent's where only that one was, or only its answer names the commit; else it is shared.
 */
export class TurnsTogether {
  readonly #options: TurnsTogetherOptions
  readonly #name: string
  readonly #queue = new SerialQueue()

  constructor(options: TurnsTogetherOptions) {
    this.#options = options
    this.#name = `turns open ${options.place}`
  }

  /** The same work, each of whose agents has a turn here. */
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

  /** Once none of them works any more, also where their host was killed: each gets its record. @returns those */
  async close(): Promise<readonly TurnRecord[]> {
    if (this.#open === nothing) return []
    return this.#queue.run(async () => {
      const { open } = await this.#asked()
      const records = recordsOf(open)
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

  async #change(change: (turns: readonly OpenTurn[], at: OpenTurn['before']) => readonly OpenTurn[]): Promise<void> {
    const { open, isCurrent } = await this.#asked()
    const turns = [...change(open.turns, placeOf(open))]
    const working = turns.flatMap(({ endedAt }, index) => (endedAt === null ? [index] : []))
    this.#save({ ...open, turns, worked: isCurrent ? working : [...new Set([...open.worked, ...working])] })
  }

  /** What it names is looked for once all is known. */
  #claim({ log, data }: AgentResult): Promise<void> {
    const named = [...new Set(data.toLowerCase().match(/\b[0-9a-f]{7,64}\b/g) ?? [])].slice(-MAX_NAMED_COMMITS)
    return this.#queue.run(() => {
      const open = this.#open
      if (named.length > 0)
        this.#save({ ...open, turns: open.turns.map((turn) => (turn.log === log ? { ...turn, named } : turn)) })
      return Promise.resolve()
    })
  }

  get #open(): OpenTurns {
    return storedJson(this.#options.work.remembered.get(this.#name), openSchema) ?? nothing
  }

  #save(open: OpenTurns): void {
    this.#options.work.remembered.set({ [this.#name]: JSON.stringify(open) })
  }

  /** With what git says came since it was last asked; where it cannot tell now, the next answer stands for this time too. */
  async #asked(): Promise<{ readonly open: OpenTurns; readonly isCurrent: boolean }> {
    const { work, ignored } = this.#options
    const open = this.#open
    try {
      const at = work.trusted()
      const state = await readRepositoryState(at, ignored)
      const before = open.state
      if (before === null || open.worked.length === 0) return { open: { ...open, state }, isCurrent: true }
      const found = isSameHistory(before, state)
        ? { made: [], elsewhere: [], left: [] }
        : await commitsBetween(at, before, state)
      const change = (kind: Change['kind'], names: readonly string[]): Change[] =>
        names.map((name) => ({ kind, name, members: open.worked }))
      const changes = [
        ...open.changes.filter(({ kind, name }) => kind !== 'uncommitted' || state.uncommitted.includes(name)),
        ...change('commits', found.made),
        ...change('elsewhere', found.elsewhere),
        ...change('left', found.left),
        ...change(
          'uncommitted',
          state.uncommitted.filter((path) => !before.uncommitted.includes(path)),
        ),
      ]
      return { open: { ...open, state, changes }, isCurrent: true }
    } catch (error) {
      work.log('warn', `Cannot tell what the agents committed: ${toFailure(error).message}`)
      return { open, isCurrent: false }
    }
  }
}

const placeOf = ({ state }: OpenTurns): OpenTurn['before'] => ({
  head: state?.head ?? null,
  branch: state?.branch ?? null,
})

const isSameHistory = (before: RepositoryState, after: RepositoryState): boolean =>
  before.head === after.head && before.tips.join() === after.tips.join()

/** One for each turn, and one for each group of agents that share something; none where there is no repository. */
export function recordsOf(open: OpenTurns): TurnRecord[] {
  const { turns, changes } = open
  if (placeOf(open).head === null && turns.every(({ before, after }) => (before.head ?? after.head) === null)) return []
  const owned = (owners: readonly number[]) => {
    const own = changes.filter((change) => ownersOf(change, turns).join() === owners.join())
    const names = (kind: Change['kind']) => own.filter((change) => change.kind === kind).map(({ name }) => name)
    return {
      commits: names('commits'),
      elsewhere: names('elsewhere'),
      left: names('left'),
      uncommitted: names('uncommitted'),
    }
  }
  const ended = ({
    endedAt,
    after,
    named: _named,
    ...turn
  }: OpenTurn): Omit<TurnRecord, keyof ReturnType<typeof owned>> => ({
    ...turn,
    ...(endedAt === null ? { endedAt: Date.now(), after: placeOf(open) } : { endedAt, after }),
  })
  const groups = new Map(changes.map((change) => [ownersOf(change, turns).join(), ownersOf(change, turns)]))
  const shared = [...groups.values()].filter((owners) => owners.length > 1)
  return [
    ...turns.map((turn, index) => ({ ...ended(turn), ...owned([index]) })),
    ...shared.map((owners): TurnRecord => {
      const each = owners.flatMap((index) => turns[index] ?? []).map(ended)
      return {
        role: listNames(each.map(({ role }) => role)),
        task: null,
        log: '',
        startedAt: Math.min(...each.map(({ startedAt }) => startedAt)),
        endedAt: Math.max(...each.map(({ endedAt }) => endedAt)),
        before: each[0]?.before ?? placeOf(open),
        after: each.at(-1)?.after ?? placeOf(open),
        ...owned(owners),
        shared: each.map(({ role, task, log }) => ({ role, task, log })),
      }
    }),
  ]
}

/** Those that were at work; of a commit those of them whose answers name it, where any does. */
function ownersOf({ kind, name, members: among }: Change, turns: readonly OpenTurn[]): readonly number[] {
  const isNamedBy = (index: number) => turns[index]?.named.some((hash) => name.startsWith(hash)) === true
  const claims = kind === 'uncommitted' ? [] : among.filter(isNamedBy)
  return claims.length > 0 ? claims : among
}
