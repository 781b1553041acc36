import type { AgentRun } from './contract/agents'
import type { Estimate, EstimatedAmounts, Spread } from './contract/estimate'
import { counted } from './countedText'
import { durationText } from './durationText'
import { CHECK_ROLE } from './hostCheck'

const MIN_OWN_TURNS = 3

export type EarlierTurn = Pick<
  AgentRun,
  'agent' | 'turn' | 'state' | 'status' | 'startedAt' | 'endedAt' | 'tokens' | 'cost'
>

interface EstimateRequest {
  readonly project: number
  readonly system: string
  readonly roles: readonly { readonly role: string; readonly agent: string | null }[]
  /** Null where the format has no tasks, or they are not known. */
  readonly openTasks: number | null
  readonly maxTurns?: number | undefined
  readonly turns: readonly EarlierTurn[]
}

export function estimateStart(request: EstimateRequest): Estimate | undefined {
  const { project, system, roles, openTasks, maxTurns = Infinity } = request
  const earlier = request.turns.filter(
    ({ turn, state, status, startedAt }) =>
      turn?.system === system &&
      turn.role !== CHECK_ROLE &&
      state === 'ended' &&
      status !== 'stopped' &&
      startedAt !== null,
  )
  const samples = roles.flatMap(({ role, agent }) => {
    if (agent === null) return []
    const alike = earlier.filter((one) => one.turn?.role === role && one.agent === agent)
    return { role, turns: preferOwn(alike, project), perTask: turnsPerTask(earlier, role, project) }
  })
  const known = samples.filter(({ turns }) => turns.length > 0)
  const used = known.flatMap(({ turns }) => turns)
  if (used.length === 0) return undefined
  const expected = openTasks === null ? null : addAll(known.map(({ perTask }) => perTask && perTask * openTasks))
  const share = expected === null || expected <= maxTurns ? 1 : maxTurns / expected
  const parts = known.map(({ turns, perTask }) => ({ turns, count: share * (openTasks ?? 0) * (perTask ?? 0) }))
  return {
    basedOn: used.length,
    priced: used.filter(({ cost }) => cost !== null).length,
    isOfProject: used.every(({ turn }) => turn?.project === project),
    perTurn: amountsOf((measure) => spread(used.flatMap((turn) => measure(turn) ?? []))),
    total:
      expected === null
        ? null
        : amountsOf((measure) =>
            sumSpreads(
              parts.map(({ turns, count }) => {
                const each = spread(turns.flatMap((turn) => measure(turn) ?? []))
                return each && times(each, count)
              }),
            ),
          ),
    turns: expected === null ? null : expected * share,
    newRoles: samples.filter(({ turns }) => turns.length === 0).map(({ role }) => role),
  }
}

type Measure = (turn: EarlierTurn) => number | null

const amountsOf = (of: (measure: Measure) => Spread | null): EstimatedAmounts => ({
  tokens: of(({ tokens }) => tokens),
  cost: of(({ cost }) => cost),
  time: of(({ startedAt, endedAt }) => (startedAt === null || endedAt === null ? null : endedAt - startedAt)),
})

function preferOwn(turns: readonly EarlierTurn[], project: number): readonly EarlierTurn[] {
  const own = turns.filter(({ turn }) => turn?.project === project)
  return own.length >= MIN_OWN_TURNS ? own : turns
}

function turnsPerTask(earlier: readonly EarlierTurn[], role: string, project: number): number | null {
  const turns = preferOwn(earlier, project)
  const tasks = new Set(
    turns.flatMap(({ turn }) =>
      !turn || turn.task === null ? [] : JSON.stringify([turn.project, turn.run?.id ?? turn.place, turn.task]),
    ),
  )
  return tasks.size === 0 ? null : turns.filter(({ turn }) => turn?.role === role).length / tasks.size
}

const addAll = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((sum, number) => (sum === null || number === null ? null : sum + number), 0)

export function spread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => {
    const place = part * (sorted.length - 1)
    const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    return below + (above - below) * (place - Math.floor(place))
  }
  return { low: at(0.25), middle: at(0.5), high: at(0.75) }
}

const times = ({ low, middle, high }: Spread, count: number): Spread => ({
  low: low * count,
  middle: middle * count,
  high: high * count,
})

const sumSpreads = (spreads: readonly (Spread | null)[]): Spread | null =>
  spreads.reduce(
    (sum, each) =>
      sum && each && { low: sum.low + each.low, middle: sum.middle + each.middle, high: sum.high + each.high },
    { low: 0, middle: 0, high: 0 },
  )

export const NO_ESTIMATE = 'No estimate: no earlier turns.'

export function estimateText(estimate: Estimate): string {
  const { basedOn, priced, isOfProject, perTurn, total, turns, newRoles } = estimate
  const { tokens, cost, time } = total ?? perTurn
  const head = turns === null || !total ? 'each turn' : `about ${counted(Math.max(1, Math.round(turns)), 'turn')}`
  const amounts = [
    tokens ? spreadText(tokens, tokensText) : 'tokens unknown',
    cost ? spreadText(cost, dollarsText) : 'cost unknown',
    time ? `${spreadText(time, durationText)} of work` : 'time unknown',
  ]
  const unpriced = priced === basedOn || priced === 0 ? '' : `, ${priced} of them with a known cost`
  const where = isOfProject ? ' in this project' : ''
  const more = newRoles.length === 0 ? '' : ` Not counted: ${newRoles.join(', ')}, without an earlier turn.`
  return `${head}: ${amounts.join(', ')}. From ${counted(basedOn, 'earlier turn')}${where}${unpriced}.${more}`
}

const tokensText = (tokens: number): string => `${Number(tokens.toPrecision(3)).toLocaleString('en')} tokens`
const dollarsText = (amount: number): string => `$${amount.toFixed(2)}`

function spreadText(value: Spread, text: (amount: number) => string): string {
  const [low, middle, high] = [text(value.low), text(value.middle), text(value.high)]
  return low === high ? middle : `${middle} (${low.replace(' tokens', '')} to ${high.replace(' tokens', '')})`
}
