import { describe, expect, it } from 'vitest'
import { compareLedger, type LedgerRequest, type NightRecords, type RecordedRun } from '../support/nightLedger'

const price = { input: 3, cached: 0.3, output: 15 }
/** At that price. */
const COST = (800 * 3 + 200 * 0.3 + 50 * 15) / 1e6

const request = (more: Partial<LedgerRequest> = {}): LedgerRequest => ({
  program: 'anthropic',
  run: 'a',
  price,
  outcome: 'delivered',
  toldBeforeCut: null,
  usage: { input: 1_000, cached: 200, output: 50 },
  ...more,
})

const paid = { tokens: 1_050, cost: COST }
const run = (more: Partial<RecordedRun> = {}): RecordedRun => ({
  run: 'a',
  program: 'claude',
  status: 'success',
  killed: false,
  started: true,
  hasTurn: true,
  ...paid,
  printed: paid,
  ...more,
})
const untold = { tokens: null, cost: null, printed: { tokens: null, cost: null } }

/** That agree with each other. */
function recordsOf(runs: readonly RecordedRun[], more: Partial<NightRecords> = {}): NightRecords {
  const cost = runs.reduce((sum, one) => sum + (one.cost ?? 0), 0)
  const unpriced = runs.filter((one) => one.cost === null && one.started).length
  return {
    runs,
    turns: runs.filter(({ hasTurn }) => hasTurn).map((one) => one.run),
    spending: { cost, unpriced },
    report: { turns: runs.length, cost, unpriced },
    ...more,
  }
}

const explanations = (ledger: readonly LedgerRequest[], records: NightRecords) =>
  compareLedger(ledger, records).differences.map(({ explanation }) => explanation)

it('A ledger and records that agree have no difference, and the same sums', () => {
  const runs = [run(), run({ run: 'b', ...untold, started: false, status: 'stopped' })]
  const refused = request({ usage: null, outcome: 'refused' })
  expect(compareLedger([refused, request()], recordsOf(runs))).toEqual({
    ledger: { tokens: 1_050, cost: COST },
    recorded: { tokens: 1_050, cost: COST },
    differences: [],
  })
})

describe('A difference is explained where', () => {
  it('the answer reached nobody', () => {
    const ledger = [request(), request({ outcome: 'lost' })]
    expect(explanations(ledger, recordsOf([run()]))).toEqual([expect.stringContaining('reached nobody')])
  })

  it('the program counts what a cut answer had told before, or does not', () => {
    const cut = request({ usage: null, outcome: 'spoilt', toldBeforeCut: { input: 1_000, cached: 200, output: 0 } })
    const counted = { tokens: 2_050, cost: COST + (800 * 3 + 200 * 0.3) / 1e6 }
    const records = recordsOf([run({ ...counted, printed: counted })])
    expect(explanations([cut, request()], records)).toEqual([expect.stringContaining('cut')])
    expect(explanations([cut, request()], recordsOf([run()]))).toEqual([])
    const withToken = { tokens: counted.tokens + 1, cost: counted.cost + price.output / 1e6 }
    expect(explanations([cut, request()], recordsOf([run({ ...withToken, printed: withToken })]))).toEqual([
      expect.stringContaining('cut'),
    ])
  })

  it('the program was killed before it told', () => {
    const records = recordsOf([run({ ...untold, killed: true, status: 'error' })])
    expect(explanations([request()], records)).toEqual([expect.stringContaining('killed')])
  })

  it('the program failed and told no usage', () => {
    const records = recordsOf([run({ ...untold, status: 'error' })])
    expect(explanations([request()], records)).toEqual([expect.stringContaining('told no usage')])
  })
})

describe('A difference is not explained where', () => {
  it('a run that succeeded has fewer tokens than were delivered', () => {
    expect(explanations([request(), request()], recordsOf([run()]))).toEqual([null])
  })

  it('a run that succeeded has fewer tokens than were delivered and lost', () => {
    const ledger = [request(), request(), request({ outcome: 'lost' })]
    expect(explanations(ledger, recordsOf([run()]))).toEqual([null])
  })

  it('a run that was killed has more than was told', () => {
    const more = { tokens: 2_100, cost: COST }
    const records = recordsOf([run({ ...more, printed: more, killed: true, status: 'error' })])
    expect(explanations([request()], records)).toEqual([null])
  })

  it('more was counted of a cut answer than it had told', () => {
    const cut = request({ usage: null, outcome: 'spoilt', toldBeforeCut: { input: 900, cached: 200, output: 0 } })
    const counted = { tokens: 2_050, cost: COST }
    expect(explanations([cut, request()], recordsOf([run({ ...counted, printed: counted })]))).toEqual([null])
  })

  it('a model has no price, and the program says that it cost something', () => {
    expect(explanations([request({ price: null })], recordsOf([run()]))).toEqual([null])
  })

  it('the price is another', () => {
    const more = { tokens: 1_050, cost: COST * 2 }
    expect(explanations([request()], recordsOf([run({ ...more, printed: more })]))).toEqual([null])
  })

  it('what a killed program told was not recorded', () => {
    const records = recordsOf([run({ tokens: null, cost: null, killed: true, status: 'error' })])
    expect(explanations([request()], records)).toEqual([null, null, expect.stringContaining('killed')])
  })

  it.each([null, 'stranger'])('a request is of no run that is known: %s', (stranger) => {
    expect(explanations([request(), request({ run: stranger })], recordsOf([run()]))).toEqual([null])
  })

  it('a turn has no record, two, or a record of a run that is not there', () => {
    expect(explanations([request()], recordsOf([run()], { turns: [] }))).toEqual([null])
    expect(explanations([request()], recordsOf([run()], { turns: ['a', 'a'] }))).toEqual([null])
    expect(explanations([request()], recordsOf([run()], { turns: ['a', 'b'] }))).toEqual([null])
  })

  it('spending or the report differ from the runs', () => {
    const wrong = { cost: 0, unpriced: 1 }
    expect(explanations([request()], recordsOf([run()], { spending: wrong }))).toEqual([null, null])
    expect(explanations([request()], recordsOf([run()], { report: { ...wrong, turns: 2 } }))).toEqual([
      null,
      null,
      null,
    ])
  })
})
