import { AppError } from '@shared/contract/errors'
import {
  allOfBatches,
  batchesIn,
  failureKinds,
  HOLD,
  isOnlyShown,
  raisedCeilings,
  runHold,
  type RunHold,
} from '@shared/runHold'
import type { AgentResult } from '../agents/agent'
import { afterTurn, atState, trippedBreaker } from './breakers'
import { reachedCeiling, type Budget } from './ceilings'
import type { LoopEnd, LoopWork, Remembered } from './loop'

export type HeldEnd = LoopEnd & { readonly code: number; readonly hint: string }

/** How a start of a run that is held ends at once. */
export function endOfHold({ kind, ceiling, message }: RunHold): HeldEnd {
  const hint = 'Let it continue in the inbox or with project answer, then resume it.'
  if (failureKinds.includes(kind)) return { outcome: 'waiting', code: 10, message, hint }
  if (!ceiling) return { outcome: 'breaker', code: 22, message, hint }
  return { outcome: 'limit', code: ceiling.measure === 'cost' ? 21 : 20, message, hint }
}

/** Where those of the batches are kept that this run shows. */
export const holdsOfBatches = (run: Remembered): Remembered => ({
  ...batchesIn(run),
  set: (values) => run.set(allOfBatches(values)),
})

/** Keeps a run from going on until the person has looked at it. */
export function holdRun(holds: Remembered, kind: RunHold['kind'], message: string): RunHold {
  return keepHold(holds, { kind, message: message.slice(0, 2_000), since: Date.now() })
}

/** Keeps a run from going on that has used up what agents may use. @returns why, or undefined where nothing holds it */
export function holdAtCeiling(holds: Remembered, budget: Budget): RunHold | undefined {
  const reached = budgetHold(budget, holds)
  return reached && keepHold(holds, { ...reached, since: Date.now() })
}

function keepHold(holds: Remembered, held: RunHold): RunHold {
  holds.set({ [HOLD]: JSON.stringify(held) })
  return held
}

/** Ends a loop from anywhere below it, as a run that is held. */
export class RunHeld extends AppError {
  readonly end: HeldEnd

  constructor(held: RunHold) {
    const end = endOfHold(held)
    super('CONFLICT', end.message, { hint: end.hint })
    this.end = end
  }
}

/** @returns how a loop ends whose file was deleted while it ran, once `writeBack` has put it there as it was last seen */
export async function holdDeleted(
  holds: Remembered,
  file: string,
  writeBack: () => Promise<unknown>,
): Promise<RunHeld> {
  await writeBack()
  const message = `${file} was deleted during the run. Bridgedeck wrote it back as it was before.`
  return new RunHeld(holdRun(holds, 'lost-state', message))
}

/** Ends a loop that repeats itself or has used up what agents may use, until the person lets it continue. */
export class RunGuard {
  readonly #work: Pick<LoopWork, 'holds' | 'budget'>
  /** Of this start: the next one counts from zero. */
  #history = atState(undefined, '')

  constructor(work: Pick<LoopWork, 'holds' | 'budget'>) {
    this.#work = work
    // A start is the answer to it.
    const shown = runHold(work.holds)
    if (shown && isOnlyShown(shown)) work.holds.set({ [HOLD]: null })
  }

  /** @param hasChanged a file or a commit; null where nobody can tell */
  noteTurn({ status, reason }: AgentResult, hasChanged: boolean | null): void {
    if (status === 'stopped') return
    const error = status === 'success' ? null : reason
    this.#history = afterTurn(this.#history, { hasChanged, error })
  }

  /** Between two turns. @param tasks what the run has got to, as a text that changes with it; as before where that was not read again */
  check(tasks = this.#history.tasks): HeldEnd | undefined {
    this.#history = atState(this.#history, tasks)
    const held = this.#hold()
    return held && endOfHold(held)
  }

  /** Keeps the run from going on until the person has looked at it. */
  hold(kind: RunHold['kind'], message: string): HeldEnd {
    return endOfHold(holdRun(this.#work.holds, kind, message))
  }

  #hold(): RunHold | undefined {
    const { holds, budget } = this.#work
    const known = runHold(holds)
    if (known && !known.ceiling) return known
    const reached = trippedBreaker(this.#history) ?? budgetHold(budget(), holds)
    const held = reached && { ...reached, since: known?.since ?? Date.now() }
    if (held || known) holds.set({ [HOLD]: held ? JSON.stringify(held) : null })
    return held
  }
}

function budgetHold(budget: Budget, holds: Remembered): Omit<RunHold, 'since'> | undefined {
  const { costProblem } = budget
  if (costProblem !== null)
    return { kind: 'agent', message: `The cost limit cannot be kept, as your prices cannot be read. ${costProblem}` }
  const reached = reachedCeiling(budget, raisedCeilings(holds))
  return reached && { kind: 'ceiling', ...reached }
}
