/**
 * A night of the four loops with the real programs of agents and a service of ours: hosts, bridges, agents and whole machines are killed
 * at random, and the service misbehaves or is restarted. At its end the service's ledger is compared with all records.
 */
import { agentProgramNames } from '../../scripts/lib/agentPrograms.mjs'
import { ModelApi, type Call } from '../peers/modelApi/modelApi'
import type { Usage } from '../peers/modelApi/script'
import { compareLedger, noRecords, type Comparison, type LedgerRequest, type Price } from './nightLedger'
import { nightLoops } from './nightLoops'
import { nightScript } from './nightScript'
import { badWeather } from './nightWeather'
import { Places } from './places'
import { RealLane, TASKS, type KillKind, type SharedNight } from './realLane'
import { randomOf, shuffled } from './seededRandom'

export interface RealNightOptions {
  /** After which no further project is begun, nothing is killed and the service behaves, ms. */
  readonly time: number
  readonly seed: number
  /** Ends the night early; it sums up. */
  readonly signal: AbortSignal
  readonly log: (line: string) => void
}

export interface RealNightResult extends Comparison {
  readonly seed: number
  readonly minutes: number
  /** Runs of agents, by loop and program. */
  readonly turns: Readonly<Record<string, number>>
  readonly projects: { readonly begun: number; readonly done: number }
  readonly kills: Readonly<Record<KillKind, number>>
  readonly misbehaviours: Readonly<Record<string, number>>
  /** Of the service. */
  readonly restarts: number
  /** Times that a run that asked was let continue. */
  readonly answers: number
  /** By wire and what came of them. */
  readonly requests: Readonly<Record<string, number>>
  /** In a sentence each. */
  readonly damage: readonly string[]
}

/** Projects that are worked on at the same time. */
const AT_ONCE = 3

/** The list prices that Claude Code 2.1.332 reckons with, by what it says a request of known tokens cost. */
const prices: readonly (readonly [model: RegExp, price: Price])[] = [
  [/^claude-opus-5-5\b/, { input: 4, cached: 0.2, output: 20 }],
]

export async function runRealNight({ time, seed, signal, log }: RealNightOptions): Promise<RealNightResult> {
  const started = performance.now()
  const random = randomOf(seed)
  const api = await ModelApi.start(nightScript(TASKS), usageBy(random))
  const over = AbortSignal.any([signal, AbortSignal.timeout(time)])
  const night: SharedNight = {
    api,
    random,
    log,
    over,
    killed: new Set(),
    places: new Places(AT_ONCE),
    tally: {
      turns: {},
      projects: { begun: 0, done: 0 },
      kills: { front: 0, bridge: 0, agent: 0, machine: 0 },
      answers: 0,
      damage: [],
    },
  }
  const lanes = nightLoops.flatMap((loop) => agentProgramNames.map((program) => new RealLane(night, loop, program)))
  // In another order each night, so that short ones have all programs in the end.
  const [weather] = await Promise.all([
    badWeather({ api, random, log, over }),
    ...shuffled(lanes, random).map((lane) => lane.run()),
  ])
  await api.close()
  const ledger = api.ledger.map(requestOf)
  const comparisons: Comparison[] = []
  for (const lane of lanes) {
    const comparison = compareLedger(ledger.filter(lane.isIts), lane.records)
    comparisons.push(comparison)
    await lane.close(comparison.differences.some(({ explanation }) => explanation === null))
  }
  const ofNobody = ledger.filter((request) => !lanes.some(({ isIts }) => isIts(request)))
  const { tally } = night
  return {
    seed,
    minutes: (performance.now() - started) / 60_000,
    ...tally,
    ...weather,
    requests: countBy(ledger, ({ program, outcome }) => `${program}, ${outcome}`),
    damage: [...tally.damage, ...api.errors.map((error) => `service: ${String(error)}`)],
    ...together([...comparisons, compareLedger(ofNobody, noRecords)]),
  }
}

/** Of another size each time, so that sums that agree agree in all parts. */
const usageBy = (random: () => number) => (): Usage => {
  const upTo = (most: number) => Math.round(random() * most)
  const input = 500 + upTo(1_000)
  return { input, cached: upTo(input / 2), output: 10 + upTo(90) }
}

function together(all: readonly Comparison[]): Comparison {
  const sum = (amounts: (comparison: Comparison) => number) => all.reduce((total, one) => total + amounts(one), 0)
  return {
    ledger: { tokens: sum(({ ledger }) => ledger.tokens), cost: sum(({ ledger }) => ledger.cost) },
    recorded: { tokens: sum(({ recorded }) => recorded.tokens), cost: sum(({ recorded }) => recorded.cost) },
    differences: all.flatMap(({ differences }) => differences),
  }
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
  return counts
}

/** Only Claude Code tells a price. */
function requestOf({ asked, run, usage, toldBeforeCut, misbehaviour, delivered }: Call): LedgerRequest {
  const spoils = typeof misbehaviour === 'string'
  const refuses = misbehaviour !== null && !spoils && 'status' in misbehaviour
  return {
    program: asked.wire,
    run,
    usage,
    toldBeforeCut,
    price: asked.wire === 'anthropic' ? (prices.find(([model]) => model.test(asked.model))?.[1] ?? null) : null,
    outcome: refuses ? 'refused' : spoils ? 'spoilt' : delivered === true ? 'delivered' : 'lost',
  }
}
