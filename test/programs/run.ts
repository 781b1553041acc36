/** Runs test programs in the built-in C64 and in x64sc, on the same ROMs, and says how they ended. */
import { readFileSync } from 'node:fs'
import { clockRates } from '@shared/c64/registers'
import type { CiaModel } from '@shared/contract/machine'
import { readRoms, type RomFiles } from '../support/ownRoms'
import { runBuiltin } from './builtin'
import { verdictOf, type Ending, type Verdict } from './verdict'
import { runInVice } from './vice'

/** Of the PAL machine that runs the programs. */
export const cyclesPerSecond = clockRates.pal

export interface Result {
  readonly verdict: Verdict
  readonly cycles: number
  readonly text: readonly string[]
}

export interface ProgramResult {
  readonly builtin: Result
  /** null without x64sc. */
  readonly vice: Result | null
}

export interface RunOptions {
  readonly roms: RomFiles
  /** Cycles after which a program is ended. */
  readonly limit: number
  readonly ciaModel: CiaModel
  /** Whether x64sc runs it, too. */
  readonly vice: boolean
}

export async function runProgram(file: string, { roms, limit, ciaModel, vice }: RunOptions): Promise<ProgramResult> {
  const theirs = vice ? runInVice(file, roms, limit, ciaModel) : null
  const builtin = runBuiltin(new Uint8Array(readFileSync(file)), readRoms(roms), limit, ciaModel)
  const ending = await theirs
  return { builtin: result(builtin), vice: ending && result(ending) }
}

const result = (ending: Ending): Result => ({ verdict: verdictOf(ending), cycles: ending.cycles, text: ending.text })
