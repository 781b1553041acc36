/** Claims that the built-in C64 does what x64sc does, as tests with as many cases as the run wants. */
import type { ChipModels } from '@shared/contract/machine'
import { afterAll, beforeAll, it } from 'vitest'
import { seed } from '../fixedSeed'
import { createBuiltin } from './builtin'
import { compareAll, describeDifference, shrink, type Machines } from './compare'
import type { Case } from './program'
import { randomTemplate } from './template'
import { startOracle, type OracleVice } from './vice'

/** `npm run fuzz` asks for more; this many are part of `npm test`. */
const CASES = Number(process.env.BRIDGEDECK_FUZZ_CASES ?? 400)

/** Cases that are made and run before the next ones are. */
const CHUNK = 1_000
/** Differences that a failed claim shows in full. */
const MAX_SHOWN = 3

export interface Claims {
  /** @param weight of a case that takes as long as this many others */
  readonly agrees: (
    claim: string,
    makeCase: (seed: number, index: number, template: Uint8Array) => Case,
    weight?: number,
  ) => void
  /** All of them in `npm run fuzz`, and about {@link CASES} of them, spread evenly, in `npm test`. */
  readonly agreesOnAll: (claim: string, makeCases: (template: Uint8Array) => readonly Case[]) => void
}

/** To be called within a `describe`: its tests share an x64sc. */
export function claims(models?: ChipModels): Claims {
  let vice: OracleVice
  let machines: Machines
  beforeAll(async () => {
    vice = await startOracle(models)
    machines = { vice, builtin: createBuiltin(models) }
  })
  afterAll(() => vice.stop())

  return {
    agrees(claim, makeCase, weight = 1) {
      it(claim, { timeout: 0 }, async ({ task }) => {
        const count = Math.ceil(CASES / weight)
        for (let first = 0; first < count; first += CHUNK) {
          const template = randomTemplate(seed + first)
          const length = Math.min(CHUNK, count - first)
          const cases = Array.from({ length }, (_, index) => makeCase(seed, first + index, template))
          await expectSame(machines, cases, template)
        }
        task.meta.fuzz = { cases: count }
      })
    },
    agreesOnAll(claim, makeCases) {
      it(claim, { timeout: 0 }, async ({ task }) => {
        const template = randomTemplate(seed)
        const all = makeCases(template)
        const every = CASES < all.length ? Math.ceil(all.length / CASES) : 1
        const cases = all.filter((_, index) => index % every === 0)
        await expectSame(machines, cases, template)
        task.meta.fuzz = { cases: cases.length }
      })
    },
  }
}

async function expectSame(machines: Machines, cases: readonly Case[], template: Uint8Array): Promise<void> {
  const differences = await compareAll(machines, cases, template)
  if (differences.length === 0) return
  const shown: string[] = []
  for (const difference of differences.slice(0, MAX_SHOWN))
    shown.push(describeDifference(await shrink(machines, difference, template)))
  throw new Error(`${differences.length} of ${cases.length} cases differ, with seed ${seed}.\n\n${shown.join('\n\n')}`)
}
