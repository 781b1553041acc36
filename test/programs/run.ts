/** Runs test programs in the built-in C64 and in x64sc, on the same ROMs, and says how they ended. */
import { readFileSync } from 'node:fs'
import type { CiaModel } from '@shared/contract/machine'
import { runBuiltin } from './builtin'
import { verdictOf, type Ending, type Verdict } from './verdict'
import { runInVice } from './vice'

export interface RomFiles {
  readonly kernal: string
  readonly basic: string
  readonly character: string
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
  const images = { kernal: read(roms.kernal), basic: read(roms.basic), character: read(roms.character) }
  const builtin = runBuiltin(read(file), images, limit, ciaModel)
  const ending = await theirs
  return { builtin: result(builtin), vice: ending && result(ending) }
}

const read = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(file))
const result = (ending: Ending): Result => ({ verdict: verdictOf(ending), cycles: ending.cycles, text: ending.text })
