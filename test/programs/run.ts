/** Runs test programs in the built-in C64 and in x64sc, on the same ROMs, and says how they ended. */
import { readFileSync } from 'node:fs'
import { clockRates } from '@shared/c64/registers'
import type { ChipModels, VideoStandard } from '@shared/contract/machine'
import { readRoms, type RomFiles } from '../support/ownRoms'
import { runBuiltin } from './builtin'
import { differentPixels, referenceOf } from './reference'
import { verdictOf, type Ending, type Verdict } from './verdict'
import { runInVice } from './vice'

/** Of the machine that runs the programs. */
export const cyclesPerSecond: Readonly<Record<VideoStandard, number>> = clockRates

/** The chips that a program runs with. */
export interface Chips extends ChipModels {
  readonly standard: VideoStandard
}

export interface Result {
  readonly verdict: Verdict
  readonly cycles: number
  readonly text: readonly string[]
}

export interface ProgramResult {
  readonly builtin: Result
  /** null without x64sc. */
  readonly vice: Result | null
  /** Pixels of the built-in C64's last picture that are not those of x64sc, and not those of the reference; null without it. */
  readonly differences: { readonly vice: number | null; readonly reference: number | null }
}

export interface RunOptions extends Chips {
  readonly roms: RomFiles
  /** Cycles after which a program is ended. */
  readonly limit: number
  /** Whether x64sc runs it, too. */
  readonly vice: boolean
}

export async function runProgram(file: string, options: RunOptions): Promise<ProgramResult> {
  const { roms, limit, vice } = options
  const theirs = vice ? runInVice(file, roms, limit, options) : null
  const builtin = runBuiltin(new Uint8Array(readFileSync(file)), readRoms(roms), limit, options)
  const ending = await theirs
  const reference = referenceOf(file)
  return {
    builtin: result(builtin),
    vice: ending && result(ending),
    differences: {
      vice: ending && differentPixels(builtin.momentary, ending.momentary),
      reference: reference && differentPixels(builtin.pixels, reference),
    },
  }
}

const result = (ending: Ending): Result => ({ verdict: verdictOf(ending), cycles: ending.cycles, text: ending.text })
