/** The score of each round of a run: the format keeps only the latest, so that Bridgedeck remembers the others beside the files. */
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import type { Remembered } from '../format'
import { gates, type Score } from './scores'

const ROUNDS = 'rounds'
const MAX_ROUNDS = 100

const scored = z.strictObject({ score: z.number(), gate: z.enum(gates) })
const roundsSchema = z
  .array(
    z.strictObject({
      /** Rounds that were over when its diagnoses were done. */
      before: z.int(),
      found: scored,
      /** Once fixes were verified. */
      left: scored.nullable(),
    }),
  )
  .max(MAX_ROUNDS)
export type TuningRounds = z.infer<typeof roundsSchema>

/** In their order; empty where Bridgedeck ran none. */
export const readRounds = (remembered: Remembered): TuningRounds =>
  storedJson(remembered.get(ROUNDS), roundsSchema) ?? []

/** What the diagnoses of a round found, which may be done again. @param before how many rounds were over */
export const rememberFound = (remembered: Remembered, before: number, found: Score): Readonly<Record<string, string>> =>
  write([...readRounds(remembered).filter((round) => round.before < before), { before, found, left: null }])

/** What is left of the latest round's issues; nothing is remembered where no round is known. */
export function rememberLeftOver(remembered: Remembered, left: Score): Readonly<Record<string, string>> {
  const rounds = readRounds(remembered)
  const last = rounds.at(-1)
  return last ? write([...rounds.slice(0, -1), { ...last, left }]) : {}
}

const write = (rounds: TuningRounds): Readonly<Record<string, string>> => ({
  [ROUNDS]: JSON.stringify(rounds.slice(-MAX_ROUNDS)),
})
