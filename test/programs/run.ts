/** Runs test programs in the built-in C64 and in x64sc, on the same ROMs, and says how they ended. */
import { readFileSync } from 'node:fs'
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

/** @param limit cycles after which a program is ended */
export async function runProgram(file: string, roms: RomFiles, limit: number, vice: boolean): Promise<ProgramResult> {
  const theirs = vice ? runInVice(file, roms, limit) : null
  const builtin = runBuiltin(
    read(file),
    { kernal: read(roms.kernal), basic: read(roms.basic), character: read(roms.character) },
    limit,
  )
  const ending = await theirs
  return { builtin: result(builtin), vice: ending && result(ending) }
}

const read = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(file))
const result = (ending: Ending): Result => ({ verdict: verdictOf(ending), cycles: ending.cycles, text: ending.text })
