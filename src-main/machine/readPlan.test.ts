import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasSideEffect } from '@shared/c64/chips'
import type { MemoryRange } from './machine'
import {
  affordable,
  coalesce,
  costOf,
  CycleBudget,
  hotRanges,
  planReads,
  startOfRounds,
  wholeSpace,
  withoutSideEffects,
  type PlanInput,
  type ReadCosts,
} from './readPlan'

const costsArbitrary: fc.Arbitrary<ReadCosts> = fc.record({
  cyclesPerStop: fc.integer({ min: 0, max: 1_000 }),
  cyclesPerByte: fc.integer({ min: 1, max: 30 }),
  gapWorthBridging: fc.integer({ min: 0, max: 2_400 }),
  longestRead: fc.integer({ min: 64, max: 0x10000 }),
})

/** A machine whose chips are as after a reset, except for these registers. */
function chips(registers: Record<number, number>): Uint8Array {
  const io = new Uint8Array(0x1000)
  for (const [address, value] of Object.entries({ 0xd018: 0x15, 0xdd00: 0x97, ...registers }))
    io[Number(address) - 0xd000] = value
  return io
}

const addressesOf = (ranges: readonly MemoryRange[]): number[] =>
  ranges.flatMap(({ address, length }) => Array.from({ length }, (_, index) => address + index))

const cpu = (address: number, length: number): MemoryRange => ({ space: 'cpu', address, length })

describe('what a read costs', () => {
  it('is a stop for each of its parts, and its bytes', () => {
    const costs = { cyclesPerStop: 100, cyclesPerByte: 2, gapWorthBridging: 0, longestRead: 10 }
    expect(costOf(costs, 10)).toBe(120)
    expect(costOf(costs, 11)).toBe(222)
  })

  it('is known backwards: what can be afforded costs no more, and a byte more would', () => {
    fc.assert(
      fc.property(costsArbitrary, fc.integer({ min: 0, max: 100_000 }), (costs, cycles) => {
        const length = affordable(costs, cycles)
        expect(costOf(costs, length)).toBeLessThanOrEqual(cycles)
        expect(costOf(costs, length + 1)).toBeGreaterThan(cycles)
      }),
    )
  })
})

describe('registers whose read changes the machine', () => {
  it('are those of collisions, interrupts, clocks and cartridges, wherever they repeat', () => {
    expect(
      [0xd01e, 0xd01f, 0xd05e, 0xdc0d, 0xdd0d, 0xdc08, 0xdc0b, 0xdd18, 0xdde9, 0xde00, 0xdf1d, 0xdfff].every(
        hasSideEffect,
      ),
    ).toBe(true)
  })

  it('are not the others', () => {
    expect(
      [0xcfff, 0xd011, 0xd01d, 0xd020, 0xd41e, 0xd81e, 0xdc00, 0xdc0c, 0xdc0e, 0xdd00, 0xe00d, 0x1e].some(
        hasSideEffect,
      ),
    ).toBe(false)
  })

  it('are cut out of what is read of chips, and of nothing else', () => {
    expect(withoutSideEffects([cpu(0xd01c, 6)])).toEqual([cpu(0xd01c, 2), cpu(0xd020, 2)])
    expect(withoutSideEffects([{ space: 'ram', address: 0xd01c, length: 6 }])).toEqual([
      { space: 'ram', address: 0xd01c, length: 6 },
    ])
    expect(addressesOf(withoutSideEffects(wholeSpace('cpu')))).toEqual(
      Array.from({ length: 0x10000 }, (_, n) => n).filter((n) => !hasSideEffect(n)),
    )
  })
})

describe('hot ranges', () => {
  const memory = new Uint8Array(0x10000)

  it('follow the screen to where the chips say it is', () => {
    expect(hotRanges(['cpu'], memory, chips({}))).toContainEqual(cpu(0x0400, 0x400))
    expect(hotRanges(['cpu'], memory, chips({ 0xdd00: 0x94, 0xd018: 0x35 }))).toContainEqual(cpu(0xcc00, 0x400))
  })

  it('hold the sprites that the pointers point at', () => {
    const pointed = memory.slice()
    pointed.set([0x0d, 0x80], 0x07f8)
    expect(hotRanges(['cpu'], pointed, chips({}))).toEqual(expect.arrayContaining([cpu(0x0340, 63), cpu(0x2000, 63)]))
  })

  it('are read where the machine shows them best', () => {
    const ranges = hotRanges(['cpu', 'ram', 'io', 'colorRam'], memory, chips({}))
    expect(ranges).toContainEqual({ space: 'ram', address: 0, length: 0x200 })
    expect(ranges).toContainEqual({ space: 'io', address: 0xd000, length: 0x40 })
    expect(ranges).toContainEqual({ space: 'colorRam', address: 0xd800, length: 1000 })
    expect(hotRanges(['colorRam'], memory, chips({}))).toEqual([{ space: 'colorRam', address: 0xd800, length: 1000 }])
  })
})

describe('joining ranges', () => {
  it('bridges gaps that are worth it', () => {
    expect(coalesce([cpu(0x300, 16), cpu(0x200, 16)], 0xf0)).toEqual([cpu(0x200, 0x110)])
    expect(coalesce([cpu(0x300, 16), cpu(0x200, 16)], 0xef)).toEqual([cpu(0x200, 16), cpu(0x300, 16)])
  })

  it('never bridges a register whose read changes the machine, nor two spaces', () => {
    const around = [cpu(0xd010, 14), cpu(0xd020, 4)]
    expect(coalesce(around, 100)).toEqual(around)
    const twoSpaces: MemoryRange[] = [cpu(0x200, 16), { space: 'ram', address: 0x210, length: 16 }]
    expect(coalesce(twoSpaces, 100)).toEqual(twoSpaces)
  })

  it('takes what overlaps once', () => {
    expect(coalesce([cpu(0x200, 64), cpu(0x210, 8), cpu(0x220, 64)], 0)).toEqual([cpu(0x200, 0x60)])
  })
})

describe('a plan', () => {
  const cheap = { cyclesPerStop: 40, cyclesPerByte: 1, gapWorthBridging: 0, longestRead: 4096 }
  const all = withoutSideEffects(wholeSpace('cpu'))
  const input = (changes: Partial<PlanInput>): PlanInput => ({
    urgent: [],
    hot: withoutSideEffects(hotRanges(['cpu'], new Uint8Array(0x10000), chips({}))),
    rest: all,
    costs: cheap,
    allowance: 5_000,
    rounds: startOfRounds,
    ...changes,
  })

  it('reads all hot ranges and goes on with the rest where it can afford it', () => {
    const read = new Set(addressesOf(planReads(input({})).reads))
    expect(
      [0x00, 0x1ff, 0x400, 0x7ff, 0xd000, 0xd021, 0xd800, 0xdbe7, 0xdc00, 0xdd00].filter(
        (address) => !read.has(address),
      ),
    ).toEqual([])
    expect(read.has(0x0200)).toBe(true)
  })

  it('reads what is urgent first, and says what of it has to wait', () => {
    const { reads, urgentLeft } = planReads(input({ urgent: [cpu(0xe000, 0x1000)], allowance: 1_040 }))
    expect(reads).toEqual([cpu(0xe000, 1_000)])
    expect(urgentLeft).toEqual([cpu(0xe3e8, 0x1000 - 1_000)])
  })

  it('reads nothing where nothing can be afforded', () => {
    expect(planReads(input({ allowance: 40 }))).toMatchObject({ reads: [], cycles: 0 })
  })

  it('never costs more than it may, splits what is too long, and never reads an excluded register', () => {
    fc.assert(
      fc.property(
        costsArbitrary,
        fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 0, max: 255 }),
        (costs, allowances, bank, screen) => {
          let rounds = startOfRounds
          const hot = withoutSideEffects(
            hotRanges(['cpu'], new Uint8Array(0x10000).fill(screen), chips({ 0xdd00: bank, 0xd018: screen })),
          )
          for (const allowance of allowances) {
            const plan = planReads(input({ costs, allowance, rounds, hot }))
            rounds = plan.rounds
            const cost = plan.reads.reduce((sum, { length }) => sum + costOf(costs, length), 0)
            expect(plan.cycles).toBe(cost)
            expect(cost).toBeLessThanOrEqual(allowance)
            expect(plan.reads.every(({ length }) => length > 0 && length <= costs.longestRead)).toBe(true)
            const addresses = addressesOf(plan.reads)
            expect(addresses.some(hasSideEffect)).toBe(false)
            expect(new Set(addresses).size).toBe(addresses.length)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('comes by all 64 KiB in the end, also where the hot ranges alone are too dear', () => {
    fc.assert(
      fc.property(costsArbitrary, fc.integer({ min: 1, max: 20 }), (costs, times) => {
        const allowance = costOf(costs, 64) * times
        const wanted = new Set(addressesOf(all))
        let rounds = startOfRounds
        let plans = 0
        while (wanted.size > 0 && plans < 20_000) {
          const plan = planReads(input({ costs, allowance, rounds }))
          rounds = plan.rounds
          for (const address of addressesOf(plan.reads)) wanted.delete(address)
          plans++
        }
        expect(wanted.size).toBe(0)
      }),
      { numRuns: 8 },
    )
  })

  it('comes by all hot ranges in turn where they are too dear together', () => {
    const hot = input({}).hot
    const wanted = new Set(addressesOf(hot))
    let rounds = startOfRounds
    for (let plans = 0; plans < 40; plans++) {
      const plan = planReads(input({ allowance: 400, rounds }))
      rounds = plan.rounds
      for (const address of addressesOf(plan.reads)) wanted.delete(address)
    }
    expect([...wanted]).toEqual([])
  })
})

describe('the budget', () => {
  it('is never exceeded over any second, however irregularly it is asked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_000, max: 200_000 }),
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.record({ wait: fc.integer({ min: 0, max: 300 }), wanted: fc.integer({ min: 1, max: 50_000 }) }), {
          maxLength: 200,
        }),
        (share, rate, asks) => {
          const budget = new CycleBudget(share, rate, share / 4, 0)
          const spent: { at: number; cycles: number }[] = []
          let now = 0
          for (const { wait, wanted } of asks) {
            now += wait
            const cycles = Math.max(0, Math.min(wanted, budget.available(now)))
            budget.spend(cycles)
            spent.push({ at: now, cycles })
          }
          for (const { at } of spent) {
            const within = spent.filter((one) => one.at >= at && one.at <= at + 1_000)
            expect(within.reduce((sum, { cycles }) => sum + cycles, 0)).toBeLessThanOrEqual(share + 1e-6)
          }
        },
      ),
    )
  })

  it('is not full again when it is made anew', () => {
    const spent = new CycleBudget(10_000, 10, 100, 0)
    spent.spend(spent.available(0) + 500)
    expect(new CycleBudget(10_000, 20, 100, 0, spent.available(0)).available(0)).toBeCloseTo(-500)
  })
})
