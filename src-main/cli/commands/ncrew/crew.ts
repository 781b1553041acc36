import { AppError } from '@shared/contract/errors'
import type { LoopOptions } from '@shared/contract/loopOptions'
import { readCrew, type Crew } from '../../../loops/ncrew/crewFiles'
import { noCrew, type CrewEnd } from '../../../loops/ncrew/runCrew'
import { EXIT_OK } from '../../exitCodes'
import { type Output } from '../../output'
import { readDollars, readNumber } from '../../parameters'
import { loadRemembered } from '../../remembered'

export async function requireCrew(folder: string, signal: AbortSignal): Promise<Crew> {
  const crew = await readCrew(folder, loadRemembered, signal)
  if (crew) return crew
  const { message, hint = '' } = noCrew(folder)
  throw new AppError('NOT_FOUND', message, { hint })
}

const EXIT_NOT_DONE = 100

export function reportEnd(output: Output, { code, message, hint }: CrewEnd): number {
  if (output.isJson || code === EXIT_OK || code === EXIT_NOT_DONE)
    output.result({ code, message, ...(hint === undefined ? {} : { hint }) }, message)
  else output.failure({ code: 'INVALID', message, ...(hint === undefined ? {} : { hint }) })
  return code
}

/** Options override environment variables, which override the manifest. */
export function loopOptions(
  given: { readonly maxIterations?: number | undefined; readonly maxCost?: number | undefined },
  environment: NodeJS.ProcessEnv,
): LoopOptions<'ncrew'> {
  const { NOODLECREW_MAX_ITERATIONS: iterations, NOODLECREW_MAX_COST: cost, NOODLECREW_DEFAULT_LLM: llm } = environment
  const maxIterations =
    given.maxIterations ??
    (iterations === undefined ? undefined : readNumber(iterations, 'NOODLECREW_MAX_ITERATIONS', iterationBounds))
  const maxCost = given.maxCost ?? (cost === undefined ? undefined : readDollars(cost, 'NOODLECREW_MAX_COST'))
  return {
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(llm === undefined || llm === '' ? {} : { llm }),
  }
}

export const iterationBounds = { min: 0, max: 1_000_000 }
