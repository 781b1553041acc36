/** The format keeps only the latest score: earlier rounds are remembered beside the files. */
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
      before: z.int(),
      found: scored,
      left: scored.nullable(),
    }),
  )
  .max(MAX_ROUNDS)
export type TuningRounds = z.infer<typeof roundsSchema>

export const readRounds = (remembered: Remembered): TuningRounds =>
  storedJson(remembered.get(ROUNDS), roundsSchema) ?? []

export const rememberFound = (remembered: Remembered, before: number, found: Score): Readonly<Record<string, string>> =>
  write([...readRounds(remembered).filter((round) => round.before < before), { before, found, left: null }])

export function rememberLeftOver(remembered: Remembered, left: Score): Readonly<Record<string, string>> {
  const rounds = readRounds(remembered)
  const last = rounds.at(-1)
  return last ? write([...rounds.slice(0, -1), { ...last, left }]) : {}
}

const write = (rounds: TuningRounds): Readonly<Record<string, string>> => ({
  [ROUNDS]: JSON.stringify(rounds.slice(-MAX_ROUNDS)),
})
