/** Compares what a service's ledger has of each run of an agent with what the program told and what Bridgedeck recorded. Pure. */

/** Tokens. */
interface Usage {
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** USD for a million tokens. */
export type Price = Usage

/** A request as the service has it. */
export interface LedgerRequest {
  readonly program: string
  /** Null where its address named none. */
  readonly run: string | null
  /** Told with its answer; null where it had none. */
  readonly usage: Usage | null
  /** Of an answer that was cut: what it had told before, which some programs count. */
  readonly toldBeforeCut: Usage | null
  /** Null where the service has no price for its model. */
  readonly price: Price | null
  /** Whether the answer went out as it should, was spoilt or refused on purpose, or found nobody. */
  readonly outcome: 'delivered' | 'spoilt' | 'refused' | 'lost'
}

/** Of a run of an agent. */
export interface RunAmounts {
  readonly tokens: number | null
  /** USD */
  readonly cost: number | null
}

export interface RecordedRun extends RunAmounts {
  readonly run: string
  readonly program: string
  readonly status: string | null
  /** That it was killed, or its host was and ended it: by us. */
  readonly killed: boolean
  /** What stands in all that it printed; nulls where it told nothing. */
  readonly printed: RunAmounts
  /** That a process began. */
  readonly started: boolean
  /** That it is a turn of a loop, which has a record of its own. */
  readonly hasTurn: boolean
}

export interface NightRecords {
  readonly runs: readonly RecordedRun[]
  /** Runs that the turn records name. */
  readonly turns: readonly string[]
  readonly spending: { readonly cost: number; readonly unpriced: number }
  readonly report: { readonly turns: number; readonly cost: number; readonly unpriced: number }
}

export const noRecords: NightRecords = {
  runs: [],
  turns: [],
  spending: { cost: 0, unpriced: 0 },
  report: { turns: 0, cost: 0, unpriced: 0 },
}

export interface Difference {
  readonly run: string | null
  readonly what: string
  /** What the ledger has beyond the records, where it is an amount. */
  readonly tokens?: number
  readonly cost?: number
  /** Null where nothing explains it. */
  readonly explanation: string | null
}

export interface Comparison {
  readonly ledger: { readonly tokens: number; readonly cost: number }
  readonly recorded: { readonly tokens: number; readonly cost: number }
  readonly differences: readonly Difference[]
}

const totalOf = (all: readonly Amounts[]): Amounts => ({
  tokens: sumOf(all, ({ tokens }) => tokens),
  cost: sumOf(all, ({ cost }) => cost),
})

const sumOf = <Item>(items: readonly Item[], amount: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + amount(item), 0)

interface Amounts {
  readonly tokens: number
  /** USD */
  readonly cost: number
}

const amountsOf = (usage: Usage | null, price: Price | null): Amounts => ({
  tokens: usage ? usage.input + usage.output : 0,
  cost:
    usage && price
      ? ((usage.input - usage.cached) * price.input + usage.cached * price.cached + usage.output * price.output) / 1e6
      : 0,
})

const told = (request: LedgerRequest): Amounts => amountsOf(request.usage, request.price)
const toldBeforeCut = (request: LedgerRequest): Amounts => amountsOf(request.toldBeforeCut, request.price)
const less = (one: Amounts, other: Amounts): Amounts => ({
  tokens: one.tokens - other.tokens,
  cost: one.cost - other.cost,
})
const nothing: Amounts = { tokens: 0, cost: 0 }

/** Of sums of fractions, USD. */
const COST_TOLERANCE = 1e-6
const isSameCost = (one: number, other: number): boolean => Math.abs(one - other) < COST_TOLERANCE

export function compareLedger(ledger: readonly LedgerRequest[], records: NightRecords): Comparison {
  const { runs } = records
  const known = new Set(runs.map(({ run }) => run))
  const strangers = ledger.filter(({ run }) => run === null || !known.has(run))
  return {
    ledger: totalOf(ledger.map(told)),
    recorded: { tokens: sumOf(runs, ({ tokens }) => tokens ?? 0), cost: sumOf(runs, ({ cost }) => cost ?? 0) },
    differences: [
      ...strangers.map(({ run, program }): Difference => ({
        run,
        what: `a request of ${program} is of no run`,
        explanation: null,
      })),
      ...runs.flatMap((run) => [
        ...againstPrinted(run),
        ...againstLedger(
          run,
          ledger.filter((request) => request.run === run.run),
        ),
      ]),
      ...turnDifferences(records),
      ...sumDifferences(records),
    ],
  }
}

/** What a program told must be what was recorded: nothing excuses it. */
const againstPrinted = ({ run, tokens, cost, printed }: RecordedRun): Difference[] => [
  ...(tokens === printed.tokens ? [] : [unexplained(run, `printed ${printed.tokens} tokens, recorded ${tokens}`)]),
  ...(cost === printed.cost || (cost !== null && printed.cost !== null && isSameCost(cost, printed.cost))
    ? []
    : [unexplained(run, `printed $${printed.cost}, recorded $${cost}`)]),
]

function againstLedger(recorded: RecordedRun, requests: readonly LedgerRequest[]): Difference[] {
  const { run, program } = recorded
  const isPriced = recorded.cost !== null || requests.some(({ price }) => price !== null)
  const inLedger = totalOf(requests.map(told))
  const difference = less(isPriced ? inLedger : { ...inLedger, cost: 0 }, {
    tokens: recorded.tokens ?? 0,
    cost: recorded.cost ?? 0,
  })
  if (isNothing(difference)) return []
  const { tokens, cost } = difference
  const what = `${program}: the ledger has ${tokens} tokens${isPriced ? ` and $${cost.toFixed(6)}` : ''} more`
  return [{ run, what, tokens, cost, explanation: explanationOf(recorded, requests, difference) }]
}

const isNothing = ({ tokens, cost }: Amounts): boolean => tokens === 0 && isSameCost(cost, 0)

function explanationOf(
  { status, killed, printed, tokens: recorded, cost: paid }: RecordedRun,
  requests: readonly LedgerRequest[],
  difference: Amounts,
): string | null {
  const lost = requests.filter(({ outcome }) => outcome === 'lost').map(told)
  const cut = requests.filter(({ toldBeforeCut: first }) => first !== null)
  if (isSumOfSome(difference, lost)) return 'the answer reached nobody: the program or the connection was gone'
  // Of a text that was cut Claude Code counts a token that its service never told: `modelUsage` has it, `usage` has not.
  const counted = cut.flatMap((request) =>
    [toldBeforeCut(request), amountsOf({ input: 0, cached: 0, output: 1 }, request.price)].map((amounts) =>
      less(nothing, amounts),
    ),
  )
  if (isSumOfSome(difference, [...lost, ...counted])) return 'the program counts what a cut answer had told before'
  // Nothing else that its service told of is recorded twice, whatever happened.
  if (difference.tokens < 0 || difference.cost < -COST_TOLERANCE) return null
  // It had no time to sum up.
  if (killed && status !== 'success') return 'killed before it told'
  if (status !== 'success' && printed.tokens === null && recorded === null && paid === null)
    return 'the program failed and told no usage'
  return null
}

/** Each may have been counted or not. */
function isSumOfSome(wanted: Amounts, [first, ...others]: readonly Amounts[]): boolean {
  if (isNothing(wanted)) return true
  return first !== undefined && (isSumOfSome(less(wanted, first), others) || isSumOfSome(wanted, others))
}

function turnDifferences({ runs, turns }: NightRecords): Difference[] {
  const known = new Set(runs.map(({ run }) => run))
  const recorded = new Set(turns)
  return [
    ...turns
      .filter((run, index) => turns.indexOf(run) !== index)
      .map((run) => unexplained(run, 'it has two turn records')),
    ...turns
      .filter((run) => !known.has(run))
      .map((run) => unexplained(run, 'a turn record names a run that is not there')),
    ...runs
      .filter(({ run, hasTurn, status }) => hasTurn && status === 'success' && !recorded.has(run))
      .map(({ run }) => unexplained(run, 'a turn that succeeded has no turn record')),
  ]
}

function sumDifferences({ runs, spending, report }: NightRecords): Difference[] {
  const cost = sumOf(runs, (run) => run.cost ?? 0)
  const unpriced = runs.filter((run) => run.started && run.cost === null).length
  const check = (name: string, what: string, said: number, is: number): Difference[] =>
    isSameCost(said, is) ? [] : [unexplained(null, `${name} says ${said} ${what}, the runs ${is}`)]
  return [
    ...check('spending', 'USD', spending.cost, cost),
    ...check('spending', 'unpriced', spending.unpriced, unpriced),
    ...check('report', 'USD', report.cost, cost),
    ...check('report', 'unpriced', report.unpriced, unpriced),
    ...check('report', 'turns', report.turns, runs.length),
  ]
}

const unexplained = (run: string | null, what: string): Difference => ({ run, what, explanation: null })
