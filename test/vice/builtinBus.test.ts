/**
 * The bus of the built-in C64 beside that of x64sc: the cycles that the VIC-II takes, when its raster interrupts come, and
 * what the port at $00/$01 reads, after random writes and after its floating bits have faded.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultModels, videoStandards, type VideoStandard } from '@shared/contract/machine'
import { assemble } from '../../scripts/assemble.mjs'
import { createBuiltin } from '../support/oracle/builtin'
import { DONE, FINISHED, START } from '../support/oracle/image'
import type { TestedMachine } from '../support/oracle/machine'
import { chance } from '../support/oracle/random'
import { startOracle, type OracleVice } from '../support/oracle/vice'
import { lacks } from '../support/parts'

const { bytes, symbols } = assemble(join(import.meta.dirname, '../support/oracle/bus.asm'), { format: 'raw' })
const CODE = 0x4000
const RESULTS = 0x5000
const RESULTS_END = 0x5200
const JMP = 0x4c
/** Lines to wait, about 16 each, from the lower border to the middle of the display window. */
const WAIT = { pal: 10, ntsc: 6 } as const

type Parameter = 'kind' | 'ntsc' | 'sprites' | 'wait' | 'phase' | 'irqLine'

function image(parameters: Partial<Record<Parameter, number>>, writes: readonly number[] = []): Uint8Array {
  const ram = new Uint8Array(0x10000)
  const at = (name: string): number => symbols.get(name) ?? 0
  const word = (address: number) => [address & 0xff, address >> 8]
  ram.set([JMP, ...word(CODE)], START)
  ram.set([JMP, ...word(DONE)], DONE)
  ram.set(bytes, CODE)
  ram.set(word(FINISHED), at('toFinished') + 1)
  ram.set(word(DONE), at('toDone') + 1)
  for (const [name, value] of Object.entries(parameters)) ram[at(name)] = value
  ram.set(writes, at('writes'))
  return ram
}

async function results(machine: TestedMachine, ram: Uint8Array): Promise<number[]> {
  const { ram: after, stopped } = await machine.run(ram)
  expect(stopped).toBeUndefined()
  return [...after.subarray(RESULTS, RESULTS_END)]
}

describe.skipIf(lacks('vice'))('beside x64sc', () => {
  for (const standard of videoStandards) describe(standard, () => compare(standard))
})

function compare(standard: VideoStandard): void {
  let vice: OracleVice
  let builtin: TestedMachine
  beforeAll(async () => {
    vice = await startOracle(defaultModels, standard)
    builtin = createBuiltin(defaultModels, standard)
  })
  afterAll(() => vice.stop())

  async function same(parameters: Partial<Record<Parameter, number>>, writes: readonly number[] = []): Promise<void> {
    const ram = image({ ntsc: standard === 'ntsc' ? 1 : 0, wait: WAIT[standard], ...parameters }, writes)
    const theirs = await results(vice, ram)
    expect(new Set(theirs).size).toBeGreaterThan(1)
    expect(await results(builtin, ram)).toEqual(theirs)
  }

  const phases = Array.from({ length: 12 }, (_, phase) => phase)

  it('bad lines and sprites take the same cycles, whichever sprites they are', async () => {
    const { byte } = chance(1, 0)
    for (const phase of phases) await same({ kind: 0, phase, sprites: phase < 4 ? 0 : byte() })
  })

  it('writes go on for the same cycles before the CPU waits', async () => {
    const { byte } = chance(2, 0)
    for (const phase of phases) await same({ kind: 1, phase, sprites: phase < 4 ? 0 : byte() })
  })

  it('a raster interrupt comes in the same cycle, a cycle later in line 0', async () => {
    for (const irqLine of [0, 1, 0x20, 0x33, 0xff]) for (const phase of [0, 1]) await same({ kind: 2, irqLine, phase })
  })

  it('the port at $00 and $01 reads the same, with pins that float and fade', async () => {
    const { below, byte, once } = chance(3, 0)
    for (let run = 0; run < 10; run++) {
      const writes = Array.from({ length: 40 }, () => {
        const wait = run === 0 && once(4) ? 1 + below(2) : 0
        return [below(2), byte(), wait]
      })
      await same({ kind: 3 }, writes.flat())
    }
  })
}
