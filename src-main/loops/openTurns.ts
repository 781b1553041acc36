import { z } from 'zod'
import { listNames } from '@shared/listNames'
import { repositoryStateSchema, type RepositoryState, type TurnRecord } from '@shared/turnRecord'
import type { AgentResult } from '../agents/agent'
import { commitsBetween, readRepositoryState } from '../git/repositoryState'
import type { TrustedFolder } from '../git/trustedFolder'
import type { LoopWork } from './loop'
import { holdForGone } from './lostWork'
import type { NamedCommits, TreeAgent } from './treeAgents'

const place = repositoryStateSchema.pick({ head: true, branch: true })
const members = z.array(z.int())

const turnSchema = z.object({
  role: z.string(),
  task: z.string().nullable(),
  taskTitle: z.string().optional(),
  log: z.string(),
  /** ms since 1970 */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  before: place,
  after: place,
  named: z.array(z.string()).default([]),
  isElsewhere: z.literal(true).optional(),
})
export type OpenTurn = z.infer<typeof turnSchema>

const changeSchema = z.object({
  kind: z.enum(['commits', 'elsewhere', 'left', 'uncommitted']),
  name: z.string(),
  members,
})
type Change = z.infer<typeof changeSchema>

export const openTurnsSchema = z.object({
  /** Null where git never could tell. */
  state: repositoryStateSchema.nullable(),
  turns: z.array(turnSchema),
  worked: members,
  changes: z.array(changeSchema),
})
export type OpenTurns = z.infer<typeof openTurnsSchema>

const MAX_NAMED_COMMITS = 500

export const noTurns: OpenTurns = { state: null, turns: [], worked: [], changes: [] }

export const namedCommits = ({ data }: Pick<AgentResult, 'data'>): string[] =>
  [...new Set(data.toLowerCase().match(/\b[0-9a-f]{7,64}\b/g) ?? [])].slice(-MAX_NAMED_COMMITS)

export const withNamed = (open: OpenTurns, { log, named }: NamedCommits): OpenTurns => ({
  ...open,
  turns: open.turns.map((turn) => (turn.log === log ? { ...turn, named: [...named] } : turn)),
})

/**
 * Adds what git says has come since it was last asked.
 * @throws AppError when it cannot tell
 */
async function askedAgain(open: OpenTurns, at: TrustedFolder, ignored: readonly string[]): Promise<OpenTurns> {
  const state = await readRepositoryState(at, ignored)
  const before = open.state
  if (before === null || open.worked.length === 0) return { ...open, state }
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
  return { ...open, state, changes }
}

/** @throws AppError when git cannot tell */
export async function askedAndHeld(
  { trusted, holds }: Pick<LoopWork, 'trusted' | 'holds'>,
  open: OpenTurns,
  ignored: readonly string[],
): Promise<OpenTurns> {
  const asked = await askedAgain(open, trusted(), ignored)
  const roles = open.worked.flatMap((index) => open.turns[index]?.role ?? [])
  holdForGone(holds, open.state, asked.state, roles)
  return asked
}

export function withElsewhere({ turns, state }: OpenTurns, agents: readonly TreeAgent[]): OpenTurn[] {
  const at = placeOf({ state })
  const isAtWork = (turn: OpenTurn) => agents.some(({ log }) => log === turn.log)
  const added = agents.filter(({ log }) => !turns.some((turn) => turn.log === log))
  return [
    ...turns.map((turn) =>
      turn.isElsewhere && turn.endedAt === null && !isAtWork(turn) ? { ...turn, endedAt: Date.now(), after: at } : turn,
    ),
    ...added.map(({ role, log }): OpenTurn => ({
      role,
      task: null,
      log,
      startedAt: Date.now(),
      endedAt: null,
      before: at,
      after: at,
      named: [],
      isElsewhere: true,
    })),
  ]
}

export const placeOf = ({ state }: Pick<OpenTurns, 'state'>): OpenTurn['before'] => ({
  head: state?.head ?? null,
  branch: state?.branch ?? null,
})

const isSameHistory = (before: RepositoryState, after: RepositoryState): boolean =>
  before.head === after.head && before.tips.join() === after.tips.join()

/** One record for each turn, then one for each group of agents that share something; none without a repository. */
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
    isElsewhere: _isElsewhere,
    ...turn
  }: OpenTurn): Omit<TurnRecord, keyof ReturnType<typeof owned>> => ({
    ...turn,
    ...(endedAt === null ? { endedAt: Date.now(), after: placeOf(open) } : { endedAt, after }),
  })
  const isOwn = (index: number) => turns[index] !== undefined && !turns[index].isElsewhere
  const groups = new Map(changes.map((change) => [ownersOf(change, turns).join(), ownersOf(change, turns)]))
  const shared = [...groups.values()].filter((owners) => owners.length > 1 && owners.some(isOwn))
  return [
    ...turns.flatMap((turn, index) => (isOwn(index) ? [{ ...ended(turn), ...owned([index]) }] : [])),
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

/** All agents at work then; for a commit only those whose answers name it, if any do. */
function ownersOf({ kind, name, members: among }: Change, turns: readonly OpenTurn[]): readonly number[] {
  const isNamedBy = (index: number) => turns[index]?.named.some((hash) => name.startsWith(hash)) === true
  const claims = kind === 'uncommitted' ? [] : among.filter(isNamedBy)
  return claims.length > 0 ? claims : among
}
